// The proxies that receive a channel's events, for consumers that are pushed to and that pull.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "events/delivery/call_batch.h"
#include "notification/channel/proxy.h"
#include "notification_parts/model/event_queue.h"

namespace takt::notification {

// An event that a channel offers to its receivers.
struct Arrival {
  const EventPtr& event;
  Candidate& candidate;
  // Values of the supplier's proxy, for events that have none.
  std::int16_t priority = 0;
  Units timeout = 0;
  Moment at;
};

// The mapping filters of an administrator or a proxy. Thread-safe.
class MappingFilters {
 public:
  MappingFilterPtr priority() const { return get(priority_); }
  MappingFilterPtr lifetime() const { return get(lifetime_); }
  void set_priority(MappingFilterPtr filter) { set(priority_, std::move(filter)); }
  void set_lifetime(MappingFilterPtr filter) { set(lifetime_, std::move(filter)); }

 private:
  MappingFilterPtr get(const MappingFilterPtr& filter) const {
    const std::lock_guard lock(mutex_);
    return filter;
  }
  void set(MappingFilterPtr& to, MappingFilterPtr filter) {
    const std::lock_guard lock(mutex_);
    to = std::move(filter);
  }

  mutable std::mutex mutex_;
  MappingFilterPtr priority_, lifetime_;
};

class Receiver : public Proxy {
 public:
  Receiver(ObjectId id, std::int32_t number, ProxyKind kind, Form form, std::shared_ptr<Admin> admin);
  // The event's place in the queue, if a client is connected that wants it. Waits for nothing but locks;
  // evaluates the proxy's filters in a bounded number of steps.
  std::optional<Placement> choose(const Arrival& arrival);
  // Appends the event to the queue if the client is still connected. Appends itself to `ready` if it must
  // run.
  void put(const EventPtr& event, const Placement& placement, Clock::time_point now, Ready& ready);
  // How much the queue has to give up. Any thread.
  const events::Fullness& fullness() const { return queue_.fullness(); }
  // Gives up events while there is more than one and `too_many` says yes. Returns whether it gave one up.
  template <class TooMany>
  bool shrink_while(const TooMany& too_many) {
    const std::lock_guard lock(mutex_);
    bool shrunk = false;
    while (too_many(queue_.fullness()) && queue_.shrink()) shrunk = true;
    return shrunk;
  }

  void drop_expired(Clock::time_point now) override;

  MappingFilters mapping;

 protected:
  void add_to(ProxyState& state) const override;
  void qos_changed() override { queue_.set(own_qos().queue(parts().limits)); }
  void stop() override {
    Proxy::stop();
    queue_.clear();
  }
  // The consumer needs the event no longer: the store may forget it.
  void settle(const Queued& event);
  void settle(const std::vector<Queued>& events);
  // The same for an event that the consumer does not get, unless the service ends.
  void give_up_event(const Queued& event);
  // The queue has got an event. Under the lock; returns whether the proxy must run.
  virtual bool arrived() = 0;

  EventQueue queue_;

 private:
  Placement placement_of(const Arrival& arrival, const Qos& qos) const;

  events::MemoryShares::Share share_;
};

// Calls the push operation of its consumer, for one event or batch after the other; several calls with an
// event leave together if the consumer is prompt. An event that the consumer has not begun to take is sent
// again, unless it has taken a later one; one that it may have taken is sent again only if the store has it.
// After a batch that may not have arrived, the next have half as many events.
class PushingProxy final : public Receiver {
 public:
  PushingProxy(ObjectId id, std::int32_t number, Form form, std::shared_ptr<Admin> admin)
      : Receiver(id, number, ProxyKind::push_supplier, form, std::move(admin)),
        calls_(parts().limits),
        most_together_(parts().limits.batch) {}

 private:
  bool arrived() override { return must_schedule(); }
  bool attach_client(const ObjectRef& client) override;
  bool next_call() override;
  Answer call() override;
  std::size_t calls_together() const override { return form() == Form::sequence ? 1 : calls_.made(); }
  std::optional<Clock::time_point> after_call(Answer answer, Clock::time_point now) override;
  // Pushes current_ to a consumer of sequences. Throws what the call throws. False if the events are much
  // longer than they seemed: then nothing was sent.
  bool push_sequence() const;
  // Whether the next batch waits for more events.
  bool awaits_more(std::size_t most, Clock::time_point now);
  // Half as many events go together after a batch that may not have arrived; more are tried again after ever
  // more batches.
  void adapt_batch(Answer answer, std::size_t size);
  // How many of the events may be sent by calls together.
  std::size_t sendable() const;
  // Makes the proxy run then; some time before, at the latest after a second.
  void run_at(Clock::time_point time, Clock::time_point now);

  CORBA::object_reference<CosEventComm::PushConsumer> any_;
  CORBA::object_reference<CosNotifyComm::StructuredPushConsumer> structured_;
  CORBA::object_reference<CosNotifyComm::SequencePushConsumer> sequence_;
  events::CallBatch calls_;
  std::size_t most_together_;                   // events of a batch, besides MaximumBatchSize
  std::uint32_t pause_ = 0, pauses_ = 0;        // batches until more are tried: all, left
  std::vector<Queued> current_;                 // the events of the calls that are under way
  std::optional<Clock::time_point> batch_due_;  // when the waiting events are sent though they fill no batch
  Clock::time_point alarm_ = Clock::time_point::min();  // when the proxy is made ready
};

// Keeps events until its consumer pulls them. The next pull says that the consumer has got the last ones; a
// consumer that connects again instead gets them again, if the store has them.
class PulledProxy final : public Receiver {
 public:
  PulledProxy(ObjectId id, std::int32_t number, Form form, std::shared_ptr<Admin> admin)
      : Receiver(id, number, ProxyKind::pull_supplier, form, std::move(admin)) {}
  // The next events, at most that many. Throws Disconnected if no client is connected.
  std::vector<EventPtr> try_pull(std::size_t most);
  // Waits for an event, up to Limits::pull_patience, or until a client connects again; then throws TRANSIENT.
  std::vector<EventPtr> pull(std::size_t most);

 private:
  bool arrived() override {
    arrived_.notify_one();
    return false;
  }
  void replace() override;
  void stop() override {
    Receiver::stop();
    for (const Queued& each : std::exchange(handed_out_, {})) give_up_event(each);
    arrived_.notify_all();
  }
  std::vector<EventPtr> take(std::size_t most, Clock::time_point now);

  std::condition_variable arrived_;
  std::uint64_t connection_ = 0;    // how often a client took the place of the one before
  std::vector<Queued> handed_out_;  // at the last pull, and in the store
};

}  // namespace takt::notification
