#include "faults/request_watch.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "faults/parsed_head.h"

namespace takt::faults {

void RequestWatch::pass(ByteView octets) {
  while (!octets.empty() && !is_lost_) {
    if (head_.empty() && rest_ == 0) wanted_ = giop::header_size;
    const std::size_t count = std::min(octets.size(), wanted_ - head_.size());
    head_.insert(head_.end(), octets.begin(), octets.begin() + static_cast<std::ptrdiff_t>(count));
    octets = octets.subspan(count);
    if (head_.size() == giop::header_size && wanted_ == giop::header_size && rest_ == 0) begin(head_);
    if (head_.size() < wanted_) continue;
    if (wanted_ != 0) finish();
    const std::uint64_t skipped = std::min<std::uint64_t>(octets.size(), rest_);
    rest_ -= skipped;
    octets = octets.subspan(static_cast<std::size_t>(skipped));
  }
}

// `octets`: those that every message begins with.
void RequestWatch::begin(ByteView octets) {
  const auto size = message_size(octets);
  is_lost_ = !size;
  if (!size) return;
  wanted_ = static_cast<std::size_t>(std::min<std::uint64_t>(*size, most_head));
  rest_ = *size - wanted_;
}

void RequestWatch::finish() {
  ParsedHead parsed;
  if (parse_head(head_, parsed) && parsed.event.kind == giop::EventKind::request &&
      parsed.event.response_expected) {
    const std::lock_guard lock(mutex_);
    if (operations_.size() == most_requests) operations_.erase(operations_.begin());
    operations_.insert_or_assign(parsed.event.request_id, std::string(parsed.event.operation));
  }
  head_.clear();
  wanted_ = 0;
}

std::string RequestWatch::take(std::uint32_t request_id) {
  const std::lock_guard lock(mutex_);
  const auto found = operations_.find(request_id);
  if (found == operations_.end()) return {};
  std::string operation = std::move(found->second);
  operations_.erase(found);
  return operation;
}

}  // namespace takt::faults
