#include "events/channel/proxies.h"

#include <utility>

#include "events/channel/channel.h"
#include "events/delivery/waiting_pull.h"

namespace takt::events {

Receiver::Receiver(ProxyId id, ProxyKind kind, std::shared_ptr<Channel> channel, Clock::time_point now)
    : Proxy(id, kind, std::move(channel), now),
      queue_(this->channel().queue_limit(), this->channel().settings().discard, parts().memory),
      share_(parts().shares, queue_.fullness(), [this](std::uint64_t bytes, std::uint64_t enough) {
        const std::lock_guard lock(mutex_);
        return queue_.shrink(bytes, enough);
      }) {}

void Receiver::add_to(ProxyState& state) const {
  state.pending = queue_.size();
  state.discarded = queue_.discarded();
}

void PushingProxy::offer(const EventPtr& event, Ready& ready) {
  const std::lock_guard lock(mutex_);
  if (!is_live()) return;
  queue_.add(event);
  if (must_schedule()) ready.add(shared_from_this());
}

bool PushingProxy::attach(const ObjectRef& client) {
  consumer_ = IDL::traits<CosEventComm::PushConsumer>::unchecked_narrow(client);
  return false;
}

bool PushingProxy::next_job() {
  queue_.take(calls_.most(), parts().limits.bytes_together, current_);
  return !current_.empty();
}

Answer PushingProxy::carry_out() {
  return calls_.make<CosEventComm::PushConsumer::_operations::push>(
      *consumer_, current_.size(), [this](std::size_t i) -> const auto& { return current_[i]->arguments(); },
      [this] { current_.front()->push_to(consumer_); });
}

std::optional<Clock::time_point> PushingProxy::after(Answer, Clock::time_point) {
  // The last first, so that those put back keep their order.
  for (std::size_t i = current_.size(); i-- > 0;) {
    const Answer answer = calls_.answer_to(i);
    if (answer == Answer::done)
      ++events_;
    else if (answer != Answer::not_reached && answer != Answer::again)
      ++failures_;
    else if (is_live())
      queue_.put_back(std::move(current_[i]));
  }
  current_.clear();
  return {};
}

void PulledProxy::offer(const EventPtr& event, Ready&) {
  const std::lock_guard lock(mutex_);
  if (!is_live()) return;
  queue_.add(event);
  arrived_.notify_one();
}

void PulledProxy::replace() {
  ++connection_;
  arrived_.notify_all();
}

void PulledProxy::stop() {
  Receiver::stop();
  arrived_.notify_all();
}

EventPtr PulledProxy::take() {
  if (parts().stopping)
    throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO,
                           "the event service ends: pull again when it has restarted");
  if (!is_live()) throw CosEventComm::Disconnected();
  note_activity();
  EventPtr event = queue_.take();
  if (event) ++events_;
  return event;
}

EventPtr PulledProxy::try_pull() {
  const std::lock_guard lock(mutex_);
  return take();
}

EventPtr PulledProxy::pull() {
  std::unique_lock lock(mutex_);
  EventPtr event = take();
  if (event) return event;
  const WaitingPull waiting(parts().waiting_pulls, parts().limits.waiting_pulls,
                            "too many calls of pull() wait for events: call try_pull()");
  const auto end = Clock::now() + parts().limits.pull_patience;
  const auto connection = connection_;
  while (!event) {
    if (arrived_.wait_until(lock, end) == std::cv_status::timeout && queue_.empty())
      throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "there has been no event yet: pull again");
    // The earlier client may be gone: an event that this call took would be lost.
    if (connection_ != connection)
      throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "the consumer has connected again: pull again");
    event = take();
  }
  return event;
}

void PushedProxy::push(const CORBA::Any& data) {
  {
    const std::lock_guard lock(mutex_);
    ++events_;
    note_activity();
  }
  channel().publish(data);
}

bool PullingProxy::attach(const ObjectRef& client) {
  supplier_ = IDL::traits<CosEventComm::PullSupplier>::unchecked_narrow(client);
  return true;
}

Answer PullingProxy::carry_out() {
  had_event_ = false;
  CORBA::Any data;
  return answer_of([&] {
    data = supplier_->try_pull(had_event_);
    if (had_event_) channel().publish(data);
  });
}

std::optional<Clock::time_point> PullingProxy::after(Answer answer, Clock::time_point now) {
  if (answer == Answer::done && had_event_) {
    ++events_;
    return {};
  }
  if (answer != Answer::done) ++failures_;
  return now + channel().settings().pull_period;
}

std::shared_ptr<Proxy> make_proxy(ProxyId id, ProxyKind kind, std::shared_ptr<Channel> channel,
                                  Clock::time_point now) {
  switch (kind) {
    case ProxyKind::push_consumer:
      return std::make_shared<PushedProxy>(id, std::move(channel), now);
    case ProxyKind::pull_consumer:
      return std::make_shared<PullingProxy>(id, std::move(channel), now);
    case ProxyKind::push_supplier:
      return std::make_shared<PushingProxy>(id, std::move(channel), now);
    case ProxyKind::pull_supplier:
      return std::make_shared<PulledProxy>(id, std::move(channel), now);
  }
  return nullptr;
}

}  // namespace takt::events
