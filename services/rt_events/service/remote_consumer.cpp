#include "rt_events/service/remote_consumer.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <takt/invocation/client_call.h>
#include <takt/invocation/local_target.h>
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

RemoteConsumer::RemoteConsumer(CORBA::ORB& orb, const ObjectRef& consumer, const ServiceLimits& limits,
                               bool is_gateway, std::function<void()> failed)
    : object_(alone(with_timeout(consumer, limits.push_timeout))),
      consumer_(IDL::traits<RtecEventComm::PushConsumer>::unchecked_narrow(object_)),
      thread_(IDL::traits<CORBA::PolicyCurrent>::narrow(orb.resolve_initial_references("PolicyCurrent"))),
      is_gateway_(is_gateway),
      is_local_(invocation::is_local(*object_)),
      single_events_(limits.single_events),
      failed_(std::move(failed)) {}

void RemoteConsumer::send(const EventList& events) const {
  using Push = RtecEventComm::PushConsumer::_operations::push;
  if (is_local_) {
    RtecEventComm::EventSet set;
    std::ranges::copy_if(events, std::back_inserter(set), [this](const auto& event) { return wants(event); });
    return consumer_->push(set);
  }
  const auto count = std::ranges::count_if(events, [this](const auto& event) { return wants(event); });
  invocation::ClientCall call(*consumer_, Push::name, {.response_expected = false, .has_arguments = true});
  do {
    cdr::Encoder& encoder = call.begin();
    encoder.put_count(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < events.size(); ++i)
      if (wants(events[i])) events.write(encoder, i);
  } while (call.exchange() == invocation::ClientCall::Outcome::again);
}

void RemoteConsumer::push(const EventList& events) {
  if (suspect_.load()) {
    lost_.fetch_add(events.size(), std::memory_order_relaxed);
    return;
  }
  if (std::ranges::none_of(events, [this](const auto& event) { return wants(event); })) return;
  const events::Answer answer = events::answer_of([&] {
    const WithoutWaiting scope(until_trusted_ > 0 ? thread_.get() : nullptr);
    send(events);
  });
  if (answer == events::Answer::done) {
    until_trusted_ -= std::min<std::uint64_t>(until_trusted_, events.size());
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
