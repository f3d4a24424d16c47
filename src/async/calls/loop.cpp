#include "async/calls/loop.h"

#include <mutex>
#include <utility>

#include "async/calls/delivery_threads.h"
#include "threads/locks/priority_mutex.h"

namespace takt {

RunLoop::RunLoop() : loop_(std::make_unique<async::Loop>()) {}
RunLoop::~RunLoop() = default;
void RunLoop::start(async::LoopTask task) { loop_->start(task.handle); }
void RunLoop::run() { loop_->run(true); }
void RunLoop::run_tasks() { loop_->run(false); }

}  // namespace takt

namespace takt::async {

namespace {

// Guards loops from the threads that take over their calls. A loop that ends locks it only if there may be
// such a thread.
os::PriorityMutex& takers_mutex() {
  static os::PriorityMutex& mutex = *new os::PriorityMutex;
  return mutex;
}
constinit std::atomic<unsigned> takers{0};

}  // namespace

void LoopTask::promise_type::end() noexcept { loop->end(*this); }

Loop::Loop() : outer_(mine_), inbox_(*new LoopInbox) {
  slot_.loop_ = this;
  if (outer_) outer_->send_kept(false);
  mine_ = this;
}

// A thread that counts itself among the takers later than the loop looks at their number finds no kept call.
Loop::~Loop() {
  send_kept(false);
  if (takers.fetch_add(0) != 0) [[unlikely]] {
    const std::lock_guard lock(takers_mutex());
  }
  while (tasks_) destroy(*tasks_);  // while no other thread can resume them
  const LoopInbox::Contents left = inbox_.close();
  for (Call* call = left.calls; call;) {
    Call& one = *std::exchange(call, call->next_ended);
    inbox_.leave(one);
    DeliveryThreads::of_process().add(one);
  }
  mine_ = outer_;
  inbox_.release();
}

std::shared_ptr<reference::ObjectRef> Loop::take_over(KeptCall& call) {
  takers.fetch_add(1);
  std::shared_ptr<reference::ObjectRef> target;
  {
    const std::lock_guard lock(takers_mutex());
    KeptCall* found = &call;
    if (call.is_kept() && call.loop_->offer_.compare_exchange_strong(found, nullptr)) {
      call.loop_->channel_left_ = call.give_up_channel();
      target = call.target().shared_from_this();
    }
  }
  takers.fetch_sub(1);
  return target;
}

[[gnu::cold, gnu::noinline]] void Loop::release_taken() noexcept {
  takers_mutex().lock();
  client::ClientChannel& channel = *channel_left_;
  takers_mutex().unlock();
  release();
  channel.done();
  if (channel.broken()) channels_.discard(channel);
}

void Loop::send_kept(bool more_follow) noexcept {
  if (KeptCall* const call = claim()) call->leave(more_follow);
}

bool Loop::is_mine(const Loop* loop) noexcept {
  const Loop* mine = mine_;
  while (mine && mine != loop) mine = mine->outer_;
  return mine != nullptr;
}

void Loop::start(LoopTask::Handle task) {
  LoopTask::promise_type& promise = task.promise();
  promise.loop = this;
  try {
    resume_later(task);
  } catch (...) {  // there is no memory
    task.destroy();
    throw;
  }
  promise.after = tasks_;
  if (tasks_) tasks_->before = &promise;
  tasks_ = &promise;
}

void Loop::destroy(LoopTask::promise_type& task) {
  (task.before ? task.before->after : tasks_) = task.after;
  if (task.after) task.after->before = task.before;
  LoopTask::Handle::from_promise(task).destroy();
}

void Loop::destroy_ended(LoopTask::promise_type* tasks) {
  while (tasks) {
    LoopTask::promise_type& task = *std::exchange(tasks, tasks->next_ended);
    if (task.exception && !failure_) failure_ = task.exception;
    destroy(task);
  }
}

inline void Loop::settle_kept() {
  KeptCall& call = *kept_;
  if (&call != &slot_) return settle_awaited(call);
  target_.begin_handling();
  begin_making();
  call.type_->make(call);
  target_.end_handling();
}

// A coroutine waits for the call; or nothing does, as its coroutine waits for something else.
[[gnu::noinline]] void Loop::settle_awaited(KeptCall& call) {
  if (is_taken()) [[unlikely]]
    return release_taken();
  if (!call.awaited_) return call.leave(false);
  target_.begin_handling();
  call.type_->make(call);
  target_.end_handling();
}

void Loop::run(bool also_calls) {
  if (runs_)
    throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO,
                               "a task or handler cannot run the run loop that runs it");
  runs_ = true;
  Loop* const outside = resumes_here_;
  for (;;) {
    resumes_here_ = this;
    client::Waiter::more_follow = false;
    if (ready_.any()) resume_ready();
    // A call that is being made has code of the program that runs the loop, as a factory of values may.
    while (!ready_.any() && keeps()) settle_kept();
    if (ready_.any()) continue;
    if (ended_here_) {
      destroy_ended_here();
      continue;
    }
    if (!tasks_ && (!also_calls || inbox_.under_way() == 0)) break;
    receive();
  }
  runs_ = false;
  if (!kept_) target_.drop();
  resumes_here_ = outside;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

// Requests of several coroutines leave together.
[[gnu::noinline]] void Loop::resume_ready() {
  while (ready_.any()) {
    const std::coroutine_handle<> next = ready_.take();
    client::Waiter::more_follow = ready_.any();
    try {
      next.resume();
    } catch (...) {  // by a coroutine whose type does not keep it
      if (!failure_) failure_ = std::current_exception();
    }
    destroy_ended_here();
  }
  client::Waiter::more_follow = false;
}

void Loop::receive() {
  const LoopInbox::Contents found = inbox_.wait();
  taken_ = found.calls;
  deliver_taken();
  destroy_ended(found.tasks);
}

void Loop::deliver_taken() {
  resumes_here_ = nullptr;
  while (taken_) {
    Call& call = *std::exchange(taken_, taken_->next_ended);
    client::Waiter::more_follow = taken_ != nullptr;
    if (!call.ends()) continue;  // it stays a call of the loop
    inbox_.leave(call);
    call.deliver_end();
  }
  client::Waiter::more_follow = false;
}

Loop* Loop::of_this_thread(const Call& call) noexcept {
  const LoopInbox* const inbox = call.loop.load(std::memory_order_relaxed);
  Loop* loop = inbox ? mine_ : nullptr;
  while (loop && inbox != &loop->inbox_) loop = loop->outer_;
  return loop;
}

void Loop::dismiss(Call& call) {
  bool has_outcome = false;
  if (Loop* const loop = of_this_thread(call))
    has_outcome = loop->take_out(call, nullptr);
  else if (call.kept_inbox)
    has_outcome = call.kept_inbox->dismiss_elsewhere(call);
  if (has_outcome) DeliveryThreads::of_process().add(call);
}

void Loop::move_to_innermost(Call& call) {
  Loop* const loop = of_this_thread(call);
  if (!loop || loop == mine_) return;
  mine_->send_kept(false);
  if (!loop->take_out(call, &mine_->inbox_)) return;
  mine_->inbox_.join(call);
  mine_->inbox_.add(call);
}

// Whether the call has its outcome, and is the caller's.
bool Loop::take_out(Call& call, LoopInbox* to) {
  Call** place = &taken_;
  while (*place && *place != &call) place = &(*place)->next_ended;
  if (!*place) return inbox_.dismiss(call, to);
  *place = call.next_ended;
  inbox_.leave(call);
  return true;
}

}  // namespace takt::async
