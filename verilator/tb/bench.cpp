// SPDX-License-Identifier: Apache-2.0

#include "bench.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <unistd.h>

#include "verilated_config.h"

namespace hc {

// Plusargs

namespace {

std::uint64_t number(const std::string& name, const std::string& text, std::uint64_t low, std::uint64_t high) {
  const OptionError wrong("+" + name + "=" + text + ": wanted a number from " + std::to_string(low) + " to " +
                          std::to_string(high));
  if (text.empty()) throw wrong;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') throw wrong;
    value = 10 * value + static_cast<std::uint64_t>(c - '0');
    if (value > high) throw wrong;
  }
  if (value < low) throw wrong;
  return value;
}

}  // namespace

Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.compare(0, 11, "+verilator+") == 0) continue;  // Verilator's own
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const bool has_value = equals != std::string::npos;
    const std::string value = has_value ? argument.substr(equals + 1) : "";
    if (!has_value && name == "+require-stalls") {
      options.require_stalls = true;
    } else if (!has_value && name == "+trace-all") {
      options.all_waves = true;
    } else if (!has_value && name == "+help") {
      options.help = true;
    } else if (has_value && (name == "+golden" || name == "+trace" || name == "+junit" || name == "+result")) {
      if (value.empty()) throw OptionError(name + "= needs a file name");
      (name == "+golden"  ? options.golden
       : name == "+trace" ? options.waves
       : name == "+junit" ? options.junit
                          : options.result) = value;
    } else if (has_value && name == "+max-mismatch") {
      options.max_mismatch = number("max-mismatch", value, 1, 1000000000);
    } else if (has_value && name == "+seed") {
      options.seed = static_cast<std::uint32_t>(number("seed", value, 0, 1000000000));
    } else if (has_value && name == "+free-run") {
      options.free_run = number("free-run", value, 1, 1000000000000);
    } else if (has_value && name == "+messages") {
      options.messages = number("messages", value, 0, 1000000000000);
    } else if (has_value && name == "+accesses") {
      options.accesses = number("accesses", value, 1, 1000000000000);
    } else if (has_value && name == "+threads") {
      options.threads = static_cast<unsigned>(number("threads", value, 1, 256));
    } else {
      throw OptionError("unknown argument " + argument);
    }
  }
  if (options.golden.empty() && options.free_run == 0 && options.accesses == 0 && !options.help) {
    throw OptionError("+golden= is missing: which trace?");
  }
  if (!options.golden.empty() && options.free_run > 0)
    throw OptionError("+free-run= replays no trace: +golden= is too much");
  if (!options.golden.empty() && options.accesses > 0)
    throw OptionError("+accesses= replays no trace: +golden= is too much");
  if (options.free_run + options.accesses > 0 && !options.waves.empty())
    throw OptionError("+trace=" + options.waves + ": a free run writes no waves; the replay of a trace does");
  if (options.all_waves && options.waves.empty()) throw OptionError("+trace-all needs +trace=FILE");
  return options;
}

std::string usage(const std::string& program) {
  return "usage: " + program +
         " +golden=FILE [+trace=FILE [+trace-all]] [+junit=FILE] [+result=FILE] [+max-mismatch=N] [+seed=N]"
         " [+require-stalls] [+threads=N]\n"
         "       " +
         program +
         " +free-run=CYCLES|+accesses=N [+messages=N] [+junit=FILE] [+result=FILE] [+max-mismatch=N] [+seed=N]"
         " [+threads=N]\n"
         "  +golden=FILE      golden trace to replay and compare; - is standard input, FILE.gz is unpacked\n"
         "  +trace=FILE       write waves (VCD) from cycle 0 of the trace on\n"
         "  +trace-all        also write the waves before cycle 0, and when the network is empty again\n"
         "  +junit=FILE       write a JUnit report (XML)\n"
         "  +result=FILE      append the result for the report of the machine\n"
         "  +max-mismatch=N   stop after N differences (10)\n"
         "  +seed=N           seed of random registers and inputs (1)\n"
         "  +require-stalls   fail if a stream of the trace never stalled or never transferred\n"
         "  +free-run=CYCLES  drive random traffic for CYCLES cycles instead of a trace: messages must arrive\n"
         "                    once and in order, and nodes have fair turns and bounded waits\n"
         "  +messages=N       of chips alone: until N messages have crossed cables\n"
         "  +accesses=N       of systems alone: make N random accesses at the buses of endpoints instead of a trace\n"
         "  +threads=N        of the array alone (one for each processor)\n"
         "exit status: 0 equal, 1 internal error, 2 bad arguments or trace, 3 the design differs\n";
}

// Report

namespace {

// Control characters and bytes that may not be UTF-8 are not allowed in XML, and tabs and ends of line
// not in a field between tabs.
char plain(char c) { return (c < ' ' || c > '~') ? '?' : c; }

std::string escape(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\n': out += "&#10;"; break;
      default: out += plain(c);
    }
  }
  return out;
}

void write_file(const std::string& path, const std::string& text, const char* mode = "wb") {
  std::FILE* file = std::fopen(path.c_str(), mode);
  bool good = file != nullptr;
  if (good) {
    good = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    good = std::fclose(file) == 0 && good;
  }
  if (!good) throw std::runtime_error(path + ": cannot be written: " + std::strerror(errno));
}

std::string open_suite(const std::string& name, std::size_t tests, std::size_t failures, std::size_t errors) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"" + escape(name) +
         "\" tests=\"" + std::to_string(tests) + "\" failures=\"" + std::to_string(failures) + "\" errors=\"" +
         std::to_string(errors) + "\">\n";
}

const char* const kCloseSuite = "  </testsuite>\n</testsuites>\n";

}  // namespace

std::size_t Report::add(const std::string& name) {
  cases_.push_back({name, {}, ""});
  return cases_.size() - 1;
}

void Report::fail(std::size_t test_case, const std::string& message, const std::string& context) {
  if (failures_++ == 0) first_ = message;
  cases_[test_case].failures.push_back(message + (context.empty() ? "" : "\n" + context));
  std::fprintf(stderr, "mismatch %llu: %s\n%s", static_cast<unsigned long long>(failures_), message.c_str(),
               context.c_str());
}

void Report::write_junit(const std::string& path) const {
  std::size_t failed = 0;
  for (const TestCase& c : cases_) failed += c.failures.empty() ? 0 : 1;
  std::string xml = open_suite(suite_, cases_.size(), failed, 0) + "    <properties>\n";
  for (const Property& p : properties_) {
    xml += "      <property name=\"" + escape(p.name) + "\" value=\"" + escape(p.value) + "\"/>\n";
  }
  xml += "    </properties>\n";
  for (const TestCase& c : cases_) {
    xml += "    <testcase classname=\"" + escape(suite_) + "\" name=\"" + escape(c.name) + "\">\n";
    if (!c.failures.empty()) {  // one element a case: readers of JUnit expect at most one
      const std::string& first = c.failures.front();
      xml += "      <failure message=\"" + escape(first.substr(0, first.find('\n'))) + "\">";
      for (const std::string& message : c.failures) xml += escape(message + "\n");
      xml += "</failure>\n";
    }
    if (!c.output.empty()) xml += "      <system-out>" + escape(c.output) + "</system-out>\n";
    xml += "    </testcase>\n";
  }
  write_file(path, xml + kCloseSuite);
}

void Report::append_result(const std::string& path, const std::string& summary) const {
  if (failures_ == 0) return hc::append_result(path, "passed", summary);
  hc::append_result(path, "failed", summary + ", first: " + first_);
}

void append_result(const std::string& path, const std::string& verdict, const std::string& details) {
  std::string field;
  for (const char c : details) field += plain(c);
  const std::string tools = std::string("tools\tVerilator ") + VERILATOR_VERSION;
  write_file(path, tools + "\nresult\t" + verdict + "\t" + field + "\n", "ab");
}

void write_junit_error(const std::string& path, const std::string& suite, const std::string& message) {
  write_file(path, open_suite(suite, 1, 0, 1) + "    <testcase classname=\"" + escape(suite) +
                       "\" name=\"golden trace\">\n      <error message=\"" + escape(message) +
                       "\"/>\n    </testcase>\n" + kCloseSuite);
}

// Frame of the program

int bench_program(int argc, char** argv, const std::string& suite, const std::function<int(const Options&)>& run) {
  const std::string program = argc > 0 ? argv[0] : suite;
  Options options;
  try {
    options = parse_options(argc, argv);
    if (options.help) {
      std::fputs(usage(program).c_str(), stdout);
      return kEqual;
    }
    return run(options);
  } catch (const OptionError& e) {
    std::fprintf(stderr, "error: %s\n%s", e.what(), usage(program).c_str());
    return kBadInput;
  } catch (const TraceError& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    try {
      if (!options.junit.empty()) write_junit_error(options.junit, suite, e.what());
      if (!options.result.empty()) append_result(options.result, "broken", e.what());
    } catch (const std::exception& second) {
      std::fprintf(stderr, "error: %s\n", second.what());
    }
    return kBadInput;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return kFault;
  }
}

void print_waves_hint(const Options& options) {
  if (options.waves.empty() || options.all_waves) return;
  std::fprintf(stderr,
               "hint: the run stopped before cycle 0, so there are no waves; +trace-all writes those before it\n");
}

void print_verdict(const Report& report, const std::string& summary) {
  const bool equal = report.failures() == 0;
  if (report.full()) {
    std::fprintf(stderr, "stopped after %llu mismatches (+max-mismatch=)\n",
                 static_cast<unsigned long long>(report.failures()));
  }
  std::printf("%s: %s: %s\n", equal ? "PASS" : "FAIL", report.suite().c_str(), summary.c_str());
}

// Lines of text traces

namespace {

// The values of hex digits; 255 for any other character. Upper case is not
// allowed: a value has one spelling.
struct HexTable {
  unsigned char value[256];
  constexpr HexTable() : value() {
    for (auto& v : value) v = 255;
    for (int i = 0; i < 10; ++i) value['0' + i] = static_cast<unsigned char>(i);
    for (int i = 0; i < 6; ++i) value['a' + i] = static_cast<unsigned char>(10 + i);
  }
};
constexpr HexTable kHex;

// Text from a trace can contain anything. The part that a message quotes must neither control a
// terminal nor fill it.
std::string printable(const std::string& text) {
  constexpr std::size_t kLongest = 400;
  std::string shown;
  for (const char c : text) {
    if (shown.size() >= kLongest) return shown + "..";
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      shown += c;
    } else {
      shown += {'\\', 'x', "0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
    }
  }
  return shown;
}

}  // namespace

bool is_name(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string take(std::string* text, const std::string& key) {
  if (text->compare(0, key.size() + 1, key + "=") != 0) return "";
  const std::size_t end = std::min(text->find(' '), text->size());
  const std::string value = text->substr(key.size() + 1, end - key.size() - 1);
  text->erase(0, end + 1);
  return value;
}

std::string hex(const std::uint32_t* words, std::size_t bits) {
  std::string text;
  for (std::size_t digit = (bits + 3) / 4; digit-- > 0;) {
    text += "0123456789abcdef"[words[digit / 8] >> (4 * (digit % 8)) & 15];
  }
  return text;
}

std::string hex(std::uint64_t value, std::size_t bits) {
  const std::uint32_t words[2] = {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
  return hex(words, bits);
}

TraceLines::TraceLines(const std::string& path, const char* wanted, std::size_t longest)
    : path_(path), wanted_(wanted), buffer_(longest) {
  open();
}

TraceLines::~TraceLines() { close(); }

void TraceLines::open() {
  if (path_ == "-") {
    path_ = "<stdin>";
    if (isatty(STDIN_FILENO)) throw TraceError(path_ + " is a terminal: pipe a trace into the bench");
    file_ = stdin;
    return;
  }
  file_ = std::fopen(path_.c_str(), "rb");
  if (file_ == nullptr) throw TraceError(path_ + ": cannot be read: " + std::strerror(errno));
  if (path_.size() < 3 || path_.compare(path_.size() - 3, 3, ".gz") != 0) return;
  std::fclose(file_);
  std::string quoted;
  for (const char c : path_) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  file_ = popen(("gzip -dc <'" + quoted + "'").c_str(), "r");
  piped_ = true;
  if (file_ == nullptr) throw TraceError(path_ + ": gzip cannot be started: " + std::strerror(errno));
}

void TraceLines::close() {
  if (file_ != nullptr && file_ != stdin) piped_ ? pclose(file_) : std::fclose(file_);
  file_ = nullptr;
}

TraceError TraceLines::error(std::uint64_t number, const std::string& reason) const {
  return TraceError(path_ + ":" + std::to_string(number) + ": " + printable(reason));
}

bool TraceLines::fetch() {
  for (;;) {
    const char* start = buffer_.data() + next_;
    if (const void* newline = std::memchr(start, '\n', filled_ - next_)) {
      begin_ = at_ = start;
      end_ = static_cast<const char*>(newline);
      number_ += 1;
      next_ += static_cast<std::size_t>(end_ - begin_) + 1;
      return true;
    }
    if (end_of_file_) {
      if (next_ == filled_) return false;
      number_ += 1;
      fail("the last line does not end: the trace is truncated");
    }
    std::memmove(buffer_.data(), start, filled_ - next_);
    filled_ -= next_;
    next_ = 0;
    if (filled_ == buffer_.size()) {
      number_ += 1;
      fail("the line is too long for a golden trace");
    }
    const std::size_t got = std::fread(buffer_.data() + filled_, 1, buffer_.size() - filled_, file_);
    if (std::ferror(file_)) throw TraceError(path_ + ": cannot be read: " + std::strerror(errno));
    filled_ += got;
    end_of_file_ = got == 0;
    if (end_of_file_ && piped_) {
      const int status = pclose(file_);
      file_ = nullptr;
      if (status != 0) throw TraceError(path_ + ": gzip cannot unpack it: the trace is damaged or truncated");
    }
  }
}

std::string_view TraceLines::column(const char* what) {
  const char* const start = at_;
  while (at_ != end_ && *at_ != ' ') ++at_;
  const std::string_view text(start, static_cast<std::size_t>(at_ - start));
  if (text.empty()) fail(std::string("no ") + what + "; wanted \"" + wanted_ + "\"");
  if (at_ != end_) ++at_;
  return text;
}

std::uint64_t TraceLines::decimal(const char* what, std::uint64_t limit) { return decimal(what, column(what), limit); }

std::uint64_t TraceLines::decimal(const char* what, std::string_view text, std::uint64_t limit) const {
  const std::string shown(text);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned digit = static_cast<unsigned>(text[i] - '0');
    if (digit > 9) fail(std::string(what) + " \"" + shown + "\" is not a decimal number");
    if (i > 0 && value == 0) {
      fail(std::string(what) + " \"" + shown + "\" begins with 0: a number has one spelling");
    }
    if (digit > limit || value > (limit - digit) / 10) {
      fail(std::string(what) + " " + shown + " is above " + std::to_string(limit));
    }
    value = 10 * value + digit;
  }
  return value;
}

void TraceLines::hex(const char* what, std::size_t bits, std::uint32_t* words) { hex(what, column(what), bits, words); }

void TraceLines::hex(const char* what, std::string_view text, std::size_t bits, std::uint32_t* words) const {
  if (bits == 0) {
    if (text != "-") fail(std::string(what) + " \"" + std::string(text) + "\": this stream has none, wanted \"-\"");
    return;
  }
  const std::size_t digits = (bits + 3) / 4;
  if (text.size() != digits) {
    fail(std::string(what) + " \"" + std::string(text) + "\" has " + std::to_string(text.size()) + " digits; wanted " +
         std::to_string(digits) + " (" + std::to_string(bits) + " bits)");
  }
  unsigned highest = 0;
  for (std::size_t d = 0; d < digits; ++d) {  // from the lowest digit
    const unsigned value = kHex.value[static_cast<unsigned char>(text[digits - 1 - d])];
    if (value > 15) fail(std::string(what) + " \"" + std::string(text) + "\" is not lower-case hex");
    if (d % 8 == 0) words[d / 8] = 0;
    words[d / 8] |= value << (4 * (d % 8));
    highest = value;
  }
  if (bits % 4 != 0 && highest >> (bits % 4) != 0) {
    fail(std::string(what) + " \"" + std::string(text) + "\" has more than " + std::to_string(bits) + " bits");
  }
}

void TraceLines::end(const char* last) const {
  if (at_ != end_ || end_[-1] == ' ') {
    fail(std::string("text behind the ") + last + ": \"" + std::string(at_, end_) + "\"");
  }
}

// Threads

Pool::Pool(unsigned threads) {
  try {
    for (unsigned i = 1; i < threads; ++i) workers_.emplace_back([this] { serve(); });
  } catch (const std::system_error& e) {
    const std::size_t started = workers_.size() + 1;
    stop();
    throw std::runtime_error("only " + std::to_string(started) + " of " + std::to_string(threads) +
                             " threads can be started (" + e.what() + "): give a smaller +threads=");
  }
}

Pool::~Pool() { stop(); }

void Pool::stop() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Pool::each(std::size_t count, const Work& work) {
  if (workers_.empty()) {
    if (count > 0) work(0, count);
    return;
  }
  std::unique_lock<std::mutex> lock(mutex_);
  work_ = &work;
  count_ = count;
  // Idle threads take the next chunk, so a busy processor gets fewer chunks.
  chunk_ = std::max<std::size_t>(1, count / (16 * threads()));
  next_ = 0;
  fault_ = nullptr;
  start_.notify_all();
  take_chunks(lock);
  done_.wait(lock, [this] { return next_ >= count_ && working_ == 0; });
  work_ = nullptr;
  if (fault_) std::rethrow_exception(fault_);
}

void Pool::serve() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    start_.wait(lock, [this] { return stop_ || (work_ != nullptr && next_ < count_); });
    if (stop_) return;
    take_chunks(lock);
  }
}

void Pool::take_chunks(std::unique_lock<std::mutex>& lock) {
  ++working_;
  while (next_ < count_) {
    const std::size_t begin = next_;
    const std::size_t end = std::min(count_, begin + chunk_);
    const Work& work = *work_;
    next_ = end;
    lock.unlock();
    std::exception_ptr fault;
    try {
      work(begin, end);
    } catch (...) {
      fault = std::current_exception();
    }
    lock.lock();
    if (fault && (!fault_ || begin < fault_at_)) {
      fault_ = fault;
      fault_at_ = begin;
    }
  }
  if (--working_ == 0) done_.notify_one();
}

}  // namespace hc
