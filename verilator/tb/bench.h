// SPDX-License-Identifier: Apache-2.0
//
// What every bench has, whatever its design: random numbers, plusargs, the report, the frame of the
// program, the lines of text traces, and threads.

#ifndef HC_BENCH_H
#define HC_BENCH_H

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace hc {

// The random numbers are for data and ready without valid, which must not affect the design, and for the
// random traffic before each reset.

/// splitmix64: small, fast, and the same on every host.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint32_t word() {
    state_ += 0x9e3779b97f4a7c15U;
    return static_cast<std::uint32_t>(mix(state_) >> 32);
  }
  bool coin() { return (word() & 1) != 0; }

  /// A bijection of 64 bits whose result looks random.
  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
  }

 private:
  std::uint64_t state_;
};

// Plusargs

struct Options {
  std::string golden;               // trace to replay; required except in a free run
  std::string waves;                // VCD file to write; "": none
  bool all_waves = false;           // also of the cycles before cycle 0, and when the network is empty again
  std::string junit;                // JUnit XML file to write; "": none
  std::string result;               // file to append the result to; "": none
  std::uint64_t max_mismatch = 10;  // differences after which the run stops
  std::uint32_t seed = 1;           // of registers without reset, and of inputs that must not matter
  bool require_stalls = false;      // fail unless every stream of the trace has stalled and transferred
  std::uint64_t free_run = 0;       // cycles without a trace; 0: no free run
  std::uint64_t messages = 0;       // over cables between chips, at least
  std::uint64_t accesses = 0;       // at the buses of endpoints, without a trace; 0: none
  unsigned threads = 0;             // threads of the array bench; 0: one for each processor
  bool help = false;
};

/// A plusarg that is wrong, missing or unknown.
class OptionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads the command line. Throws OptionError.
Options parse_options(int argc, char** argv);

/// The usage text; program is argv[0].
std::string usage(const std::string& program);

// The report collects the results of a run, prints differences immediately, and ends with a summary and a
// JUnit report.

/// One test case of the JUnit report: a node of the network, a stream of the
/// router, or one of the checks of the whole run.
struct TestCase {
  std::string name;
  std::vector<std::string> failures;  // messages
  std::string output;                 // statistics, one a line
};

struct Property {
  std::string name;
  std::string value;
};

class Report {
 public:
  /// suite is <module>.<traffic>. After max_mismatch failures full() is true.
  Report(std::string suite, std::uint64_t max_mismatch) : suite_(std::move(suite)), max_(max_mismatch) {}

  /// Adds a test case and returns its number.
  std::size_t add(const std::string& name);

  /// Records a failure of a test case and prints it on stderr: a line with place and
  /// fault, and lines of context (each ended).
  void fail(std::size_t test_case, const std::string& message, const std::string& context = "");

  bool full() const { return failures_ >= max_; }
  std::uint64_t failures() const { return failures_; }
  const std::string& suite() const { return suite_; }

  void output(std::size_t test_case, const std::string& text) { cases_[test_case].output += text; }
  void property(const std::string& name, std::uint64_t value) { property(name, std::to_string(value)); }
  void property(const std::string& name, const std::string& value) { properties_.push_back({name, value}); }

  /// Writes the JUnit report. Throws std::runtime_error if it cannot.
  void write_junit(const std::string& path) const;

  /// Appends the result, passed or failed, to a file, with a summary and the first failure.
  /// Throws std::runtime_error if it cannot.
  void append_result(const std::string& path, const std::string& summary) const;

 private:
  std::string suite_;
  std::uint64_t max_;
  std::uint64_t failures_ = 0;
  std::string first_;  // message of the first failure
  std::vector<TestCase> cases_;
  std::vector<Property> properties_;
};

/// Appends the version of Verilator and a result, passed, failed or broken, to a file that the
/// report of the machine shows: lines of fields between tabs (report/results.awk).
/// Throws std::runtime_error if it cannot.
void append_result(const std::string& path, const std::string& verdict, const std::string& details);

/// Writes a JUnit report of a run that could not take place.
void write_junit_error(const std::string& path, const std::string& suite, const std::string& message);

// The frame of all benches: plusargs, messages, and the exit status

/// The exit status of a bench.
enum Exit { kEqual = 0, kFault = 1, kBadInput = 2, kDiffers = 3 };

/// The whole program: reads the plusargs and runs the bench. An exception becomes a message and an exit
/// status; a trace that cannot be replayed is an error of this suite in the JUnit report.
int bench_program(int argc, char** argv, const std::string& suite, const std::function<int(const Options&)>& run);

/// After a run that stops before cycle 0: names the option with which it writes waves.
void print_waves_hint(const Options& options);

/// Prints the closing line of a run, and before it whether the run stopped early.
void print_verdict(const Report& report, const std::string& summary);

// The lines and columns of a text file such as a golden trace. It is read with constant memory and without
// going back, so that it may come from a pipe.

/// A trace that cannot be replayed; the message begins with file:line.
class TraceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Whether a name is one that a description can give: it becomes part of messages and reports.
bool is_name(const std::string& text);

/// Takes "key=value" and the space behind it (or the end) off the front of text, and returns the value.
std::string take(std::string* text, const std::string& key);

/// A number as traces have it: hex of fixed width.
std::string hex(const std::uint32_t* words, std::size_t bits);
std::string hex(std::uint64_t value, std::size_t bits);

class TraceLines {
 public:
  /// Opens the file. "-" is standard input; a name that ends in .gz is read through gzip. wanted names the
  /// columns of a line, for messages, and longest bounds its bytes. Throws TraceError.
  TraceLines(const std::string& path, const char* wanted, std::size_t longest);
  ~TraceLines();
  TraceLines(const TraceLines&) = delete;
  TraceLines& operator=(const TraceLines&) = delete;

  /// Name of the file, for messages.
  const std::string& path() const { return path_; }
  /// Number of the line, from 1.
  std::uint64_t number() const { return number_; }

  /// Begins the next line. False at the end of the file.
  bool fetch();
  /// The whole line.
  std::string_view text() const { return {begin_, static_cast<std::size_t>(end_ - begin_)}; }

  /// The next column; what names it in messages. Columns are separated by one space, and the last one ends
  /// with the line.
  std::string_view column(const char* what);
  /// The next column as a decimal number of at most limit.
  std::uint64_t decimal(const char* what, std::uint64_t limit);
  /// Text as such a number.
  std::uint64_t decimal(const char* what, std::string_view text, std::uint64_t limit) const;
  /// The next column as a hex number of fixed width, lowest word first, or "-" if bits is 0.
  void hex(const char* what, std::size_t bits, std::uint32_t* words);
  /// Text as such a number.
  void hex(const char* what, std::string_view text, std::size_t bits, std::uint32_t* words) const;
  /// Fails unless the line has ended; last names its last column.
  void end(const char* last) const;

  /// An error that points at a line of this file.
  TraceError error(std::uint64_t number, const std::string& reason) const;
  /// Throws an error that points at this line.
  [[noreturn]] void fail(const std::string& reason) const { throw error(number_, reason); }

 private:
  void open();
  void close();

  std::string path_;
  const std::string wanted_;
  std::FILE* file_ = nullptr;
  bool piped_ = false;  // file_ is the output of gzip
  std::vector<char> buffer_;
  std::size_t next_ = 0;    // in buffer_: first byte not yet in a line
  std::size_t filled_ = 0;  // bytes in buffer_
  bool end_of_file_ = false;
  std::uint64_t number_ = 0;

  const char* begin_ = nullptr;  // the line
  const char* end_ = nullptr;
  const char* at_ = nullptr;  // of the next column
};

// Threads that share the work on many independent parts

class Pool {
 public:
  /// Works on parts begin .. end-1.
  using Work = std::function<void(std::size_t begin, std::size_t end)>;

  /// With one thread the caller of each() does all work. Throws std::runtime_error if the
  /// threads cannot be started.
  explicit Pool(unsigned threads);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  unsigned threads() const { return static_cast<unsigned>(workers_.size()) + 1; }

  /// Does the work on all parts, count in number, and returns when it is finished. The
  /// assignment of parts to threads varies, so the result must not depend on it. If the work
  /// throws, this function throws the first exception.
  void each(std::size_t count, const Work& work);

 private:
  void stop();
  void serve();
  void take_chunks(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable start_, done_;
  std::vector<std::thread> workers_;
  // guarded by mutex_
  bool stop_ = false;
  const Work* work_ = nullptr;
  std::size_t count_ = 0;
  std::size_t chunk_ = 0;
  std::size_t next_ = 0;  // first part that no thread has taken
  unsigned working_ = 0;  // threads at work on a chunk
  std::exception_ptr fault_;
  std::size_t fault_at_ = 0;
};

}  // namespace hc

#endif
