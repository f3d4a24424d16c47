// A call that the thread of a run loop has begun, and that has not left yet.
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

// Functions of the code that has begun a kept call. Constant.
struct KeptType {
  const CallType& sent;  // type of the call once it is sent as others are
  bool is_awaited;       // whether the loop makes the call only when something waits for it
  // Makes the call, and delivers its outcome; or sends it, if it was cancelled.
  void (*make)(KeptCall& call) noexcept;
  // Delivers a failure instead.
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
// Then either the thread makes the call as a synchronous one, or the call is sent asynchronously. Other
// threads may use only what says so, as they may when a coroutine has gone on in one of them. Must not be
// destroyed while it is kept.
class KeptCall {
 public:
  // Ends the call if its arguments cannot be encoded.
  class Guard {
   public:
    explicit Guard(KeptCall& call) : call_(&call) {}
    ~Guard() {
      if (call_) [[unlikely]]
        call_->end();
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    // The arguments are encoded: the loop keeps the call. Throws what a call throws that is not sent.
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

  // False if the calling thread has no run loop, or the call must be sent at once. Throws what
  // ClientCall::begin() throws.
  bool begin(const CORBA::Object& target, const KeptType& type);
  // Positioned at the first argument.
  cdr::Encoder& encoder() { return *attempt_.encoder; }
  // Any thread. False: the loop's thread no longer uses this object.
  bool is_kept() const { return kept_.load(std::memory_order_acquire); }
  // After begin(): whether the thread that has begun the call had a run loop.
  bool began_with_loop() const { return loop_ != nullptr; }
  // Any thread, while the call is kept: whether it is the loop's.
  bool is_of_this_thread() const noexcept;

  // Makes the call: the outcome is to be decoded from wire(), before end(). Throws what a synchronous call
  // throws, after which end() is due too.
  enum class Made : std::uint8_t { no, result, user_exception };
  Made make();
  // The same if the loop has nothing else to do. Any thread; never in one that is not the loop's.
  Made make_if_alone();
  invocation::ClientCall& wire() { return attempt_.wire; }
  void end() {
    std::destroy_at(&attempt_);
    kept_.store(false, std::memory_order_release);
  }
  // The target, which the call no longer keeps; then only end() may follow.
  std::shared_ptr<reference::ObjectRef> take_target() { return std::move(attempt_.ref); }
  // The exception that is being handled, as the caller of the operation gets it.
  static std::exception_ptr present_failure() noexcept;
  // Sends the call as others are. Another thread than the loop's takes it over: its outcome is then delivered
  // as without the loop. If the loop's thread sends the call just now, the other one waits for that.
  void send() noexcept;
  // A coroutine waits for the call. Any thread; one that is not the loop's leaves the call to the loop, which
  // then sends it.
  void note_awaited() noexcept;
  // This coroutine goes on when the loop runs next.
  void resume_later(std::coroutine_handle<> coroutine);

 private:
  friend class Loop;
  friend class Sending;
  struct Attempt {
    Attempt(const CORBA::Object& target, const CallType& type)
        : ref(target._ref()), wire(target, type.operation, true, type.has_arguments) {}
    std::shared_ptr<reference::ObjectRef> ref;
    invocation::ClientCall wire;
    cdr::Encoder* encoder;
    std::optional<std::int16_t> priority;  // that the thread's calls had
    std::size_t arguments_index;           // CDR index of the first octet
    cdr::CodeSets code_sets;               // those of the arguments
    // Encoded arguments, once they may have to be encoded again: in `few` or `more`.
    ByteView arguments;
    std::array<std::uint8_t, 32> few;
    std::unique_ptr<std::uint8_t[]> more;
  };
  void keep();
  void leave(bool more_follow) noexcept;
  client::ClientChannel* give_up_channel() noexcept;
  void leave_elsewhere() noexcept;
  void try_to_leave(bool more_follow, Loop* to) noexcept;
  void await_leaving() const noexcept;
  Made exchange();
  void keep_arguments();
  void keep_more_arguments();
  cdr::Format format_of_arguments() const;
  void encode_again();

  Loop* loop_;
  const KeptType* type_;
  bool awaited_;
  std::atomic<bool> kept_{false};  // whether attempt_ exists; the thread that makes or sends the call ends it
  union {
    Attempt attempt_;
  };
};

// A kept call with its sink, for callers that do not stay.
class KeptSlot : public KeptCall {
 public:
  // The loop's slot for such a call, which has begun; null as begin() is false.
  static KeptSlot* begin_in_loop(const CORBA::Object& target, const KeptType& type);
  void* sink() { return sink_; }
  // Call while the exception of a handler is handled.
  static void note_handler_threw(const reference::ObjectRef& target, std::string_view operation) noexcept;

 private:
  alignas(std::max_align_t) std::byte sink_[Sending::sink_bytes];
};

}  // namespace takt::async
