// A channel that passes events from suppliers to consumers by priority.
//
//   auto channel = takt::EventChannel::start(orb, {.levels = {{"urgent", 20'000}, {"ordinary", 5'000}}});
//   auto connection = (*channel)->connect(consumer, {.filter = filters::event(20), .level = 0});
//   (*channel)->push(event);
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <takt/orb/orb.h>
#include <takt/rt/schedule.h>

#include "RtecEventCommC.h"
#include "rt_events/channel/connection.h"
#include "rt_events/channel/event_consumer.h"
#include "rt_events/model/filters.h"

namespace takt {

struct EventLevel {
  std::string name = {};
  // The RT-CORBA priority of its threads, which their calls carry too. -1: as the system starts threads.
  std::int16_t priority = -1;
};

// It is large because each limit is a member.
struct EventChannelOptions {
  // The most urgent first. Empty: one for each priority in `schedule`, or else one without a priority.
  std::vector<EventLevel> levels = {};
  // The operations by which consumers may choose their levels.
  std::vector<rt::ScheduledOperation> schedule = {};

  std::size_t consumers = 1024;            // most consumers of a level
  std::size_t queued_events = 64;          // for each consumer, unless its subscription has another number
  std::size_t max_queued_events = 65'536;  // the largest such number
  // For the payloads and values that wait for one consumer, about. An event that is larger passes alone.
  std::size_t queued_bytes = std::size_t{4} << 20;
  std::size_t event_bytes = std::size_t{16} << 20;  // larger payloads and values are refused
  // Pushes at once for whose events memory is reserved.
  std::size_t suppliers = 16;
  std::size_t payload_bytes = 256;  // memory that each event has from the start; longer payloads allocate
  bool encodes = false;             // events have memory for their encodings, too, for remote consumers
  // The largest ttl that an event of another channel keeps. Channels that pass events on to each other in a
  // circle repeat an event that often, whatever its supplier has set.
  std::int32_t most_hops = 4;
  // A thread whose call to a consumer takes longer is replaced, up to this number of threads for a level.
  std::chrono::nanoseconds slow_after = std::chrono::milliseconds(20);
  unsigned max_threads = 32;
  // Consumers that take several events in a call, as remote ones do, get them together after this pause while
  // they come fast: after each call with at least 8 events. It may be doubled. Fewer calls need less
  // processor time, but no deadline of such a consumer includes the pause. 0: events are not gathered.
  std::chrono::nanoseconds gather{0};
  // How often the timers of all subscriptions together may expire in a second. One thread with the most
  // urgent priority fires them.
  std::uint64_t timer_expiries = 50'000;
  rt_events::FilterLimits filters = {};
};

struct EventSubscription {
  rt_events::filters::Entries filter = {};
  std::size_t level = 0;          // index in EventChannelOptions::levels
  std::string operation = {};     // in the schedule, in place of `level`
  std::string name = {};          // in counts
  std::size_t queued_events = 0;  // 0: the channel's number
  rt_events::Discard discard = rt_events::Discard::oldest;
  bool held = false;  // until EventConnection::release()
};

struct EventChannelCounts {
  std::uint64_t pushed = 0;            // events from suppliers
  std::uint64_t without_consumer = 0;  // pushed events that no filter accepted
  // Because there were EventPool::most_events, there was no memory, or they were larger than
  // EventChannelOptions::event_bytes.
  std::uint64_t refused = 0;
  std::size_t events = 0;  // that are held now
  std::uint64_t threads_replaced = 0;
  std::vector<rt_events::ConnectionCounts> consumers;  // the most pending events first
};

// A consumer's place in a channel. It keeps the consumer, and what it needs of the channel. Any thread.
class EventConnection {
 public:
  virtual ~EventConnection() = default;  // disconnects

  // Events that are pushed while it is suspended are not kept; those that are pending are delivered.
  virtual void suspend() = 0;
  virtual void resume() = 0;
  // The consumer is not called after its present call, and events wait in its queue. Lock-free; the consumer
  // may call it.
  virtual void hold() = 0;
  virtual void release() = 0;
  // Discards pending events. Waits for a running call, unless it is called in it; later there is no call. Two
  // consumers that disconnect each other in their calls at the same time wait forever.
  virtual void disconnect() = 0;
  virtual rt_events::ConnectionCounts counts() const = 0;
};

// Any thread, unless stated otherwise. push() takes no lock, never waits, and allocates only for payloads
// that are longer than EventChannelOptions::payload_bytes. Each consumer has a bounded queue; each level has
// a thread that calls its consumers in turn. Events that one thread pushes reach a consumer in their order.
class EventChannel {
 public:
  // Fails if a priority may not be used, if priorities of two levels map to the same one of the system
  // (-ORBPriorityMapping), or if a number is out of range; the text says what to do. The ORB must outlive the
  // channel.
  static std::expected<std::unique_ptr<EventChannel>, std::string> start(
      CORBA::object_reference<CORBA::ORB> orb, EventChannelOptions options = {});
  // As stop().
  ~EventChannel();
  EventChannel(const EventChannel&) = delete;
  EventChannel& operator=(const EventChannel&) = delete;

  // The consumer gets events that are pushed from now on. Fails for a filter with a fault, an unknown level,
  // and beyond the limits. Allocates, and waits for pushes under way, but not for consumers.
  std::expected<std::unique_ptr<EventConnection>, std::string> connect(
      std::shared_ptr<EventConsumer> consumer, const EventSubscription& subscription);
  // Copies the events to all consumers whose filters accept them, and sets ec_recv_time and ec_send_time in
  // the copies.
  void push(std::span<const RtecEventComm::Event> events);
  void push(const RtecEventComm::Event& event) { push(std::span(&event, 1)); }
  // Pushes events that come from another channel: those whose ttl is 0 or less are dropped, and their number
  // is returned; the others lose 1 of it, and keep most_hops or EventChannelOptions::most_hops at most.
  std::size_t forward(std::span<const RtecEventComm::Event> events,
                      std::int32_t most_hops = std::numeric_limits<std::int32_t>::max());

  // The levels in use, by their index. Valid as long as the channel.
  std::span<const EventLevel> levels() const;
  EventChannelCounts counts() const;
  // Waits for running calls of consumers, and disconnects all. Allocates nothing. Not in a call of a
  // consumer.
  void stop();

 private:
  class Parts;
  class Handle;
  explicit EventChannel(std::shared_ptr<Parts> parts) : parts_(std::move(parts)) {}

  const std::shared_ptr<Parts> parts_;
};

}  // namespace takt
