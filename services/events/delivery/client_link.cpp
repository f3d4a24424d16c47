#include "events/delivery/client_link.h"

#include <utility>

#include "events/delivery/with_timeout.h"

namespace takt::events {
namespace {

// A task gives way to others after that many calls.
constexpr int calls_in_a_row = 32;

}  // namespace

ClientLink::ClientLink(const Limits& limits, Dispatcher& dispatcher, Clock::time_point now)
    : limits_(limits), dispatcher_(dispatcher), active_(now), health_(limits, now) {}

bool ClientLink::reserve() {
  const std::lock_guard lock(mutex_);
  if (state_ != State::unconnected) return false;
  state_ = State::reserved;
  return true;
}

void ClientLink::release() {
  const std::lock_guard lock(mutex_);
  if (state_ == State::reserved) state_ = State::unconnected;
}

void ClientLink::connect(const ObjectRef& client) {
  const ObjectRef bounded = client ? with_timeout(client, limits_.call_timeout) : nullptr;
  bool schedules = false;
  {
    const std::lock_guard lock(mutex_);
    if (state_ != State::reserved) return;
    state_ = State::connected;
    given_ = client;
    client_ = bounded;
    active_ = Clock::now();
    health_.note(Answer::done, active_, patience());
    schedules = attach(client_) && must_schedule();
  }
  if (schedules) dispatcher_.ready(shared_from_this());
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
  return client_;
}

bool ClientLink::must_schedule() { return !std::exchange(scheduled_, true); }

void ClientLink::ping_if_silent(Clock::time_point now, Ready& ready) {
  const std::lock_guard lock(mutex_);
  if (!is_live() || !client_ || scheduled_ || now - health_.heard() < limits_.ping_after) return;
  ping_due_ = true;
  if (must_schedule()) ready.push_back(shared_from_this());
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

std::optional<Clock::time_point> ClientLink::run() {
  for (int calls = 0; calls < calls_in_a_row; ++calls) {
    bool pings = false;
    {
      const std::lock_guard lock(mutex_);
      pings = std::exchange(ping_due_, false);
      if (!is_live() || !(pings || next_job())) {
        scheduled_ = false;
        return {};
      }
    }
    const Answer answer = pings ? ping() : carry_out();
    const auto now = Clock::now();
    Health::Verdict verdict;
    {
      const std::lock_guard lock(mutex_);
      verdict = health_.note(answer, now, patience());
      if (!verdict.drops && !is_live()) verdict = {};
      if (!pings) {
        const auto wait = after(answer, now);
        if (!verdict.wait) verdict.wait = wait;
      }
      if (verdict.drops) scheduled_ = false;
      if (pings && verdict.wait) ping_due_ = true;  // until it answers, or is given up
    }
    if (verdict.drops) {
      give_up();
      return {};
    }
    if (verdict.wait) return verdict.wait;
  }
  return Clock::time_point::min();
}

}  // namespace takt::events
