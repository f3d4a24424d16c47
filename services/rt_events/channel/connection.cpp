#include "rt_events/channel/connection.h"

#include <algorithm>
#include <array>
#include <utility>

#include <takt/base/atomic_maximum.h>

#include "rt_events/model/designators.h"
#include "rt_events/model/times.h"

namespace takt::rt_events {
namespace {

constexpr std::size_t most_bytes_together = 64 * 1024;

void count(std::atomic<std::uint64_t>& counter) { counter.fetch_add(1, std::memory_order_relaxed); }

std::int64_t number(os::TimePoint time) { return time.time_since_epoch().count(); }

Timer::Kind kind_of(std::int32_t type) {
  if (type == once) return Timer::Kind::once;
  return type == deadline ? Timer::Kind::deadline : Timer::Kind::interval;
}

}  // namespace

// Puts an event into the queue of its consumer.
class Connection::ConsumerTimer final : public Timer {
 public:
  ConsumerTimer(std::shared_ptr<Connection> connection, std::uint32_t index, const Filter::Timer& timer,
                os::TimePoint now)
      : Timer(kind_of(timer.type), timer.period, now, connection->restarts_[index]),
        connection_(std::move(connection)),
        type_(timer.type),
        index_(index) {}

 private:
  bool is_needed() const override { return !connection_->has_ended(); }
  bool fire() override {
    if (connection_->has_ended()) return false;
    EventRef event = connection_->pool_.take();
    if (!event) return true;
    RtecEventComm::EventHeader& header = event->event.header();
    header.type(type_);
    header.source(any_source);
    header.ttl(0);
    header.creation_time(universal_now());
    header.ec_recv_time(header.creation_time());
    header.ec_send_time(header.creation_time());
    event->event.data().pad1(0);
    event->event.data().payload().clear();
    event->timer = index_ + 1;
    event->arrived_ns = number(os::Clock::now());
    connection_->offer(event);
    return true;
  }

  const std::shared_ptr<Connection> connection_;
  const std::int32_t type_;
  const std::uint32_t index_;
};

Connection::Connection(ConnectionSettings settings, std::shared_ptr<EventConsumer> consumer,
                       const Delivery& delivery, std::function<void()> finished)
    : settings_(std::move(settings)),
      consumer_(std::move(consumer)),
      pool_(delivery.pool),
      level_(delivery.level),
      timers_(delivery.timers),
      slow_after_(delivery.slow_after),
      on_finish_(std::move(finished)),
      together_(consumer_->takes_several() && settings_.filter.is_plain()),
      queue_(settings_.queued_events),
      correlator_(settings_.filter),
      restarts_(settings_.filter.timers().size()),
      held_(settings_.held) {}

// A timer may have fired while the connection ended.
Connection::~Connection() { discard_pending(); }

std::size_t Connection::places() const {
  // Further ones are being delivered.
  return queue_.capacity() + Correlator::places(settings_.filter) + most_in_a_call();
}

std::uint64_t Connection::expiries() const {
  constexpr std::chrono::nanoseconds second = std::chrono::seconds(1);
  std::uint64_t sum = 0;
  for (const Filter::Timer& timer : settings_.filter.timers()) {
    const bool repeats = kind_of(timer.type) != Timer::Kind::once;
    sum +=
        1 + (repeats ? static_cast<std::uint64_t>((second - std::chrono::nanoseconds(1)) / timer.period) : 0);
  }
  return sum;
}

std::expected<void, std::string> Connection::reserve() {
  if (!timers_.reserve(expiries()))
    return std::unexpected("the timers of the channel's consumers expire as often as they may together, " +
                           std::to_string(timers_.most_expiries()) + " times in a second");
  if (pool_.reserve(places())) {
    if (const auto number = level_.add(*this)) {
      number_ = *number;
      return {};
    }
    pool_.unreserve(places());
  }
  timers_.unreserve(expiries());
  return std::unexpected("the channel has as many consumers, or places for events, as it may have");
}

std::vector<std::unique_ptr<Timer>> Connection::make_timers(os::TimePoint now) {
  std::vector<std::unique_ptr<Timer>> timers;
  const auto self = std::static_pointer_cast<Connection>(shared_from_this());
  for (const Filter::Timer& timer : settings_.filter.timers())
    timers.push_back(
        std::make_unique<ConsumerTimer>(self, static_cast<std::uint32_t>(timers.size()), timer, now));
  return timers;
}

void Connection::offer(const EventRef& event) {
  if (suspended_.load(std::memory_order_relaxed)) return count(missed_);
  enqueue(event);
}

void Connection::enqueue(const EventRef& event) {
  if (!make_room(event)) return count(discarded_);
  EventRef queued = event;
  queued_bytes_.fetch_add(event->bytes, std::memory_order_relaxed);
  while (!queue_.push(queued->index)) {
    if (settings_.discard == Discard::newest) {
      queued_bytes_.fetch_sub(event->bytes, std::memory_order_relaxed);
      return count(discarded_);
    }
    if (take()) count(discarded_);
  }
  queued.detach();
  count(accepted_);
  schedule();
}

// False: the event is to be discarded, because the older ones have too many bytes.
bool Connection::make_room(const EventRef& event) {
  while (queued_bytes_.load(std::memory_order_relaxed) + event->bytes > settings_.queued_bytes) {
    if (settings_.discard == Discard::newest) return queue_.empty();
    if (!take()) return true;
    count(discarded_);
  }
  return true;
}

// The oldest event of the queue; null if it is empty.
EventRef Connection::take() {
  const auto oldest = queue_.pop();
  if (!oldest) return {};
  EventRef event = EventRef::adopt(pool_.at(*oldest));
  queued_bytes_.fetch_sub(event->bytes, std::memory_order_relaxed);
  return event;
}

void Connection::schedule() {
  // Pairs with the fence in run(): one of the two threads sees what the other has written.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (held_.load(std::memory_order_relaxed)) return;
  if (!scheduled_.load(std::memory_order_relaxed) && !scheduled_.exchange(true)) level_.ready(number_);
}

void Connection::release() {
  held_.store(false);
  if (!queue_.empty()) schedule();
}

Work::Again Connection::run(CallWatch& watch) {
  watch_ = &watch;
  runs_in_.store(std::this_thread::get_id());
  std::size_t delivered = 0;
  if (together_)
    delivered = run_together();
  else
    run_in_a_row();
  runs_in_.store({});
  if (ended_.load()) {
    finish();
    on_finish_();
    return Again::idle;
  }
  if (settings_.gathers && delivered >= least_gathered && queue_.size() < most_in_a_call())
    return Again::later;
  const auto has_work = [this] { return !queue_.empty() && !held_.load(); };
  if (has_work()) return Again::ready;
  scheduled_.store(false);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return (has_work() || ended_.load()) && !scheduled_.exchange(true) ? Again::ready : Again::idle;
}

void Connection::run_in_a_row() {
  for (int i = 0; i < events_in_a_row && !ended_.load() && !held_.load(); ++i) {
    const EventRef next = take();
    if (!next) return;
    correlator_.offer(next, *this);
  }
}

// The filter has no groups and no timers, and has accepted each event before it came into the queue. Returns
// the number of events in the call.
std::size_t Connection::run_together() {
  std::array<EventRef, EventConsumer::most_together> events;
  const std::size_t most = most_in_a_call();
  std::size_t count = 0, bytes = 0;
  while (count < most && bytes < most_bytes_together && !ended_.load() && !held_.load()) {
    EventRef next = take();
    if (!next) break;
    bytes += next->bytes;
    events[count++] = std::move(next);
  }
  if (count > 0) call({events.data(), count}, events.front()->arrived_ns);
  return count;
}

void Connection::deliver(std::span<const EventRef> events) {
  std::int64_t arrived = 0;
  for (const EventRef& event : events) arrived = std::max(arrived, event->arrived_ns);
  call(events, arrived);
}

// `arrived_ns`: when the call could have begun.
void Connection::call(std::span<const EventRef> events, std::int64_t arrived_ns) {
  if (ended_.load()) return;  // by an earlier call for the same event
  const os::TimePoint begun = os::Clock::now();
  watch_->begin(begun);
  called_at_.store(number(begun), std::memory_order_relaxed);
  raise_to(longest_wait_, number(begun) - arrived_ns);
  try {
    consumer_->push(EventList(events));
  } catch (...) {
    count(failures_);
  }
  watch_->end();
  called_at_.store(0, std::memory_order_relaxed);
  const std::chrono::nanoseconds took = os::Clock::now() - begun;
  raise_to(longest_call_, std::int64_t{took.count()});
  if (took > slow_after_) count(slow_calls_);
  count(deliveries_);
}

void Connection::restart(std::uint32_t timer) {
  restarts_[timer].store(number(os::Clock::now()), std::memory_order_relaxed);
}

void Connection::end() {
  if (ended_.exchange(true)) return;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!scheduled_.exchange(true)) finish();
}

void Connection::finish() {
  discard_pending();
  correlator_.clear();
  pool_.unreserve(places());
  timers_.unreserve(expiries());
  level_.remove(number_);
  finished_.store(true);
}

void Connection::discard_pending() {
  while (take()) continue;
}

void Connection::end_stopped() {
  ended_.store(true);
  if (!finished_.load()) finish();
}

void Connection::wait_for_end() const {
  for (;;) {
    const std::thread::id running = runs_in_.load();
    if (running == std::thread::id() || running == std::this_thread::get_id()) return;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

ConnectionCounts Connection::counts() const {
  ConnectionCounts counts{.name = settings_.name, .level = settings_.level};
  counts.accepted = accepted_.load();
  counts.discarded = discarded_.load();
  counts.missed = missed_.load();
  counts.deliveries = deliveries_.load();
  counts.failures = failures_.load();
  counts.slow_calls = slow_calls_.load();
  counts.pending = queue_.size();
  counts.suspended = suspended_.load();
  counts.held = held_.load();
  if (const std::int64_t since = called_at_.load())
    counts.in_call = std::chrono::nanoseconds(number(os::Clock::now()) - since);
  counts.longest_call = std::chrono::nanoseconds(longest_call_.load());
  counts.longest_wait = std::chrono::nanoseconds(longest_wait_.load());
  return counts;
}

}  // namespace takt::rt_events
