#include "async/calls/delivery_threads.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include "async/calls/async_calls.h"
#include "async/deferred/deferred_calls.h"
#include "async/deferred/ends_elsewhere.h"
#include "async/deferred/program_context.h"
#include "threads/owning_process.h"

namespace takt::async {

namespace {

constexpr std::chrono::seconds idle_time_of_lane(10);

// Sets the thread's own priority as the calls need it.
class OwnPriority {
 public:
  void use(const Call& call) {
    const auto wanted = call.inherited.priority();
    const client::Client& client = call.calls.client;
    if (std::exchange(client_, &client) == &client || !wanted || !client.run_at)
      run_at(client, wanted);
    else
      client.run_at(*wanted);
    // Not the caller's deadline: a handler may have to do something about a call that was too late.
    reference::ThreadContext::mine().use_priority(wanted);
  }

 private:
  const client::Client* client_ = nullptr;  // only compared: ORBs may map priorities differently
};

}  // namespace

DeliveryThreads& DeliveryThreads::of_process() {
  static DeliveryThreads* threads = [] {
    os::call_in_forked_children([] {
      if (threads->is_used()) threads = new DeliveryThreads;
    });
    return new DeliveryThreads;
  }();
  return *threads;
}

// A lock that another thread of the parent holds is never released here.
bool DeliveryThreads::is_used() {
  if (!mutex_.try_lock()) return true;
  mutex_.unlock();
  return !lanes_.empty();
}

void DeliveryThreads::add(Call& first, Call& last) noexcept {
  last.next_ended = nullptr;
  std::unique_lock lock(mutex_);
  Lane* const lane = lane_for(first);
  if (!lane) {  // no thread can be begun, and none runs: this thread must do
    lock.unlock();
    for (Call* call = &first; call;) std::exchange(call, call->next_ended)->deliver();
    return;
  }
  (lane->last ? lane->last->next_ended : lane->first) = &first;
  lane->last = &last;
  if (std::exchange(lane->idle, false)) lane->changed.notify_one();
}

// Call with mutex_ held. Begins a thread if the call's priority has none, which runs at it from its start.
DeliveryThreads::Lane* DeliveryThreads::lane_for(const Call& call) {
  const Priority priority = call.inherited.priority();
  const auto found = std::ranges::find(lanes_, priority, &Lane::priority);
  if (found != lanes_.end()) return &*found;
  if (lanes_.size() < most_threads) {
    try {
      Lane& made = lanes_.emplace_back(priority);
      os::ThreadOptions options{.name = "takt-callbacks", .use = ThreadUse::callbacks};
      if (const auto& scheduling_at = call.calls.client.scheduling_at; priority && scheduling_at)
        options.scheduling = scheduling_at(*priority);
      if (!options.scheduling && PromptThread::is_this())  // which runs above all others
        options.scheduling = scheduling_of(call.urgency);
      auto thread = os::Thread::start(options, [this, &made] { serve(made); });
      if (thread) {
        thread->detach();
        return &made;
      }
      lanes_.pop_back();
    } catch (const std::bad_alloc&) {
      if (!lanes_.empty() && lanes_.back().priority == priority) lanes_.pop_back();
    }
  }
  return nearest_lane(priority);
}

// Call with mutex_ held. The least urgent lane that is as urgent as that, else the most urgent one; null
// without any.
DeliveryThreads::Lane* DeliveryThreads::nearest_lane(Priority priority) {
  Lane* nearest = nullptr;
  for (Lane& lane : lanes_) {
    const bool above = lane.priority >= priority;
    const bool nearest_above = nearest && nearest->priority >= priority;
    if (!nearest || (above && !nearest_above) ||
        (above == nearest_above && (lane.priority < nearest->priority) == above))
      nearest = &lane;
  }
  return nearest;
}

void DeliveryThreads::serve(Lane& lane) noexcept {
  OwnPriority own;
  os::PriorityCondition::Lock lock(mutex_);
  for (;;) {
    while (lane.first) {
      Call* call = std::exchange(lane.first, nullptr);
      lane.last = nullptr;
      lock.unlock();
      while (call) {
        Call* const next = call->next_ended;
        own.use(*call);
        client::Waiter::more_follow = next != nullptr;
        call->deliver();
        forget_slots_and_policies();
        call = next;
      }
      lock.lock();
    }
    lane.idle = true;
    const bool more = lane.changed.wait_for(lock, idle_time_of_lane, [&] { return lane.first != nullptr; });
    lane.idle = false;
    if (!more) break;
  }
  std::erase_if(lanes_, [&](const Lane& one) { return &one == &lane; });
}

}  // namespace takt::async
