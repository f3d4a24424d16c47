#include "record/rates.h"

#include <algorithm>
#include <cstdio>

#include "common/percentile.h"
#include "record/listing.h"

namespace takt::command {
namespace {

using recorder::Direction;

Direction of_request(const recorder::ReadMessage& message, const PassingCall& call) {
  if (call.kind == PassingCall::Kind::request) return message.direction;
  return message.direction == Direction::sent ? Direction::received : Direction::sent;
}

std::string time_text(const std::vector<std::int64_t>& sorted, double share) {
  if (sorted.empty()) return "-";
  char text[40];
  std::snprintf(text, sizeof text, "%.1f us", static_cast<double>(nearest_rank(sorted, share)) / 1000);
  return text;
}

// A percentile needs ten values beyond it.
constexpr std::size_t least_for_p99 = 1000;

}  // namespace

void Rates::take(const recorder::ReadMessage& message, const PassingCall& call) {
  if (call.kind == PassingCall::Kind::other || call.operation.empty()) {
    ++other_messages_;
    return;
  }
  Operation& operation = operations_[{of_request(message, call), call.operation}];
  operation.octets += message.message_bytes;
  if (call.kind == PassingCall::Kind::request) {
    ++operation.requests;
    return;
  }
  ++operation.replies;
  if (call.parsed.event.reply_status == giop::ReplyStatus::user_exception ||
      call.parsed.event.reply_status == giop::ReplyStatus::system_exception)
    ++operation.exceptions;
  operation.times_ns.push_back(call.after_ns);
}

std::vector<std::pair<Rates::Key, Rates::Operation>> Rates::by_frequency() const {
  std::vector<std::pair<Key, Operation>> sorted(operations_.begin(), operations_.end());
  for (auto& [key, operation] : sorted) std::ranges::sort(operation.times_ns);
  std::ranges::stable_sort(sorted, std::ranges::greater(),
                           [](const auto& each) { return each.second.requests; });
  return sorted;
}

std::string Rates::in_words(double seconds) const {
  char line[160];
  std::snprintf(line, sizeof line, "%12s %12s %12s %12s %10s  %s\n", "calls/s", "octets/s", "p50", "slowest",
                "exceptions", "operation");
  std::string text = line;
  for (const auto& [key, operation] : by_frequency()) {
    std::snprintf(line, sizeof line, "%12.1f %12.0f %12s %12s %10llu  %s ",
                  static_cast<double>(operation.requests) / seconds,
                  static_cast<double>(operation.octets) / seconds, time_text(operation.times_ns, 0.5).c_str(),
                  time_text(operation.times_ns, 1).c_str(),
                  static_cast<unsigned long long>(operation.exceptions), direction_in_words(key.first));
    text += line + escape_non_ascii(key.second) + "\n";
  }
  if (other_messages_ != 0) text += std::to_string(other_messages_) + " other messages\n";
  return text;
}

Json Rates::as_json(double seconds) const {
  Json operations = Json::array();
  for (const auto& [key, operation] : by_frequency()) {
    const auto& times = operation.times_ns;
    const auto at = [&](double share) { return times.empty() ? Json() : Json(nearest_rank(times, share)); };
    operations.push_back({{"operation", key.second},
                          {"direction", direction_in_words(key.first)},
                          {"requests", operation.requests},
                          {"replies", operation.replies},
                          {"exceptions", operation.exceptions},
                          {"octets", operation.octets},
                          {"p50_ns", at(0.5)},
                          {"p99_ns", times.size() >= least_for_p99 ? at(0.99) : Json()},
                          {"slowest_ns", at(1)}});
  }
  return {{"seconds", seconds}, {"operations", std::move(operations)}, {"other_messages", other_messages_}};
}

}  // namespace takt::command
