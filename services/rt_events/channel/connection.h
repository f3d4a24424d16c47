// A connected consumer: its queue, and how it is called.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rt_events/channel/event_consumer.h"
#include "rt_events/dispatch/level.h"
#include "rt_events/dispatch/timers.h"
#include "rt_events/model/correlator.h"

namespace takt::rt_events {

// Which event a full queue gives up.
enum class Discard : std::uint8_t { oldest, newest };

struct ConnectionSettings {
  std::string name;
  Filter filter;
  std::size_t queued_events = 1;
  std::size_t queued_bytes = 0;  // limit for the events in the queue together; one may be larger
  Discard discard = Discard::oldest;
  std::size_t level = 0;
  bool held = false;  // from the start
  // Whether events are gathered, for the pause of the level, while they come fast: after each call with
  // least_gathered of them.
  bool gathers = false;
};

// Counts since the connection. They are read one after the other, so they may not match exactly.
struct ConnectionCounts {
  std::string name;
  std::size_t level = 0;
  std::uint64_t accepted = 0;    // events that were put into the queue, including those discarded later
  std::uint64_t discarded = 0;   // events that the full queue has given up
  std::uint64_t missed = 0;      // events while the consumer was suspended
  std::uint64_t deliveries = 0;  // calls of the consumer
  std::uint64_t failures = 0;    // calls that raised an exception
  std::uint64_t slow_calls = 0;  // calls that took longer than Options::slow_after
  std::size_t pending = 0;       // events in the queue
  bool suspended = false, held = false;
  std::chrono::nanoseconds in_call{};       // duration of the present call; 0: the consumer is not called now
  std::chrono::nanoseconds longest_call{};  // among the calls that have ended
  std::chrono::nanoseconds longest_wait{};  // from the supplier's push to the start of the call
};

// offer() is lock-free and allocates nothing. Any thread, unless stated otherwise.
// It is large because its counts are members.
class Connection final : public Work, private CorrelatorSink {
 public:
  // The parts of the channel, which must outlive it.
  struct Delivery {
    EventPool& pool;
    Level& level;
    Timers& timers;
    std::chrono::nanoseconds slow_after;  // a longer call of the consumer counts as slow
  };
  // `finished` is called in the thread of the level, and must not throw, if that thread has finished the
  // connection. Otherwise the thread that has called end() has.
  Connection(ConnectionSettings settings, std::shared_ptr<EventConsumer> consumer, const Delivery& delivery,
             std::function<void()> finished);
  ~Connection() override;

  // Reserves events, a place in its level, and the expiries of its timers. The error says of what there are
  // too many.
  std::expected<void, std::string> reserve();
  // The timers of the filter, whose events come into the queue. Call once, after reserve().
  std::vector<std::unique_ptr<Timer>> make_timers(os::TimePoint now);

  const ConnectionSettings& settings() const { return settings_; }
  // Puts the event into the queue. The filter accepts it.
  void offer(const EventRef& event);
  void suspend() { suspended_.store(true, std::memory_order_relaxed); }
  void resume() { suspended_.store(false, std::memory_order_relaxed); }
  void hold() { held_.store(true); }
  void release();

  // Discards what is pending. The consumer gets no more calls, but one may be running. No thread may be in
  // offer(), or call it later.
  void end();
  // After end(): waits for a running call, unless this thread is in it.
  void wait_for_end() const;
  bool has_ended() const { return ended_.load(); }
  // No thread uses it any more.
  bool is_finished() const { return finished_.load(); }
  // Ends it after its level has stopped.
  void end_stopped();

  ConnectionCounts counts() const;

 private:
  class ConsumerTimer;
  static constexpr std::size_t least_gathered = 8;
  static constexpr int events_in_a_row = 16;  // then the other consumers of the level have a turn

  Again run(CallWatch& watch) override;
  void run_in_a_row();
  std::size_t run_together();
  void deliver(std::span<const EventRef> events) override;
  void call(std::span<const EventRef> events, std::int64_t arrived_ns);
  void restart(std::uint32_t timer) override;
  void enqueue(const EventRef& event);
  void schedule();
  void finish();
  EventRef take();
  bool make_room(const EventRef& event);
  void discard_pending();
  std::size_t places() const;
  std::uint64_t expiries() const;  // how often its timers expire in a second, rounded up
  // Events in one call.
  std::size_t most_in_a_call() const {
    return together_ ? std::min(EventConsumer::most_together, queue_.capacity()) : 1;
  }

  const ConnectionSettings settings_;
  const std::shared_ptr<EventConsumer> consumer_;
  EventPool& pool_;
  Level& level_;
  Timers& timers_;
  const std::chrono::nanoseconds slow_after_;
  const std::function<void()> on_finish_;
  const bool together_;  // it takes several events in a call
  Ring queue_;
  std::atomic<std::size_t> queued_bytes_{0};
  Correlator correlator_;
  std::vector<std::atomic<std::int64_t>> restarts_;  // for each timer, when its period began
  std::uint32_t number_ = 0;                         // in its level

  // Set while the work is ready or runs. The thread that sets it owns the correlator.
  std::atomic<bool> scheduled_{false};
  std::atomic<bool> suspended_{false}, held_{false}, ended_{false}, finished_{false};
  std::atomic<std::thread::id> runs_in_{};
  CallWatch* watch_ = nullptr;  // belongs to the running thread

  std::atomic<std::uint64_t> accepted_{0}, discarded_{0}, missed_{0}, deliveries_{0}, failures_{0},
      slow_calls_{0};
  std::atomic<std::int64_t> called_at_{0}, longest_call_{0}, longest_wait_{0};
};

}  // namespace takt::rt_events
