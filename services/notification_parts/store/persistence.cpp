#include "notification_parts/store/persistence.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace takt::notification {
namespace {

constexpr std::chrono::milliseconds settling_time{100}, pause_after_failure{1'000};

}  // namespace

bool Settlements::add(EventNumber number, ObjectId proxy, bool is_last) {
  const std::lock_guard lock(mutex_);
  const bool was_empty = is_empty();
  if (is_last) {
    partial_.erase(number);
    whole_.push_back({.number = number, .has_rows = with_rows_.erase(number) > 0});
  } else {
    partial_[number].push_back(proxy);
  }
  return was_empty;
}

bool Settlements::withdraw(EventNumber number) {
  const std::lock_guard lock(mutex_);
  const bool was_empty = is_empty();
  add_withdrawn(number, number);
  return was_empty;
}

void Settlements::add_withdrawn(EventNumber first, EventNumber last) {
  auto next = withdrawn_.lower_bound(first);
  if (next != withdrawn_.end() && next->first <= last + 1) {
    last = std::max(last, next->second);
    next = withdrawn_.erase(next);
  }
  if (next != withdrawn_.begin())
    if (const auto before = std::prev(next); before->second + 1 >= first) {
      before->second = std::max(before->second, last);
      return;
    }
  withdrawn_.emplace(first, last);
}

std::vector<Settled> Settlements::take() {
  const std::lock_guard lock(mutex_);
  auto taken = std::exchange(whole_, {});
  for (const auto& [number, proxies] : std::exchange(partial_, {})) {
    with_rows_.insert(number);
    for (const ObjectId proxy : proxies) taken.push_back({.number = number, .proxy = proxy});
  }
  for (const auto& [first, last] : std::exchange(withdrawn_, {}))
    taken.push_back({.number = first, .last = last});
  return taken;
}

void Settlements::put_back(std::vector<Settled> settled) {
  const std::lock_guard lock(mutex_);
  // Events that have been settled as a whole since then need no rows, but removing none is no harm.
  for (const Settled& each : settled) {
    if (each.last != 0)
      add_withdrawn(each.number, each.last);
    else if (each.proxy == 0)
      whole_.push_back(each);
    else if (with_rows_.contains(each.number))
      partial_[each.number].push_back(each.proxy);
  }
}

void Settlements::note_rows(EventNumber number) {
  const std::lock_guard lock(mutex_);
  with_rows_.insert(number);
}

std::size_t Settlements::size() const {
  const std::lock_guard lock(mutex_);
  return partial_.size() + whole_.size() + withdrawn_.size();
}

std::expected<void, StoreFault> Persistence::Writer::write(std::span<const Change* const> changes) {
  auto settled = settlements.take();
  if (changes.empty() && settled.empty()) return {};
  auto written = store.write(changes, settled);
  if (written || settled.empty()) return written;
  // A full disk may have room for removals.
  const bool also_alone = !changes.empty() && store.write({}, settled).has_value();
  if (!also_alone) settlements.put_back(std::move(settled));
  return written;
}

Persistence::Persistence(Store store, Report report)
    : journal_(std::make_unique<Writer>(std::move(store), settlements_), std::move(report)),
      thread_([this] { write_settlements(); }) {}

Persistence::~Persistence() { stop(); }

std::expected<void, StoreFault> Persistence::write(std::span<const Change> changes) {
  return journal_.write(changes);
}

void Persistence::settle(EventNumber number, ObjectId proxy, bool is_last) {
  if (settlements_.add(number, proxy, is_last)) wake_writer();
}

void Persistence::withdraw(EventNumber number) {
  if (settlements_.withdraw(number)) wake_writer();
}

void Persistence::wake_writer() {
  {
    const std::lock_guard lock(mutex_);
  }  // the thread is before its check, or waits
  wakes_.notify_one();
}

void Persistence::write_settlements() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    wakes_.wait(lock, [this] { return stopping_ || settlements_.size() > 0; });
    wakes_.wait_for(lock, settling_time, [this] { return stopping_; });
    lock.unlock();
    bool written = false;
    try {
      written = journal_.write(std::span<const Change>()).has_value();
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): as a store that cannot be written
    }
    lock.lock();
    if (!written) wakes_.wait_for(lock, pause_after_failure, [this] { return stopping_; });
  }
}

void Persistence::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wakes_.notify_all();
  if (!thread_.joinable()) return;
  thread_.join();
  (void)journal_.write(std::span<const Change>());  // deliveries are repeated if it fails
}

}  // namespace takt::notification
