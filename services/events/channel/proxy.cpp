#include "events/channel/proxy.h"

#include <utility>

#include "events/channel/channel.h"
#include "events/channel/with_timeout.h"

namespace takt::events {
namespace {

// A task gives way to others after that many calls.
constexpr int calls_in_a_row = 32;

}  // namespace

Proxy::Proxy(ProxyId id, ProxyKind kind, std::shared_ptr<Channel> channel, Clock::time_point now)
    : id_(id),
      kind_(kind),
      channel_(std::move(channel)),
      made_(now),
      active_(now),
      health_(channel_->parts().limits, now) {}

Parts& Proxy::parts() const { return channel_->parts(); }

bool Proxy::reserve() {
  const std::lock_guard lock(mutex_);
  if (state_ != State::unconnected) return false;
  state_ = State::reserved;
  return true;
}

void Proxy::release() {
  const std::lock_guard lock(mutex_);
  if (state_ == State::reserved) state_ = State::unconnected;
}

void Proxy::connect(const ObjectRef& client) {
  const ObjectRef bounded = client ? with_timeout(client, parts().limits.call_timeout) : nullptr;
  bool schedules = false;
  {
    const std::lock_guard lock(mutex_);
    if (state_ != State::reserved) return;
    state_ = State::connected;
    given_ = client;
    client_ = bounded;
    active_ = Clock::now();
    health_.note(Answer::done, active_);
    attach(client_);
    schedules = kind_ == ProxyKind::pull_consumer && must_schedule();
  }
  if (schedules) parts().dispatcher.ready(shared_from_this());
}

bool Proxy::is_connected() const {
  const std::lock_guard lock(mutex_);
  return is_live();
}

ObjectRef Proxy::end() {
  const std::lock_guard lock(mutex_);
  if (state_ == State::ended) return nullptr;
  state_ = State::ended;
  stop();
  return client_;
}

bool Proxy::must_schedule() { return !std::exchange(scheduled_, true); }

void Proxy::ping_if_silent(Clock::time_point now, Ready& ready) {
  const std::lock_guard lock(mutex_);
  if (!is_live() || !client_ || scheduled_ || now - health_.heard() < parts().limits.ping_after) return;
  ping_due_ = true;
  if (must_schedule()) ready.push_back(shared_from_this());
}

bool Proxy::is_unused(Clock::time_point now) const {
  const std::lock_guard lock(mutex_);
  return state_ == State::unconnected && now - active_ >= parts().limits.connect_within;
}

Clock::time_point Proxy::last_active() const {
  const std::lock_guard lock(mutex_);
  return active_;
}

std::optional<Clock::time_point> Proxy::run() {
  for (int calls = 0; calls < calls_in_a_row; ++calls) {
    Job job;
    ObjectRef client;
    {
      const std::lock_guard lock(mutex_);
      job.pings = std::exchange(ping_due_, false);
      if (!is_live() || !(job.pings || next_job(job))) {
        scheduled_ = false;
        return {};
      }
      if (job.pings) client = client_;
    }
    bool missing = false;
    Answer answer = job.pings ? answer_of([&] { missing = client->_non_existent(); }) : carry_out(job);
    if (missing) answer = Answer::gone;
    const auto now = Clock::now();
    Health::Verdict verdict;
    {
      const std::lock_guard lock(mutex_);
      verdict = health_.note(answer, now);
      if (!verdict.drops && !is_live()) verdict = {};
      auto wait = job.pings ? std::nullopt : after(job, answer, now);
      if (!verdict.wait) verdict.wait = wait;
      if (verdict.drops) scheduled_ = false;
      if (job.pings && verdict.wait) ping_due_ = true;  // until it answers, or is given up
    }
    if (verdict.drops) {
      parts().keeper.end(*this, EndReason::dead);
      return {};
    }
    if (verdict.wait) return verdict.wait;
  }
  return Clock::time_point::min();
}

ProxyState Proxy::counts() const {
  ProxyState state;
  state.id = id_;
  state.kind = kind_;
  const std::lock_guard lock(mutex_);
  state.connected = is_live();
  state.suspect = health_.is_suspect();
  state.events = events_;
  state.failures = failures_;
  add_to(state);
  return state;
}

ProxyState Proxy::look() const {
  ProxyState state = counts();
  ObjectRef client;
  {
    const std::lock_guard lock(mutex_);
    client = given_;
  }
  if (client) state.client = parts().orb.object_to_string(client);
  return state;
}

std::optional<Clock::time_point> Farewell::run() {
  answer_of([&] {
    switch (kind_) {
      case ProxyKind::push_consumer:
        return IDL::traits<CosEventComm::PushSupplier>::unchecked_narrow(client_)->disconnect_push_supplier();
      case ProxyKind::pull_consumer:
        return IDL::traits<CosEventComm::PullSupplier>::unchecked_narrow(client_)->disconnect_pull_supplier();
      case ProxyKind::push_supplier:
        return IDL::traits<CosEventComm::PushConsumer>::unchecked_narrow(client_)->disconnect_push_consumer();
      case ProxyKind::pull_supplier:
        return IDL::traits<CosEventComm::PullConsumer>::unchecked_narrow(client_)->disconnect_pull_consumer();
    }
  });
  return {};
}

}  // namespace takt::events
