// A run loop: the calls of one thread that this thread makes, and whose outcomes it delivers.
#pragma once

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>

#include <takt/async/kept_call.h>
#include <takt/async/run_loop.h>

#include "async/calls/call_scopes.h"
#include "async/calls/call_target.h"
#include "async/calls/loop_inbox.h"
#include "async/calls/ready_coroutines.h"
#include "client/thread_channels.h"
#include "reference/context/thread_context.h"
#include "reference/object_ref.h"

namespace takt::async {

// Used by its thread, but for end(). At most one call is kept, and only while none is under way. Another call
// that begins meanwhile sends it, as does whatever else the thread sends to a server. It is handed to its
// connection first; the order at the server is not promised.
class Loop final : private client::ThreadChannels::HeldBack {
 public:
  // The loop of the calling thread; null if there is none.
  static Loop* mine() noexcept { return mine_; }
  // Any thread: whether it is the calling thread's, if an outer one too.
  static bool is_mine(const Loop* loop) noexcept;

  Loop();
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void start(LoopTask::Handle task);
  void run(bool also_calls);
  // Any thread.
  void end(LoopTask::promise_type& task) noexcept {
    if (mine_ != this) return inbox_.add(task);
    task.next_ended = std::exchange(ended_here_, &task);
  }
  LoopInbox& inbox() { return inbox_; }
  // If the call belongs to a loop, of any thread, and is not being delivered: it is to be delivered as
  // without one.
  static void dismiss(Call& call);
  // A coroutine of the calling thread waits for the call. If that belongs to a loop of the thread which
  // cannot run now, the innermost one delivers it.
  static void note_awaited(Call& call) {
    if (mine_ && mine_->outer_) [[unlikely]]
      move_to_innermost(call);
  }

  // Whether a call that begins now may be kept. The loop then holds its target, and hold() or end_use() must
  // follow. If one is kept already, that is sent first. While one is begun or made, no other is kept: the
  // program's code may run then, and begin calls.
  bool begin_keeping(KeptCall& call, const CORBA::Object& target) {
    if (kept_) [[unlikely]]
      send_kept_first();
    if (kept_ || ready_.any() || inbox_.under_way() != 0 || carries_more_than_priority()) return false;
    const std::shared_ptr<reference::ObjectRef>& ref = target._ref();
    if (!ref) return false;
    if (!target_.is(ref)) [[unlikely]] {
      if (!is_plain(*ref)) return false;
      target_.change_to(ref);
    }
    kept_ = &call;
    in_use_ = true;
    return true;
  }
  // The call has its arguments.
  void hold(KeptCall& call) noexcept {
    in_use_ = false;
    offer_.store(&call, std::memory_order_release);
    channels_.hold_back(*this);
  }
  // Before making the call. Call with the object in use, or after claim().
  void begin_making() noexcept {
    in_use_ = true;
    channels_.hold_back_no_more();
  }
  // The call was made, and its results are decoded; or it cannot begin.
  void end_use() noexcept {
    in_use_ = false;
    kept_ = nullptr;
  }
  // It is about to be sent, or was taken over. Call as begin_making().
  void release() noexcept {
    kept_ = nullptr;
    target_.drop();
    channels_.hold_back_no_more();
  }
  // The thread has waited for a call, which was made or sent.
  void end_waiting() noexcept {
    if (!runs_ && !kept_) target_.drop();
  }
  // For another thread, while `call` exists: the call belongs to the caller from now on, and to the loop no
  // more, but for its channel. Returns its target; null: it is not kept, or the loop's thread sends it now.
  // May wait for a lock.
  static std::shared_ptr<reference::ObjectRef> take_over(KeptCall& call);
  // Another call of the thread follows it.
  void send_kept_first() { send_kept(true); }
  // For calls with handlers.
  KeptSlot& slot() { return slot_; }
  // Whether the kept call of the loop delays nothing else if it is made now. Any thread; false if it is not
  // the loop's.
  static bool is_alone(const Loop* loop) { return resumes_here_ == loop && !loop->ready_.any(); }
  void resume_later(std::coroutine_handle<> coroutine) { ready_.add(coroutine); }

 private:
  void let_go() noexcept override { send_kept(false); }
  // The kept call, which no other thread can take over from now on. Null if one has, or there is none, or it
  // is begun or made now.
  KeptCall* claim() noexcept {
    if (in_use_) return nullptr;
    if (kept_ && is_taken()) release_taken();
    return kept_;
  }
  // Whether a call is kept that is not being begun or made.
  bool keeps() const { return kept_ && !in_use_; }
  // Whether another thread has taken the kept call over; else none can any more. Calls in the slot are not
  // known to other threads.
  bool is_taken() noexcept { return kept_ != &slot_ && !offer_.exchange(nullptr); }
  void release_taken() noexcept;
  void send_kept(bool more_follow) noexcept;
  // Whether anything else than the thread's priority distinguishes its calls from others on their references.
  [[gnu::always_inline]] static bool carries_more_than_priority() {
    const reference::ThreadContext& context = reference::ThreadContext::mine();
    const CallScopes& scopes = CallScopes::mine();
    return any_of(context.quality(), context.trace(), scopes.stop, scopes.sent) || context.has_overrides();
  }
  // Whether a pointer is not null, with one branch.
  static bool any_of(const auto*... pointers) {
    return (reinterpret_cast<std::uintptr_t>(pointers) | ...) != 0;
  }
  // Whether calls on it may be kept. Constant.
  static bool is_plain(const reference::ObjectRef& ref) {
    return !ref.intercepted() && ref.local_key().empty();
  }
  void resume_ready();
  void settle_kept();
  void settle_awaited(KeptCall& call);
  void receive();
  void deliver_taken();
  static void move_to_innermost(Call& call);
  static Loop* of_this_thread(const Call& call) noexcept;
  bool take_out(Call& call, LoopInbox* to);
  void destroy_ended(LoopTask::promise_type* tasks);
  void destroy_ended_here() {
    if (ended_here_) [[unlikely]]
      destroy_ended(std::exchange(ended_here_, nullptr));
  }
  void destroy(LoopTask::promise_type& task);

  static inline thread_local constinit Loop* mine_ = nullptr;
  // The loop whose run() has resumed the code that runs now, and not in a delivery; null if none has.
  static inline thread_local constinit Loop* resumes_here_ = nullptr;
  Loop* const outer_;
  LoopInbox& inbox_;
  client::ThreadChannels& channels_ = client::ThreadChannels::mine();
  KeptCall* kept_ = nullptr;  // until its results are decoded; may have gone if offer_ is null
  bool in_use_ = false;       // kept_ is being begun or made
  CallTarget target_;         // the target of kept_; is_plain()
  // kept_, or an earlier one; a thread that takes it over leaves null.
  std::atomic<KeptCall*> offer_{nullptr};
  // The channel of a call that was taken over; guarded by the takers' lock.
  client::ClientChannel* channel_left_ = nullptr;
  KeptSlot slot_;
  ReadyCoroutines ready_;
  Call* taken_ = nullptr;  // calls with outcomes, by Call::next_ended
  LoopTask::promise_type* tasks_ = nullptr;
  LoopTask::promise_type* ended_here_ = nullptr;  // in the loop's thread; a list, by next_ended
  std::exception_ptr failure_;                    // the first that has left a task
  bool runs_ = false;
};

}  // namespace takt::async
