#include "rt_events/service/remote_consumer.h"

#include <utility>

#include <takt/reference/messaging.h>
#include <takt/rt/rtcorba.h>

#include "events/delivery/answer.h"

namespace takt::rt_events {
namespace {

// Calls of this thread do not wait for room in their connections.
class WithoutWaiting {
 public:
  explicit WithoutWaiting(CORBA::PolicyCurrent* thread) : thread_(thread) {
    if (thread_)
      thread_->set_policy_overrides(
          {IDL::traits<Messaging::SyncScopePolicy>::make_reference(Messaging::SYNC_NONE)},
          CORBA::SetOverrideType::SET_OVERRIDE);
  }
  ~WithoutWaiting() {
    if (thread_) thread_->set_policy_overrides({}, CORBA::SetOverrideType::SET_OVERRIDE);
  }
  WithoutWaiting(const WithoutWaiting&) = delete;
  WithoutWaiting& operator=(const WithoutWaiting&) = delete;

 private:
  CORBA::PolicyCurrent* const thread_;  // null: they wait
};

ObjectRef alone(const ObjectRef& client) {
  return client->_set_policy_overrides({IDL::traits<RTCORBA::PrivateConnectionPolicy>::make_reference()},
                                       CORBA::SetOverrideType::ADD_OVERRIDE);
}

}  // namespace

RemoteConsumer::RemoteConsumer(CORBA::ORB& orb, const ObjectRef& consumer, std::chrono::milliseconds timeout,
                               bool is_gateway, std::function<void()> failed)
    : object_(alone(with_timeout(consumer, timeout))),
      consumer_(IDL::traits<RtecEventComm::PushConsumer>::unchecked_narrow(object_)),
      thread_(IDL::traits<CORBA::PolicyCurrent>::narrow(orb.resolve_initial_references("PolicyCurrent"))),
      is_gateway_(is_gateway),
      failed_(std::move(failed)) {}

void RemoteConsumer::copy(const EventList& events) {
  set_.resize(events.size());
  std::size_t count = 0;
  for (const RtecEventComm::Event& event : events) {
    if (is_gateway_ && event.header().ttl() <= 0) continue;
    set_[count] = event;
    EventPayload& payload = set_[count++].data().payload();
    if (payload.capacity() > EventPool::kept_payload_bytes && payload.size() <= EventPool::kept_payload_bytes)
      payload.shrink_to_fit();
  }
  set_.resize(count);
}

void RemoteConsumer::push(const EventList& events) {
  if (suspect_.load()) {
    lost_.fetch_add(events.size(), std::memory_order_relaxed);
    return;
  }
  copy(events);
  if (set_.empty()) return;
  const events::Answer answer = events::answer_of([&] {
    const WithoutWaiting scope(until_trusted_ > 0 ? thread_.get() : nullptr);
    consumer_->push(set_);
  });
  if (answer == events::Answer::done) {
    if (until_trusted_ > 0) --until_trusted_;
    sent_.fetch_add(events.size(), std::memory_order_relaxed);
    return;
  }
  lost_.fetch_add(events.size(), std::memory_order_relaxed);
  if (answer == events::Answer::exception) return;
  until_trusted_ = events_of_trust;
  suspect_.store(true);
  if (EventConnection* const connection = connection_.load()) connection->hold();
  failed_();
}

void RemoteConsumer::answers() {
  suspect_.store(false);
  if (EventConnection* const connection = connection_.load()) connection->release();
}

}  // namespace takt::rt_events
