// State that the asynchronous calls of one ORB share.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>

#include <takt/async/settings.h>

#include "async/calls/call.h"
#include "async/calls/pipelines.h"
#include "async/calls/spare_calls.h"
#include "client/client.h"
#include "client/feature_slot.h"
#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"

namespace takt::async {

// Part of the ORB's client. Any thread. Every call keeps the ORB alive.
class AsyncCalls final : public client::FeatureState {
 public:
  explicit AsyncCalls(client::Client& leading);
  static AsyncCalls& of(client::Client& client);

  client::Client& client;
  Pipelines connections;

  void use(AsyncSettings settings);
  // The ORB is down: calls that wait for room end, and the executor is no longer kept. Completions go to it
  // as long as the program keeps it. If this was the last reference, destroys it, in another thread if the
  // calling one may be its own.
  void shut_down() noexcept override;
  bool waits_when_full() const;

  // A call that is not used, and that counts from now on. Waits for room as long as calls on `ref` may last,
  // unless this is a thread that must not wait. Throws TRANSIENT, or BAD_INV_ORDER if the ORB shuts down
  // meanwhile.
  Call& take(const reference::ObjectRef& ref);
  // The same for a call that was accepted before: it needs no room. May throw std::bad_alloc.
  Call& take_accepted(const reference::ObjectRef& ref);
  // A call that has ended, or was not sent, is no longer under way.
  void note_over() noexcept;
  // Takes back the memory of a call.
  void give_back(Call& call) noexcept { spare_.give_back(call); }
  std::size_t under_way() const { return under_way_.load(std::memory_order_relaxed); }

  // For a call that has its outcome: decides who delivers it, or sends it again. No lock may be held.
  void hand_on(Call& call) noexcept;
  // The same, but leaves the call to the caller if a thread of the ORB delivers it: true.
  bool hand_on_unless_by_threads(Call& call) noexcept;
  // Whether threads of the ORB deliver all calls.
  bool delivers_by_threads() const { return delivery_.load(std::memory_order_relaxed) == Delivery::thread; }

 private:
  using Delivery = AsyncSettings::Delivery;
  void await_room(const reference::ObjectRef& ref);
  Call& take_spare(const reference::ObjectRef& ref);
  bool post(Call& call) noexcept;

  std::atomic<Delivery> delivery_;
  std::atomic<std::size_t> most_calls_;
  std::atomic<bool> waits_;
  std::atomic<std::size_t> under_way_{0};
  std::atomic<std::size_t> wait_for_room_{0};  // threads
  SpareCalls spare_;

  os::PriorityMutex mutex_;
  os::PriorityCondition room_;
  std::weak_ptr<Executor> executor_;
  std::shared_ptr<Executor> kept_executor_;  // null once the ORB is down
};

}  // namespace takt::async
