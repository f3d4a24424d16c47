#include "events/delivery/client_link.h"

#include <algorithm>
#include <utility>

#include "events/delivery/with_timeout.h"

namespace takt::events {
namespace {

// A task gives way to others after that many calls.
constexpr int calls_in_a_row = 32;

}  // namespace

void require_client(const ObjectRef& client, ProxyKind kind) {
  if (!client && calls_client(kind))
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the client's reference is nil");
}

ClientLink::ClientLink(const Limits& limits, Dispatcher& dispatcher, Clock::time_point now)
    : limits_(limits), dispatcher_(dispatcher), active_(now), health_(limits, now) {}

bool ClientLink::reserve() {
  const std::lock_guard lock(mutex_);
  if (is_live() && limits_.reconnects && !gives_up_) return !std::exchange(replaces_, true);
  if (state_ != State::unconnected) return false;
  state_ = State::reserved;
  return true;
}

void ClientLink::release() {
  const std::lock_guard lock(mutex_);
  replaces_ = false;
  if (state_ == State::reserved) state_ = State::unconnected;
}

void ClientLink::connect(const ObjectRef& client) {
  const ObjectRef bounded = client ? with_timeout(client, limits_.call_timeout) : nullptr;
  bool schedules = false;
  {
    const std::lock_guard lock(mutex_);
    const bool replaces = std::exchange(replaces_, false) && is_live();
    if (!replaces && state_ != State::reserved) return;
    state_ = State::connected;
    given_ = client;
    if (replaces) replace();
    if (calls_)
      next_ = bounded;
    else
      schedules = take(bounded) && must_schedule();
  }
  if (schedules) dispatcher_.ready(shared_from_this());
}

bool ClientLink::take(ObjectRef bounded) {
  client_ = std::move(bounded);
  ping_due_ = false;  // it was for the client before
  active_ = Clock::now();
  health_.begin(active_);
  return attach(client_);
}

bool ClientLink::take_next() {
  if (!next_ || !is_live()) return false;
  take(*std::exchange(next_, std::nullopt));
  return true;
}

bool ClientLink::is_connected() const {
  const std::lock_guard lock(mutex_);
  return is_live();
}

ObjectRef ClientLink::end() {
  const std::lock_guard lock(mutex_);
  if (state_ == State::ended) return nullptr;
  state_ = State::ended;
  stop();
  return next_.value_or(client_);
}

bool ClientLink::must_schedule() { return !std::exchange(scheduled_, true); }

void ClientLink::ping_if_silent(Clock::time_point now, Ready& ready) {
  const std::lock_guard lock(mutex_);
  if (!is_live() || !client_ || scheduled_ || now - health_.heard() < limits_.ping_after) return;
  ping_due_ = true;
  if (must_schedule()) ready.add(shared_from_this());
}

bool ClientLink::is_unused(Clock::time_point now) const {
  const std::lock_guard lock(mutex_);
  return state_ == State::unconnected && now - active_ >= limits_.connect_within;
}

Clock::time_point ClientLink::last_active() const {
  const std::lock_guard lock(mutex_);
  return active_;
}

void ClientLink::wake() {
  {
    const std::lock_guard lock(mutex_);
    if (!is_live() || !must_schedule()) return;
  }
  dispatcher_.ready(shared_from_this());
}

ObjectRef ClientLink::given_client() const {
  const std::lock_guard lock(mutex_);
  return given_;
}

Answer ClientLink::ping() const {
  ObjectRef client;
  {
    const std::lock_guard lock(mutex_);
    client = client_;
  }
  bool missing = false;
  const Answer answer = answer_of([&] { missing = client->_non_existent(); });
  return missing ? Answer::gone : answer;
}

// Whether the call is a question whether the client exists; none: there is nothing to do.
std::optional<bool> ClientLink::begin_call() {
  const std::lock_guard lock(mutex_);
  const bool pings = std::exchange(ping_due_, false) && client_;
  calls_ = is_live() && (pings || next_job());
  if (calls_) return pings;
  scheduled_ = false;
  return {};
}

// If another client has taken its place meanwhile, only the events of the call matter: those that the earlier
// one has not begun to take are for the new one.
Health::Verdict ClientLink::judge(Answer answer, bool was_ping, Clock::time_point now, Clock::duration took) {
  const std::lock_guard lock(mutex_);
  calls_ = false;
  const bool replaced = next_ && is_live();
  if (replaced && answer == Answer::gone) answer = Answer::not_reached;
  Health::Verdict verdict = replaced ? Health::Verdict{} : health_.note(answer, now, took, patience());
  if (!verdict.drops && !is_live()) verdict = {};
  if (!was_ping) {
    const auto wait = after(answer, now);
    if (!verdict.wait) verdict.wait = wait;
  }
  if (take_next()) return verdict;
  gives_up_ = verdict.drops;                       // and stays scheduled, until it is dropped
  if (was_ping && verdict.wait) ping_due_ = true;  // until it answers, or is given up
  return verdict;
}

bool ClientLink::asks() {
  ObjectRef client;
  {
    const std::lock_guard lock(mutex_);
    if (!is_live() || health_.standing() != Standing::proven || !dispatcher_.asks_first(health_.heard()))
      return false;
    client = client_;
  }
  const Answer answer = answer_of(
      [&] { with_timeout(client, std::min(limits_.ask_timeout, limits_.call_timeout))->_non_existent(); });
  const bool answers = answer != Answer::not_reached && answer != Answer::lost;
  const std::lock_guard lock(mutex_);
  if (client_ == client) health_.note_question(answers, Clock::now());  // else another has taken its place
  return true;
}

std::optional<Clock::time_point> ClientLink::run() {
  if (asks()) return Clock::time_point::min();
  const Standing standing = health_.standing();
  const auto first = Clock::now();
  auto begun = first;
  // After a slow call, or for another standing, the next one waits among others.
  for (int calls = 0;
       calls < calls_in_a_row && begun - first <= limits_.slow_after && health_.standing() == standing;
       ++calls) {
    const auto pings = begin_call();
    if (!pings) return {};
    const Answer answer = *pings ? ping() : carry_out();
    const auto now = Clock::now();
    const auto made = static_cast<Clock::rep>(*pings ? 1 : calls_made());
    const Health::Verdict verdict = judge(answer, *pings, now, (now - begun) / made);
    begun = now;
    if (verdict.drops) {
      give_up();
      return {};
    }
    if (verdict.wait) return verdict.wait;
  }
  return Clock::time_point::min();
}

}  // namespace takt::events
