#include "rt/operations/budget_watch.h"

#include <algorithm>
#include <limits>

#include <takt/cdr/exception.h>

#include "os/error_text.h"

namespace takt::rt {

namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
// Minimum pause before another check of an upcall that was delayed by other threads.
constexpr std::int64_t pause_ns = 1'000'000;

std::int64_t ns(Clock::time_point at) { return std::chrono::nanoseconds(at.time_since_epoch()).count(); }

}  // namespace

BudgetWatch::BudgetWatch(Host& host, os::SchedulingClass scheduling_class)
    : host_(host), class_(scheduling_class) {
  auto thread = os::Thread::start({.name = "takt-budgets"}, [this] { watch(); });
  if (!thread)
    throw CORBA::NO_RESOURCES(
        0, CORBA::COMPLETED_NO,
        std::string("no thread to watch over execution times: ") + os::error_text(thread.error()));
  thread_ = std::move(*thread);
  ready_.acquire_within(std::chrono::seconds(10));  // before busier threads keep it from raising its priority
}

BudgetWatch::~BudgetWatch() {
  over_ = true;
  wake_.release();
}

BudgetWatch::Watched BudgetWatch::begin(Operation& operation, const os::RunningThread& thread,
                                        std::chrono::nanoseconds used_so_far,
                                        Clock::time_point now) noexcept {
  // The place that this thread used last, which other threads probably do not use.
  static thread_local std::uint32_t usual = 0;
  for (std::uint32_t tries = 0; tries < max_watched; ++tries, usual = (usual + 1) % max_watched) {
    Place& place = places_[usual];
    std::uint32_t word = place.word.load(std::memory_order_relaxed);
    if ((word & mask) != free_place || !place.word.compare_exchange_strong(word, word | taken)) continue;
    const std::int64_t look = ns(now + operation.execution);
    place.operation.store(&operation, std::memory_order_relaxed);
    place.thread.store(thread.handle, std::memory_order_relaxed);
    place.clock.store(thread.clock, std::memory_order_relaxed);
    place.may_use_ns.store((used_so_far + operation.execution).count(), std::memory_order_relaxed);
    place.first_look_ns.store(look, std::memory_order_relaxed);
    place.word.store(word | running);
    if (look < asleep_until_.load()) wake_.release();
    return {usual, word | running};
  }
  return {};
}

BudgetWatch::Ended BudgetWatch::end(const Watched& watched) noexcept {
  if (watched.place == max_watched) return {};
  Place& place = places_[watched.place];
  const std::uint32_t next_use = (watched.word & ~mask) + (mask + 1);
  std::uint32_t word = watched.word;
  if (place.word.compare_exchange_strong(word, next_use)) return {};
  await_host(place, word);
  const Ended ended{.told = true, .ran_at = place.ran_at};
  place.word.store(next_use);
  return ended;
}

bool BudgetWatch::has_changed(const Watched& watched) const noexcept {
  if (watched.place == max_watched) return false;
  const Place& place = places_[watched.place];
  std::uint32_t word = place.word.load();
  if (word == watched.word) return false;
  await_host(place, word);
  return place.ran_at.has_value();
}

void BudgetWatch::await_host(const Place& place, std::uint32_t& word) noexcept {
  while ((word & mask) == acting) {
    place.word.wait(word);
    word = place.word.load();
  }
}

void BudgetWatch::watch() {
  os::set_scheduling({class_, os::native_priorities(class_).highest});  // best effort
  ready_.release();
  while (!over_) {
    asleep_until_.store(never);  // an upcall that begins meanwhile wakes this thread
    const std::int64_t until = look_at_all();
    asleep_until_.store(until);
    const std::int64_t now = ns(Clock::now());
    constexpr std::int64_t hour = 3'600'000'000'000;
    wake_.acquire_within(std::chrono::nanoseconds(std::clamp<std::int64_t>(until - now, 0, hour)));
  }
}

// Returns the time of the next check.
std::int64_t BudgetWatch::look_at_all() {
  std::int64_t earliest = never;
  const std::int64_t now = ns(Clock::now());
  for (std::size_t i = 0; i < max_watched; ++i)
    earliest = std::min(earliest, look_at(places_[i], next_[i], now));
  return earliest;
}

std::int64_t BudgetWatch::look_at(Place& place, Next& next, std::int64_t now) {
  std::uint32_t word = place.word.load();
  if ((word & mask) != running) return never;
  if (next.word != word) next = {word, place.first_look_ns.load(std::memory_order_relaxed)};
  if (now < next.look_ns) return next.look_ns;
  const os::RunningThread thread{.handle = place.thread.load(std::memory_order_relaxed),
                                 .clock = place.clock.load(std::memory_order_relaxed)};
  const std::int64_t may_use = place.may_use_ns.load(std::memory_order_relaxed);
  Operation* const operation = place.operation.load(std::memory_order_relaxed);
  const auto used = thread.processor_time();
  if (!used) return never;  // the thread has ended
  if (used->count() <= may_use) {
    next.look_ns = now + std::max(may_use - used->count(), pause_ns);
    return next.look_ns;
  }
  // From here on the upcall cannot end before the watch has acted.
  if (!place.word.compare_exchange_strong(word, (word & ~mask) | acting)) return never;
  place.ran_at =
      host_.on_overrun(*operation, thread, *used - std::chrono::nanoseconds(may_use) + operation->execution);
  place.word.store((word & ~mask) | acted);
  place.word.notify_all();
  return never;
}

}  // namespace takt::rt
