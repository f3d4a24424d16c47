// A consumer in another process.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

#include <takt/corba.h>
#include <takt/reference/policy_manager.h>

#include "RtecEventCommC.h"
#include "events/delivery/task.h"
#include "events/delivery/with_timeout.h"
#include "rt_events/event_channel.h"
#include "rt_events/service/limits.h"

namespace takt::rt_events {

using events::Clock;
using ObjectRef = CORBA::object_reference<CORBA::Object>;

using events::with_timeout;

// Pushes events by oneway calls in the thread of the consumer's level, over a connection that no other
// consumer uses. Events that wait for the consumer leave in one call. push() waits at most for the timeout.
// At first, and after a failed call, the consumer is suspect: its events wait in its queue until answers() is
// called, so no thread of a level opens a connection. After a failure it does not wait for room in the
// connection, until events_of_trust have been sent. So a consumer that hangs keeps a thread for one timeout.
//
// push() is called in one thread at a time; the rest by any thread. Consumers share the encoding of each
// event. push() allocates only for events that are larger than those before, or if the consumer is in this
// process.
class RemoteConsumer final : public EventConsumer {
 public:
  static constexpr std::uint64_t events_of_trust = 1'000;

  // `failed` is called in push() after the first failed call; it must not block.
  // A gateway gets no events whose ttl is 0, because it would drop them. The limits need not outlive it.
  RemoteConsumer(CORBA::ORB& orb, const ObjectRef& consumer, const ServiceLimits& limits, bool is_gateway,
                 std::function<void()> failed);

  // The place in the channel, which holds events while the consumer is suspect; made with
  // EventSubscription::held. It must outlive all calls of push(), or detach() be called before.
  void attach(EventConnection& connection) { connection_.store(&connection); }
  // The place is about to end, maybe in a call of push().
  void detach() { connection_.store(nullptr); }

  void push(const EventList& events) override;
  // Not within the process, where a call costs little and the consumer may disconnect in it.
  bool takes_several() const override { return !is_local_ && !single_events_; }
  // The consumer can be reached again.
  void answers();
  // Calls through it use the connection of push().
  const ObjectRef& object() const { return object_; }
  bool is_suspect() const { return suspect_.load(); }
  std::uint64_t sent() const { return sent_.load(std::memory_order_relaxed); }
  // Events that could not be sent.
  std::uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

 private:
  // Whether the consumer gets the event.
  bool wants(const RtecEventComm::Event& event) const { return !is_gateway_ || event.header().ttl() > 0; }
  void send(const EventList& events) const;

  const ObjectRef object_;
  const CORBA::object_reference<RtecEventComm::PushConsumer> consumer_;
  const CORBA::object_reference<CORBA::PolicyCurrent> thread_;
  const bool is_gateway_, is_local_, single_events_;
  const std::function<void()> failed_;
  std::uint64_t until_trusted_ = 0;
  std::atomic<EventConnection*> connection_{nullptr};
  std::atomic<bool> suspect_{true};
  std::atomic<std::uint64_t> sent_{0}, lost_{0};
};

}  // namespace takt::rt_events
