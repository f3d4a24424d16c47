#include "async/calls/async_calls.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <takt/async/reply.h>

#include "async/calls/deadlines.h"
#include "async/calls/delivery_threads.h"
#include "async/calls/loop.h"
#include "async/deferred/deferred_calls.h"
#include "async/deferred/ends_elsewhere.h"
#include "async/messaging/exception_holder.h"
#include "async/orb_settings.h"
#include "client/channel/failure.h"
#include "client/thread_channels.h"

namespace takt {

Executor::~Executor() = default;

Completion::~Completion() {
  if (call_) async::DeliveryThreads::of_process().add(*call_);
}

void Completion::operator()() noexcept {
  if (call_) std::exchange(call_, nullptr)->deliver();
}

}  // namespace takt

namespace takt::async {

namespace {
// When a call that the thread begins now would get TIMEOUT.
Call::Clock::time_point end_of_call(const client::Client& client, const reference::ObjectRef& ref) {
  const auto now = Call::Clock::now();
  const auto policies = client::ThreadChannels::mine().policies_of(ref);
  auto end = std::min(policies.reply_deadline(now), policies.request_deadline(now));
  if (const Quality* quality = reference::ThreadContext::mine().quality())
    end = std::min(end, quality->deadline);
  const std::chrono::nanoseconds timeout = client.options.round_trip_timeout;
  return timeout.count() > 0 ? std::min(end, now + timeout) : end;
}

// Executors may wait for their threads when they are destroyed, so no thread that delivers or reads does
// that.
void let_go(std::shared_ptr<Executor> executor) noexcept {
  if (executor && Call::delivers_here()) drop_elsewhere(std::move(executor), DeferredCalls::of_programs());
}
}  // namespace

AsyncCalls::AsyncCalls(client::Client& leading)
    : client(leading),
      delivery_(leading.asynchronous_defaults.delivers_while_reading ? Delivery::reading_thread
                                                                     : Delivery::thread),
      most_calls_(leading.asynchronous_defaults.most_calls),
      waits_(!leading.asynchronous_defaults.refuses_when_full) {
  prepare_last_holder();
}

AsyncCalls& AsyncCalls::of(client::Client& client) {
  return client.asynchronous().get_or_make<AsyncCalls>([&] { return std::make_shared<AsyncCalls>(client); });
}

void AsyncCalls::use(AsyncSettings settings) {
  {
    const std::lock_guard lock(mutex_);
    if (settings.delivery == Delivery::executor && !settings.executor) settings.delivery = Delivery::thread;
    executor_ = settings.executor;
    if (!client.references.down()) settings.executor.swap(kept_executor_);
    delivery_ = settings.delivery;
    most_calls_ = settings.most_calls;
    waits_ = settings.when_full == AsyncSettings::WhenFull::wait;
    room_.notify_all();
  }
  let_go(std::move(settings.executor));  // the one before
}

void AsyncCalls::shut_down() noexcept {
  std::shared_ptr<Executor> kept;
  {
    const std::lock_guard lock(mutex_);
    kept.swap(kept_executor_);
    room_.notify_all();
  }
  let_go(std::move(kept));
}

// Room may come only when the calling thread has returned, if that thread delivers or reads.
bool AsyncCalls::waits_when_full() const { return waits_ && !Call::delivers_here() && !Loop::mine(); }

[[gnu::always_inline]] inline Call& AsyncCalls::take_spare(const reference::ObjectRef& ref) {
  if (Call* const kept = Call::take_kept(ref)) return *kept;
  if (Call* const spare = spare_.take()) [[likely]]
    return *spare;
  try {
    return spare_.make(*this);
  } catch (...) {
    note_over();
    throw;
  }
}

Call& AsyncCalls::take(const reference::ObjectRef& ref) {
  if (under_way_.fetch_add(1) >= most_calls_) await_room(ref);
  return take_spare(ref);
}

Call& AsyncCalls::take_accepted(const reference::ObjectRef& ref) {
  under_way_.fetch_add(1);
  return take_spare(ref);
}

void AsyncCalls::await_room(const reference::ObjectRef& ref) {
  note_over();
  if (waits_when_full()) {
    const auto room_by = end_of_call(client, ref);
    os::PriorityCondition::Lock lock(mutex_);
    ++wait_for_room_;
    // Counts first, so that two threads never both take the last place.
    bool taken = false;
    const auto ends = [&] {
      if (client.references.down()) return true;
      taken = under_way_.fetch_add(1) < most_calls_;
      if (!taken) under_way_.fetch_sub(1);
      return taken;
    };
    room_.wait_until(lock, room_by, ends);
    --wait_for_room_;
    if (taken) return;
    if (client.references.down()) client::throw_orb_down();
  }
  throw CORBA::TRANSIENT(
      0, CORBA::COMPLETED_NO,
      "as many asynchronous calls are under way as takt::AsyncSettings::most_calls allows");
}

void AsyncCalls::note_over() noexcept {
  under_way_.fetch_sub(1);
  if (wait_for_room_ == 0) return;
  const std::lock_guard lock(mutex_);
  room_.notify_all();
}

void AsyncCalls::hand_on(Call& call) noexcept {
  if (hand_on_unless_by_threads(call)) DeliveryThreads::of_process().add(call);
}

bool AsyncCalls::hand_on_unless_by_threads(Call& call) noexcept {
  if (call.has_results() && !call.loop.load(std::memory_order_relaxed) &&
      delivery_.load(std::memory_order_relaxed) == Delivery::reading_thread &&
      client::ActiveConnection::is_reading_thread()) [[likely]] {
    call.deliver_while_reading();
    return false;
  }
  if (call.goes_on()) {
    Deadlines::of_process().remove(call);
    try {
      DeferredCalls::of_process().add([&call] { Sending::send_again(call); }, call.urgency);
      return false;
    } catch (...) {
      call.fail(Reply::present_failure(CORBA::COMPLETED_NO));
    }
  }
  call.cancel_at_server();
  if (LoopInbox* const loop = call.loop.load(std::memory_order_relaxed); loop && loop->add(call))
    return false;
  switch (delivery_.load()) {
    case Delivery::reading_thread:
      if (!client::ActiveConnection::is_reading_thread() || call.ended_by_cancelling()) break;
      call.deliver_while_reading();
      return false;
    case Delivery::executor:
      if (post(call)) return false;
      break;
    case Delivery::thread:
      break;
  }
  return true;
}

// False: there is no executor, or no longer.
bool AsyncCalls::post(Call& call) noexcept {
  std::shared_ptr<Executor> executor;
  {
    const std::lock_guard lock(mutex_);
    executor = executor_.lock();
  }
  if (!executor) return false;
  // The call may be delivered before post() returns, and the ORB's last other reference go with it.
  std::shared_ptr<const void> orb = call.ref->references();
  try {
    executor->post(Completion(call));
  } catch (...) {  // the completion is destroyed by then, and so on its way to a thread of the ORB
  }
  if (executor.use_count() == 1 || client.references.down()) let_go(std::move(executor));  // maybe the last
  Call::let_go(std::move(orb));
  return true;
}

void use_settings(client::Client& client, const AsyncSettings& settings) {
  AsyncCalls::of(client).use(settings);
}

std::size_t calls_under_way(client::Client& client) { return AsyncCalls::of(client).under_way(); }

}  // namespace takt::async
