#include "roads/prepared_roads.h"

#include <algorithm>
#include <new>
#include <utility>

#include "os/poll/wait.h"
#include "threads/scheduling/scheduling.h"

namespace takt::roads {

using transport::Endpoint;
using transport::Stream;

void PreparedRoads::want(const Target& target, bool begins) {
  const Lock lock(mutex_);
  if (stopped_) return;
  const auto known = std::ranges::find_if(wanted_, [&](const Wanted& one) {
    return one.target.offer == target.offer && one.target.to == target.to &&
           one.target.options == target.options;
  });
  if (known != wanted_.end()) {
    if (known->connections < most_connections) ++known->connections;
  } else if (begins && wanted_.size() < most_servers && begin()) {
    wanted_.push_back({.target = target, .connections = 1, .next = os::Clock::now() + first_pause});
    changed_.notify_one();
  }
}

// Call with mutex_ held.
bool PreparedRoads::begin() {
  if (thread_.joinable()) return true;
  auto thread = os::Thread::start({.name = "takt-roads"}, [this] { run(); });
  if (thread) thread_ = std::move(*thread);
  return thread_.joinable();
}

bool PreparedRoads::has_led_to(const reference::RoadOffer& offer, const Endpoint& to) const {
  if (!any_.load(std::memory_order_relaxed)) return false;
  const Lock lock(mutex_);
  return std::ranges::find(led_to_, std::pair(offer, to)) != led_to_.end();
}

std::unique_ptr<Stream> PreparedRoads::take(const reference::RoadOffer& offer, const Endpoint& to,
                                            const transport::StreamOptions& options) {
  std::vector<std::unique_ptr<Stream>> hung_up;  // end without the lock
  const Lock lock(mutex_);
  for (Wanted& one : wanted_) {
    if (one.target.offer != offer || one.target.to != to || one.target.options != options) continue;
    while (!one.ready.empty()) {
      auto taken = std::move(one.ready.back());
      one.ready.pop_back();
      if (os::has_hung_up(taken->native_handle())) {
        hung_up.push_back(std::move(taken));
        continue;
      }
      --one.connections;
      return taken;
    }
  }
  return nullptr;
}

void PreparedRoads::stop() {
  os::Thread ending;
  std::list<Wanted> closed;
  {
    const Lock lock(mutex_);
    stopped_ = true;
    changed_.notify_one();
    ending = std::move(thread_);
  }
  ending.join();
  const Lock lock(mutex_);
  closed.swap(wanted_);
}

void PreparedRoads::run() {
  // The caller that it was begun by may be urgent; no call waits for this thread.
  static_cast<void>(os::set_scheduling({.scheduling_class = os::SchedulingClass::other}));
  Lock lock(mutex_);
  while (!stopped_) {
    const auto next = std::ranges::min_element(wanted_, {}, &Wanted::next);
    if (next == wanted_.end())
      changed_.wait(lock);
    else if (os::Clock::now() < next->next)
      changed_.wait_until(lock, next->next);
    else
      make_round(lock, next);
  }
}

// Opens what is missing. False: further attempts have no prospect.
bool PreparedRoads::fill(Lock& lock, Wanted& wanted) {
  const Target target = wanted.target;
  while (!stopped_ && wanted.ready.size() < wanted.connections) {
    lock.unlock();
    Attempt made = open_(target, os::Clock::now() + patience);
    lock.lock();
    if (!made.stream) return made.again;
    wanted.ready.push_back(std::move(made.stream));
    const std::pair led(target.offer, target.to);
    if (std::ranges::find(led_to_, led) != led_to_.end()) continue;
    if (led_to_.size() >= most_servers) led_to_.erase(led_to_.begin());
    led_to_.push_back(led);
    any_ = true;
  }
  return true;
}

void PreparedRoads::make_round(Lock& lock, std::list<Wanted>::iterator wanted) {
  bool goes_on = wanted->rounds < most_rounds && wanted->connections != 0;
  try {
    if (goes_on && !fill(lock, *wanted)) {  // those that were admitted wait for their channels
      wanted->connections = wanted->ready.size();
      goes_on = wanted->connections != 0;
    }
  } catch (const std::bad_alloc&) {  // the next round may have memory
    if (!lock) lock.lock();
  }
  std::list<Wanted> ended;
  const bool offers = goes_on && !wanted->ready.empty();
  if (goes_on)
    wanted->next = os::Clock::now() + first_pause * (1U << wanted->rounds++);
  else
    ended.splice(ended.end(), wanted_, wanted);
  lock.unlock();
  ended.clear();
  if (offers) ready_();
  lock.lock();
}

}  // namespace takt::roads
