// The four kinds of proxies.
#pragma once

#include <condition_variable>
#include <optional>
#include <vector>

#include "events/channel/proxy.h"
#include "events/delivery/call_batch.h"
#include "events/model/event_queue.h"

namespace takt::events {

// A proxy that receives the channel's events.
class Receiver : public Proxy {
 public:
  Receiver(ProxyId id, ProxyKind kind, std::shared_ptr<Channel> channel, Clock::time_point now);
  // Appends the event to the queue if a client is connected. Appends itself to `ready` if it must run. Waits
  // for nothing but the queue's lock.
  virtual void offer(const EventPtr& event, Ready& ready) = 0;

 protected:
  void add_to(ProxyState& state) const override;
  void stop() override { queue_.clear(); }
  EventQueue queue_;

 private:
  MemoryShares::Share share_;
};

// The ProxyPushSupplier: calls push() of its consumer for one event after the other, and sends several calls
// together if the consumer is prompt. An event that the consumer has not begun to take is sent again, unless
// it has taken a later one; one that it may have taken is not.
class PushingProxy final : public Receiver {
 public:
  PushingProxy(ProxyId id, std::shared_ptr<Channel> channel, Clock::time_point now)
      : Receiver(id, ProxyKind::push_supplier, std::move(channel), now), calls_(parts().limits) {}
  void offer(const EventPtr& event, Ready& ready) override;

 private:
  bool attach(const ObjectRef& client) override;
  bool next_job() override;
  Answer carry_out() override;
  std::size_t calls_made() const override { return calls_.made(); }
  std::optional<Clock::time_point> after(Answer answer, Clock::time_point now) override;
  void add_to(ProxyState& state) const override {
    Receiver::add_to(state);
    if (!current_.empty()) state.pending += current_.size() - 1;
  }

  CORBA::object_reference<CosEventComm::PushConsumer> consumer_;
  CallBatch calls_;
  std::vector<EventPtr> current_;  // the events of the calls that are under way
};

// The ProxyPullSupplier: keeps events until its consumer pulls them.
class PulledProxy final : public Receiver {
 public:
  PulledProxy(ProxyId id, std::shared_ptr<Channel> channel, Clock::time_point now)
      : Receiver(id, ProxyKind::pull_supplier, std::move(channel), now) {}
  void offer(const EventPtr& event, Ready& ready) override;
  // The next event; null if there is none. Throws Disconnected if no client is connected.
  EventPtr try_pull();
  // Waits for an event, up to Limits::pull_patience, or until a client connects again; then throws TRANSIENT.
  EventPtr pull();

 private:
  void replace() override;
  void stop() override;
  EventPtr take();

  std::condition_variable arrived_;
  std::uint64_t connection_ = 0;  // how often a client took the place of the one before
};

// The ProxyPushConsumer: receives the events of a supplier that pushes.
class PushedProxy final : public Proxy {
 public:
  PushedProxy(ProxyId id, std::shared_ptr<Channel> channel, Clock::time_point now)
      : Proxy(id, ProxyKind::push_consumer, std::move(channel), now) {}
  void push(const CORBA::Any& data);
};

// The ProxyPullConsumer: asks a supplier for events: again at once if it had one, otherwise after the
// channel's pull period.
class PullingProxy final : public Proxy {
 public:
  PullingProxy(ProxyId id, std::shared_ptr<Channel> channel, Clock::time_point now)
      : Proxy(id, ProxyKind::pull_consumer, std::move(channel), now) {}

 private:
  bool attach(const ObjectRef& client) override;
  bool next_job() override { return true; }
  Answer carry_out() override;
  std::optional<Clock::time_point> after(Answer answer, Clock::time_point now) override;

  CORBA::object_reference<CosEventComm::PullSupplier> supplier_;
  bool had_event_ = false;  // at the last question
};

std::shared_ptr<Proxy> make_proxy(ProxyId id, ProxyKind kind, std::shared_ptr<Channel> channel,
                                  Clock::time_point now);

}  // namespace takt::events
