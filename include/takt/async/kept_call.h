// A call that a run loop keeps: its arguments are encoded, and its request has not been sent yet.
#pragma once

#include <array>
#include <atomic>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>

#include <takt/async/sending.h>
#include <takt/base/bytes.h>
#include <takt/cdr/code_sets.h>
#include <takt/cdr/encoder.h>
#include <takt/cdr/format.h>
#include <takt/invocation/client_call.h>
#include <takt/reference/object.h>

namespace takt::async {

class KeptCall;
class Loop;

// How the code that began a kept call goes on with it. Constant.
struct KeptType {
  const CallType& sent;  // the type of the asynchronous call that it becomes if it is sent
  bool is_awaited;       // the loop makes the call only when something waits for it
  // Makes the call and delivers its outcome; by make_begun() if nothing awaits it. If the call was cancelled,
  // sends it instead.
  void (*make)(KeptCall& call) noexcept;
  // Delivers a failure in place of the outcome.
  void (*fail)(KeptCall& call, const std::exception_ptr& failure) noexcept;
  // Makes the sink of the sent call at `to`. `held` is that call if is_awaited.
  void (*move_sink)(KeptCall& call, void* to, HeldCall&& held) noexcept;
};

// Used by the thread of the loop, to which it belongs:
//
//   if (call.begin(target, type)) {
//     KeptCall::Guard guard(call);
//     encode(call.encoder());
//     guard.keep();
//   }
//
// The loop's thread then makes the call as a synchronous one, or sends it asynchronously. Other threads, such
// as one in which a coroutine has gone on, may call only the functions that say "any thread". Must not be
// destroyed while it is kept.
class KeptCall {
 public:
  // Ends the call if its arguments cannot be encoded.
  class Guard {
   public:
    explicit Guard(KeptCall& call) : call_(&call) {}
    ~Guard() {
      if (call_) [[unlikely]]
        call_->end_made();
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    // Hands the call to the loop, once the arguments are encoded. Throws if they cannot be sent, as a
    // synchronous call does.
    void keep() {
      call_->keep();
      call_ = nullptr;
    }

   private:
    KeptCall* call_;
  };

  KeptCall() {}
  ~KeptCall() {}
  KeptCall(const KeptCall&) = delete;
  KeptCall& operator=(const KeptCall&) = delete;

  // Returns this; null if the calling thread has no run loop, or the call must be sent at once. Throws what
  // ClientCall::begin() throws.
  KeptCall* begin(const CORBA::Object& target, const KeptType& type);
  // Positioned at the first argument.
  cdr::Encoder& encoder() { return *attempt_.wire.request_; }
  // False: the loop's thread no longer uses this object. Any thread.
  bool is_kept() const { return kept_.load(std::memory_order_acquire); }
  // After begin(): whether the calling thread had a run loop.
  bool began_with_loop() const { return loop_ != nullptr; }
  // Whether the calling thread is the loop's. Any thread, while the call is kept.
  bool is_of_this_thread() const noexcept;

  // Makes the call. Then decode the outcome from wire(), and call end_made(). Throws what a synchronous call
  // throws; call end_made() after that, too.
  enum class Made : std::uint8_t { no, result, user_exception };
  Made make();
  // The same for a call in a slot, of which the loop has noted that it is made.
  Made make_begun() {
    const invocation::ClientCall::Outcome outcome = wire().exchange();
    if (outcome == invocation::ClientCall::Outcome::result) [[likely]]
      return Made::result;
    return without_result(outcome);
  }
  // The same, but only if the loop has nothing else to do. Any thread; returns `no` in one that is not the
  // loop's.
  Made make_if_alone();
  invocation::ClientCall& wire() { return attempt_.wire; }
  // Valid until the call is over, and in KeptType::make() until that returns.
  reference::ObjectRef& target() const { return *attempt_.wire.ref_; }
  void end_made() noexcept;
  // The loop's thread has waited for the call outside KeptType::make(): the loop holds no target for it.
  void end_waiting() const noexcept;
  // Sends the call asynchronously. In a thread that is not the loop's, the call leaves the loop, and its
  // outcome is delivered as without one. If the loop's thread is sending the call, the other thread waits.
  void send() noexcept;
  // Notes that a coroutine waits for the call. Any thread; if it is not the loop's, the loop sends the call.
  void note_awaited() noexcept;
  // Makes the loop resume the coroutine when it runs next.
  void resume_later(std::coroutine_handle<> coroutine);

 protected:
  // See begin(). loop_ is set.
  bool begin_in(Loop& loop, const CORBA::Object& target, const KeptType& type);

 private:
  friend class Loop;
  friend class Sending;
  struct Attempt {
    // Takes a connection and writes the request header.
    Attempt(const CORBA::Object& target, const CallType& type);
    ByteView arguments() const {
      return {more ? more.get() : few.data() + few.size() - arguments_bytes, arguments_bytes};
    }
    invocation::ClientCall wire;           // the loop holds its target
    std::size_t arguments_index;           // CDR index of the first octet
    cdr::CodeSets code_sets;               // code sets of the encoded arguments
    std::optional<std::int16_t> priority;  // priority of the thread's calls when this one began
    // A copy of the encoded arguments, at the end of `few` or in `more`, from which another attempt encodes
    // them again.
    std::size_t arguments_bytes;
    std::array<std::uint8_t, 32> few;
    std::unique_ptr<std::uint8_t[]> more;
  };
  void keep();
  void end() noexcept;
  void leave(bool more_follow) noexcept;
  client::ClientChannel* give_up_channel() noexcept;
  void leave_elsewhere(const std::shared_ptr<reference::ObjectRef>& target) noexcept;
  void try_to_leave(const std::shared_ptr<reference::ObjectRef>& target, bool more_follow, Loop* to) noexcept;
  void await_leaving() const noexcept;
  Made exchange();
  Made without_result(invocation::ClientCall::Outcome outcome);
  bool keep_few_arguments();
  void keep_more_arguments();
  void keep_with_more_arguments();
  cdr::Format format_of_arguments() const;
  void encode_again();

  Loop* loop_;
  const KeptType* type_;
  bool awaited_;                   // a coroutine waits for the call
  std::atomic<bool> kept_{false};  // attempt_ exists; the thread that makes or sends the call destroys it
  union {
    Attempt attempt_;
  };
};

// A kept call with memory for its sink, for calls whose caller does not wait.
class KeptSlot : public KeptCall {
 public:
  // Begins a call in a slot of the calling thread's loop. Null where begin() would return null.
  static KeptSlot* begin_in_loop(const CORBA::Object& target, const KeptType& type);
  void* sink() { return sink_; }
  // Reports the exception of a handler. Call it in the catch clause.
  static void note_handler_threw(const reference::ObjectRef& target, std::string_view operation) noexcept;

 private:
  alignas(std::max_align_t) std::byte sink_[Sending::sink_bytes];
};

}  // namespace takt::async
