#include "notification/channel/senders.h"

#include "notification/channel/channel.h"

namespace takt::notification {
namespace {

[[noreturn]] void throw_full() {
  throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                         "the channel has as many events as its MaxQueueLength, and RejectNewEvents is set: "
                         "send the event later");
}

}  // namespace

void PushedProxy::note(std::size_t events) {
  const std::lock_guard lock(mutex_);
  events_ += events;
  note_activity();
}

template <class Data>
void PushedProxy::push_one(const Data& data) {
  if (!channel().admits(1)) throw_full();
  note(1);
  channel().publish(data, *this);
}

void PushedProxy::push(const CORBA::Any& data) { push_one(data); }
void PushedProxy::push(const CosNotification::StructuredEvent& event) { push_one(event); }

void PushedProxy::push(const CosNotification::EventBatch& events) {
  if (!channel().admits(events.size())) throw_full();
  note(events.size());
  channel().publish(events, *this);
}

bool PullingProxy::attach_client(const ObjectRef& client) {
  if (form() == Form::structured)
    structured_ = IDL::traits<CosNotifyComm::StructuredPullSupplier>::unchecked_narrow(client);
  else if (form() == Form::sequence)
    sequence_ = IDL::traits<CosNotifyComm::SequencePullSupplier>::unchecked_narrow(client);
  else
    any_ = IDL::traits<CosEventComm::PullSupplier>::unchecked_narrow(client);
  return true;
}

bool PullingProxy::next_call() {
  batch_ = own_qos().maximum_batch_size;
  return !is_suspended();
}

std::size_t PullingProxy::pull_some() {
  bool has_event = false;
  if (form() == Form::structured) {
    CosNotification::EventBatch one{structured_->try_pull_structured_event(has_event)};
    if (has_event) pulled_ = std::move(one);
    return has_event ? 1 : 0;
  }
  if (form() == Form::sequence) {
    auto events = sequence_->try_pull_structured_events(batch_, has_event);
    const std::size_t count = has_event ? events.size() : 0;
    if (has_event) pulled_ = std::move(events);
    return count;
  }
  CORBA::Any data = any_->try_pull(has_event);
  if (has_event) pulled_ = std::move(data);
  return has_event ? 1 : 0;
}

bool PullingProxy::publish_pulled() {
  try {
    if (const auto* data = std::get_if<CORBA::Any>(&pulled_)) channel().publish(*data, *this);
    if (const auto* events = std::get_if<CosNotification::EventBatch>(&pulled_))
      channel().publish(*events, *this);
  } catch (const CORBA::PERSIST_STORE&) {
    return false;
  } catch (...) {  // as MARSHAL, for a value that cannot be encoded again: no later time helps
    pulled_ = {};
    throw;
  }
  pulled_ = {};
  return true;
}

Answer PullingProxy::call() {
  had_ = 0;
  if (!channel().has_room(1)) return Answer::done;  // asks later
  bool published = true;
  const Answer answer = events::answer_of([&] {
    published = publish_pulled();
    if (!published) return;
    had_ = pull_some();
    published = publish_pulled();
  });
  if (!published || answer != Answer::done) had_ = 0;
  return answer;
}

std::optional<Clock::time_point> PullingProxy::after_call(Answer answer, Clock::time_point now) {
  if (answer == Answer::done && had_ > 0) {
    events_ += had_;
    return {};
  }
  if (answer != Answer::done) ++failures_;
  return now + parts().limits.pull_period;
}

}  // namespace takt::notification
