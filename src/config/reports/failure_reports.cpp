#include "config/reports/failure_reports.h"

#include <algorithm>
#include <functional>
#include <string>

namespace takt::orb {

namespace {

constexpr std::size_t longest_name = 64, longest_text = 1000;

// A client chooses the operation's name, and may influence the text.
std::string blank_controls(std::string_view text, std::size_t longest) {
  std::string line(text.substr(0, longest));
  std::ranges::replace_if(line, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return line;
}

}  // namespace

void FailureReports::report(std::string_view operation, const CORBA::SystemException& failure) {
  if (dynamic_cast<const CORBA::OBJECT_NOT_EXIST*>(&failure)) return;
  warnings_.log().notice(LogEvent::request_failed);
  if (failure.detail().empty() || !warnings_.on()) return;
  const std::string text = blank_controls(failure.what(), longest_text);
  if (!is_new(text)) return;
  const std::string name = blank_controls(operation, longest_name);
  warnings_.log().write(
      {.event = LogEvent::request_failed, .operation = name, .reason = name + " fails with " + text});
}

void FailureReports::say_once(LogEvent event, const std::string& text) {
  EventLog& log = warnings_.log();
  if (log.takes(event) && is_new(text)) log.write({.event = event, .reason = text});
}

FailureReports::~FailureReports() { say_count(); }

FailureReports::Place FailureReports::place_of(std::uint64_t hash) {
  for (auto& one : said_) {
    std::uint64_t known = 0;
    if (one.compare_exchange_strong(known, hash, std::memory_order_relaxed)) return Place::added;
    if (known == hash) return Place::known;
  }
  return Place::none;
}

bool FailureReports::is_new(const std::string& text) {
  const std::uint64_t hash = std::hash<std::string>()(text) | 1;
  const auto now = now_();
  if (auto last = emptied_at_.load(); now - last >= again_ && emptied_at_.compare_exchange_strong(last, now))
    empty();
  Place place = place_of(hash);
  if (place == Place::none && !is_silent()) place = place_of(hash);
  if (place == Place::none) counted_.fetch_add(1, std::memory_order_relaxed);
  return place == Place::added;
}

// Whether the table is full and reporting is paused. The first thread that finds it full reports that; the
// first after the pause empties it.
bool FailureReports::is_silent() {
  const auto now = now_();
  auto since = os::no_deadline;
  if (full_since_.compare_exchange_strong(since, now)) {
    warnings_.say("the limit of different warnings is reached (" + std::to_string(most) +
                  "): further ones are only counted for ten minutes");
    return true;
  }
  if (now - since < pause || !full_since_.compare_exchange_strong(since, now)) return true;
  empty();
  return false;
}

void FailureReports::empty() {
  say_count();
  for (auto& one : said_) one.store(0, std::memory_order_relaxed);
  full_since_ = os::no_deadline;
}

void FailureReports::say_count() {
  if (const auto count = counted_.exchange(0); count != 0 && warnings_.on())
    warnings_.say(std::to_string(count) + " warnings were counted and not reported");
}

}  // namespace takt::orb
