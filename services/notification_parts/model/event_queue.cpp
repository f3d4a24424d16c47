#include "notification_parts/model/event_queue.h"

#include <algorithm>
#include <new>

namespace takt::notification {

EventQueue::Rank EventQueue::order_rank(const Queued& entry) const {
  const auto number = static_cast<std::int64_t>(entry.number);
  switch (policies_.order) {
    case Order::priority:
      return {-entry.placement.priority, number};
    case Order::deadline:
      return {entry.placement.expiry.time_since_epoch().count(), number};
    default:
      return {0, number};
  }
}

EventQueue::Rank EventQueue::discard_rank(const Queued& entry) const {
  const auto number = static_cast<std::int64_t>(entry.number);
  switch (policies_.discard) {
    case Discard::priority:
      return {entry.placement.priority, number};
    case Discard::deadline:
      return {entry.placement.expiry.time_since_epoch().count(), number};
    case Discard::lifo:
      return {0, -number};
    default:
      return {0, number};
  }
}

void EventQueue::make_due(const Queued& entry) {
  ready_.emplace(order_rank(entry), entry.number);
  due_bytes_ += entry.event->sent_bytes();
}

void EventQueue::insert(Queued entry) {
  const Number number = entry.number;
  const Queued& inserted = entries_.emplace(number, std::move(entry)).first->second;
  memory_.take(entry_bytes);
  fullness_.add(bytes_of(inserted));
  try {
    insert_into_orders(inserted);
  } catch (...) {
    remove(number);
    throw;
  }
}

void EventQueue::insert_into_orders(const Queued& entry) {
  discards_.emplace(discard_rank(entry), entry.number);
  if (entry.placement.start != Clock::time_point::min())
    starts_.emplace(entry.placement.start, entry.number);
  else
    make_due(entry);
  if (entry.placement.expiry != Clock::time_point::max())
    expiries_.emplace(entry.placement.expiry, entry.number);
}

void EventQueue::insert_or_give_up(Queued entry) {
  try {
    insert(entry);
  } catch (const std::bad_alloc&) {
    ++discarded_;
    if (given_up_) given_up_(entry);
  }
}

Queued EventQueue::remove(Number number) {
  auto node = entries_.extract(number);
  Queued& entry = node.mapped();
  discards_.erase(discard_rank(entry));
  if (ready_.erase(order_rank(entry)) == 0)
    starts_.erase({entry.placement.start, number});
  else
    due_bytes_ -= entry.event->sent_bytes();
  expiries_.erase({entry.placement.expiry, number});
  memory_.give_back(entry_bytes);
  fullness_.remove(bytes_of(entry));
  return std::move(entry);
}

void EventQueue::give_up(Number number) {
  const Queued entry = remove(number);
  if (given_up_) given_up_(entry);
}

void EventQueue::discard_one() {
  ++discarded_;
  give_up(discards_.begin()->second);
}

void EventQueue::advance(Clock::time_point now) {
  for (; !expiries_.empty() && expiries_.begin()->first <= now; ++expired_)
    give_up(expiries_.begin()->second);
  while (!starts_.empty() && starts_.begin()->first <= now) {
    Queued& entry = entries_.at(starts_.begin()->second);
    make_due(entry);
    starts_.erase(starts_.begin());
    entry.placement.start = Clock::time_point::min();
  }
}

void EventQueue::set(QueuePolicies policies) {
  std::map<Number, Queued> entries = std::exchange(entries_, {});
  ready_.clear();
  due_bytes_ = 0;
  discards_.clear();
  starts_.clear();
  expiries_.clear();
  memory_.give_back(entry_bytes * entries.size());
  fullness_.clear();
  policies_ = policies;
  for (auto& [number, entry] : entries) insert_or_give_up(std::move(entry));
  while (entries_.size() > policies_.limit) discard_one();
}

void EventQueue::add(EventPtr event, const Placement& placement, Clock::time_point now) {
  advance(now);
  insert({std::move(event), placement, ++last_});
  if (entries_.size() > policies_.limit) discard_one();
}

bool EventQueue::shrink() {
  if (entries_.size() < 2) return false;
  discard_one();
  return true;
}

std::vector<Queued> EventQueue::take(std::size_t most, std::uint64_t most_bytes, Clock::time_point now) {
  advance(now);
  std::vector<Queued> taken;
  taken.reserve(std::min(most, ready_.size()));
  std::uint64_t bytes = 0;
  while (taken.size() < most && !ready_.empty()) {
    const Number next = ready_.begin()->second;
    bytes += entries_.at(next).event->sent_bytes();
    if (!taken.empty() && bytes > most_bytes) break;
    taken.push_back(remove(next));
  }
  return taken;
}

void EventQueue::put_back(std::vector<Queued> events) {
  for (Queued& entry : events) insert_or_give_up(std::move(entry));
  while (entries_.size() > policies_.limit) discard_one();
}

void EventQueue::clear() {
  memory_.give_back(entry_bytes * entries_.size());
  if (given_up_)
    for (const auto& [number, entry] : entries_) given_up_(entry);
  entries_.clear();
  fullness_.clear();
  ready_.clear();
  due_bytes_ = 0;
  discards_.clear();
  starts_.clear();
  expiries_.clear();
}

std::size_t EventQueue::due(Clock::time_point now) {
  advance(now);
  return ready_.size();
}

std::optional<Clock::time_point> EventQueue::next_start() const {
  if (starts_.empty()) return std::nullopt;
  return starts_.begin()->first;
}

}  // namespace takt::notification
