// SPDX-License-Identifier: Apache-2.0
//
// Collects the results of a run, prints differences immediately, and ends with a
// summary and a JUnit report.

#ifndef HC_REPORT_H
#define HC_REPORT_H

#include <cstdint>
#include <string>
#include <vector>

namespace hc {

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

}  // namespace hc

#endif
