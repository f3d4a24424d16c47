#include "notification/channel/proxy.h"

#include <utility>

#include "CosNotifyCommC.h"
#include "events/delivery/farewell.h"
#include "notification/channel/admin.h"
#include "notification/channel/channel.h"

namespace takt::notification {
namespace {

template <class Interface>
CORBA::object_reference<Interface> as(const ObjectRef& client) {
  return IDL::traits<Interface>::unchecked_narrow(client);
}

}  // namespace

Proxy::Proxy(ObjectId id, std::int32_t number, ProxyKind kind, Form form, std::shared_ptr<Admin> admin)
    : Object(id),
      ClientLink(admin->channel().parts().limits, admin->channel().parts().dispatcher, Clock::now()),
      filters(admin->channel().parts().limits),
      number_(number),
      kind_(kind),
      form_(form),
      admin_(std::move(admin)),
      qos_(admin_->qos()),
      types_(admin_->subscription()),
      wants_updates_(form != Form::cos_event),
      news_(parts().untold) {}

Channel& Proxy::channel() const { return admin_->channel(); }
Parts& Proxy::parts() const { return channel().parts(); }
void Proxy::give_up() { parts().keeper.end(*this, EndReason::dead); }

Qos Proxy::qos() const {
  const std::lock_guard lock(mutex_);
  return qos_;
}

void Proxy::set(const Qos& qos) {
  {
    const std::lock_guard lock(mutex_);
    qos_ = qos;
    qos_changed();
  }
  wake();  // a smaller batch may be due
}

Subscription Proxy::subscription() const {
  const std::lock_guard lock(mutex_);
  return types_;
}

bool Proxy::wants_updates() const {
  const std::lock_guard lock(mutex_);
  return wants_updates_;
}

bool Proxy::is_suspended_now() const {
  const std::lock_guard lock(mutex_);
  return suspended_;
}

void Proxy::restore(const Subscription& types, bool suspended, bool wants_updates) {
  const std::lock_guard lock(mutex_);
  types_ = types;
  suspended_ = suspended;
  wants_updates_ = wants_updates;
}

std::chrono::milliseconds Proxy::patience() const {
  return stored ? parts().limits.give_up_persistent_after : parts().limits.give_up_after;
}

std::set<TypeName> Proxy::types() const {
  const std::lock_guard lock(mutex_);
  return types_.types();
}

Subscription::Change Proxy::change_types(const std::set<TypeName>& added, const std::set<TypeName>& removed) {
  const std::lock_guard lock(mutex_);
  return types_.change(added, removed);
}

void Proxy::want_updates(bool wants) {
  const std::lock_guard lock(mutex_);
  wants_updates_ = wants && form_ != Form::cos_event;
  news_.clear();
}

void Proxy::update(const ChangePtr& change, Ready& ready) {
  const std::lock_guard lock(mutex_);
  if (!wants_updates_ || !is_live() || !client_) return;
  // Clients that have been told everything so far get more room than those that may hang.
  const Limits& limits = parts().limits;
  const std::uint64_t room = news_.empty() ? 2 * limits.untold_bytes : limits.untold_bytes;
  news_.add(change);
  if (news_.size() > limits.untold_types || parts().untold.used_bytes() > room) return end_updates();
  if (must_schedule()) ready.add(shared_from_this());
}

void Proxy::end_updates() {
  wants_updates_ = false;
  news_.clear();
}

Switched Proxy::suspend() {
  const std::lock_guard lock(mutex_);
  if (!is_live()) return Switched::not_connected;
  return std::exchange(suspended_, true) ? Switched::already : Switched::done;
}

Switched Proxy::resume() {
  {
    const std::lock_guard lock(mutex_);
    if (!is_live()) return Switched::not_connected;
    if (!std::exchange(suspended_, false)) return Switched::already;
  }
  wake();
  return Switched::done;
}

void Proxy::note_filtered() {
  const std::lock_guard lock(mutex_);
  ++filtered_;
}

bool Proxy::attach(const ObjectRef& client) {
  client_ = client;
  return attach_client(client);
}

bool Proxy::next_job() {
  told_ = wants_updates_ ? news_.take() : nullptr;
  return told_ || next_call();
}

Answer Proxy::carry_out() {
  if (!told_) return call();
  return events::answer_of([&] {
    const auto added = types_of((**told_).added), removed = types_of((**told_).removed);
    if (is_receiver())
      as<CosNotifyComm::NotifyPublish>(client_)->offer_change(added, removed);
    else
      as<CosNotifyComm::NotifySubscribe>(client_)->subscription_change(added, removed);
  });
}

std::optional<Clock::time_point> Proxy::after(Answer answer, Clock::time_point now) {
  if (!told_) return after_call(answer, now);
  if (answer == Answer::exception) wants_updates_ = false;
  if (answer == Answer::not_reached && is_live()) news_.put_back(told_);
  told_ = nullptr;
  const bool too_much = parts().untold.used_bytes() > parts().limits.untold_bytes;
  if (!news_.empty() && too_much) end_updates();
  return {};
}

ProxyState Proxy::counts() const {
  ProxyState state;
  state.kind = kind_;
  state.form = form_;
  state.admin = admin_->number();
  state.number = number_;
  state.stored = stored;
  const std::lock_guard lock(mutex_);
  state.connected = is_live();
  state.suspended = suspended_;
  state.suspect = is_suspect();
  state.events = events_;
  state.filtered = filtered_;
  state.failures = failures_;
  add_to(state);
  return state;
}

ProxyState Proxy::look() const {
  ProxyState state = counts();
  if (const ObjectRef client = given_client()) state.client = parts().orb.object_to_string(client);
  return state;
}

void disconnect(const ObjectRef& client, ProxyKind kind, Form form) {
  using namespace CosNotifyComm;
  const bool structured = form == Form::structured;
  if (!structured && form != Form::sequence) return events::disconnect(client, kind);
  switch (kind) {
    case ProxyKind::push_consumer:
      if (structured) return as<StructuredPushSupplier>(client)->disconnect_structured_push_supplier();
      return as<SequencePushSupplier>(client)->disconnect_sequence_push_supplier();
    case ProxyKind::pull_consumer:
      if (structured) return as<StructuredPullSupplier>(client)->disconnect_structured_pull_supplier();
      return as<SequencePullSupplier>(client)->disconnect_sequence_pull_supplier();
    case ProxyKind::push_supplier:
      if (structured) return as<StructuredPushConsumer>(client)->disconnect_structured_push_consumer();
      return as<SequencePushConsumer>(client)->disconnect_sequence_push_consumer();
    case ProxyKind::pull_supplier:
      if (structured) return as<StructuredPullConsumer>(client)->disconnect_structured_pull_consumer();
      return as<SequencePullConsumer>(client)->disconnect_sequence_pull_consumer();
  }
}

}  // namespace takt::notification
