#include "events/delivery/client_watch.h"

#include <utility>

namespace takt::events {

ClientWatch::ClientWatch(CORBA::object_reference<CORBA::Object> client,
                         CORBA::object_reference<CORBA::Object> while_held, const Limits& limits,
                         std::weak_ptr<WatchedClient> watched)
    : client_(std::move(client)),
      while_held_(while_held ? std::move(while_held) : client_),
      limits_(limits),
      watched_(std::move(watched)),
      health_(limits, Clock::now()) {}

void ClientWatch::check(Dispatcher& dispatcher) {
  {
    const std::lock_guard lock(mutex_);
    again_ = true;
    if (std::exchange(scheduled_, true)) return;
  }
  dispatcher.ready(shared_from_this());
}

void ClientWatch::check_if_silent(Clock::time_point now, Dispatcher& dispatcher) {
  {
    const std::lock_guard lock(mutex_);
    if (now - health_.heard() < limits_.ping_after) return;
  }
  check(dispatcher);
}

std::optional<Clock::time_point> ClientWatch::run() {
  const auto watched = watched_.lock();
  if (!watched) return {};
  {
    const std::lock_guard lock(mutex_);
    again_ = false;
  }
  bool missing = false;
  const CORBA::object_reference<CORBA::Object>& client = watched->is_held() ? while_held_ : client_;
  Answer answer = answer_of([&] { missing = client->_non_existent(); });
  if (missing) answer = Answer::gone;
  Health::Verdict verdict;
  {
    const std::lock_guard lock(mutex_);
    verdict = health_.note(answer, Clock::now());
    if (!verdict.drops && verdict.wait) return verdict.wait;
    if (!verdict.drops && again_) return Clock::time_point::min();
  }
  if (verdict.drops)
    watched->is_dead(*this);
  else
    watched->answers(*this);
  const std::lock_guard lock(mutex_);
  if (!verdict.drops && again_) return Clock::time_point::min();
  scheduled_ = false;
  return {};
}

}  // namespace takt::events
