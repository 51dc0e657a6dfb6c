// SPDX-License-Identifier: Apache-2.0

#include "report.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "verilated.h"

namespace hc {

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
  const std::string tools = std::string("tools\tVerilator ") + Verilated::productVersion();
  write_file(path, tools + "\nresult\t" + verdict + "\t" + field + "\n", "ab");
}

void write_junit_error(const std::string& path, const std::string& suite, const std::string& message) {
  write_file(path, open_suite(suite, 1, 0, 1) + "    <testcase classname=\"" + escape(suite) +
                       "\" name=\"golden trace\">\n      <error message=\"" + escape(message) +
                       "\"/>\n    </testcase>\n" + kCloseSuite);
}

}  // namespace hc
