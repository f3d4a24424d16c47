#include "orb/failure_reports.h"

#include <algorithm>
#include <functional>
#include <string>

namespace takt::orb {

namespace {

constexpr std::size_t longest_name = 64, longest_text = 1000;

// A client chooses the operation's name, and may have had a hand in the text.
std::string printable(std::string_view text, std::size_t longest) {
  std::string line(text.substr(0, longest));
  std::ranges::replace_if(line, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return line;
}

}  // namespace

void FailureReports::report(std::string_view operation, const CORBA::SystemException& failure) {
  if (failure.detail().empty() || !warnings_.on()) return;
  if (dynamic_cast<const CORBA::OBJECT_NOT_EXIST*>(&failure)) return;
  const std::string text = printable(failure.what(), longest_text);
  if (is_new(text)) warnings_.say(printable(operation, longest_name) + " fails with " + text);
}

void FailureReports::say_once(const std::string& text) {
  if (warnings_.on() && is_new(text)) warnings_.say(text);
}

bool FailureReports::is_new(const std::string& text) {
  const std::uint64_t hash = std::hash<std::string>()(text) | 1;
  for (auto& one : said_) {
    std::uint64_t known = 0;
    if (one.compare_exchange_strong(known, hash, std::memory_order_relaxed)) return true;
    if (known == hash) return false;
  }
  return false;
}

}  // namespace takt::orb
