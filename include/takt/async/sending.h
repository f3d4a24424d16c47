// Starts an asynchronous call: encodes its arguments and sends them, and remembers who gets its outcome.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <takt/base/gather_buffer.h>
#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>
#include <takt/invocation/client_call.h>
#include <takt/reference/object.h>

namespace takt::async {

class Call;
class KeptCall;
class Loop;
class Reply;

// For a call that was not sent, after std::bad_alloc.
[[noreturn]] void throw_no_memory_for_call();

// How the calls of one operation are coded, and who gets their outcomes. Constant. A call keeps a `sink`,
// a small object of the code that made it, from the start of the call until its outcome was delivered.
struct CallType {
  std::string_view operation;
  bool has_arguments;
  // Delivers the outcome to the sink. Exceptions of the application's code may leave it.
  void (*complete)(void* sink, Reply& reply);
  // Reads arguments and writes them again, for another connection.
  void (*copy_arguments)(const CallType& type, cdr::Decoder& from, cdr::Encoder& to);
  void (*destroy_sink)(void* sink) noexcept;

  // Copies the arguments to the encoder, which borrows none of them. It fails if they cannot be read.
  void encode_again(ByteView arguments, std::size_t index, const cdr::Format& format, cdr::Encoder& to) const;
};

// A reference to a call that keeps its sink's memory, also after the sink was destroyed.
class HeldCall {
 public:
  HeldCall() = default;
  explicit HeldCall(Call& call);
  HeldCall(HeldCall&& from) noexcept : call_(std::exchange(from.call_, nullptr)) {}
  HeldCall& operator=(HeldCall&& from) noexcept {
    std::swap(call_, from.call_);
    return *this;
  }
  ~HeldCall() {
    if (call_) release();
  }
  // Ends the call as cancelled, unless it has ended. Any thread.
  void cancel() const noexcept;
  // If a run loop would deliver the outcome, it is delivered as without that loop. May allocate.
  void leave_loop() const noexcept;
  // A coroutine waits for the outcome: if the run loop that would deliver it is an outer one of the calling
  // thread, the innermost delivers it.
  void note_awaited() const noexcept;

 private:
  void release() noexcept;

  Call* call_ = nullptr;
};

// Use, in the thread that makes the call:
//
//   Sending sending(target, type);
//   new (sending.sink()) Sink(...);
//   sending.keep_sink();
//   do encode(sending.begin()); while (sending.send() == Sending::Outcome::again);
//
// After send() has returned `sent`, the outcome is delivered once, possibly before send() returns. If
// anything throws, it is never delivered. All of them throw the system exceptions of a call that was not
// sent: INV_OBJREF, TRANSIENT, MARSHAL, NO_MEMORY and so on. They block to connect, and for room where the
// settings say so. In steady state they do not allocate.
class Sending {
 public:
  static constexpr std::size_t sink_bytes = 48;
  enum class Outcome : unsigned char { sent, again };

  Sending(const CORBA::Object& target, const CallType& type);
  ~Sending();
  Sending(const Sending&) = delete;
  Sending& operator=(const Sending&) = delete;

  // Uninitialized memory for the sink.
  void* sink() const;
  // The sink is made; the call destroys it.
  void keep_sink() { has_sink_ = true; }
  // Call before send() has sent the call.
  HeldCall hold() const;
  // If the calling thread has a run loop, that delivers the outcome. Call before begin().
  void join_loop();
  // Positioned at the first argument.
  cdr::Encoder& begin();
  Outcome send();

  // Sends a call that a run loop has kept: true to its first attempt, which it has begun. `loop` delivers the
  // outcome; if null, that is done as without one. Throws only if there is no memory, and the sink is still
  // the kept call's; other failures are outcomes.
  static void send_kept(KeptCall& kept, const std::shared_ptr<reference::ObjectRef>& target, Loop* loop);
  // For calls that did not get a final reply, in threads of the ORB.
  static void send_again(Call& call) noexcept;

 private:
  struct Again {};
  Sending(Call& call, Again);
  explicit Sending(Call& taken) : call_(&taken) {}
  static Call& take(const CORBA::Object& target);
  void begin_call(const CORBA::Object& target, const CallType& type);
  cdr::Encoder& begin_attempt();
  cdr::Encoder& begin_stoppable();
  static void run_here(Call& call) noexcept;
  static void call_synchronously(Call& call);
  static void send_kept_arguments(Call& call);
  static void follow_forward(Call& call);
  void note_stop_token();
  void use_policies();
  void note_policies();
  bool begin_watch();
  void keep_arguments(const GatherBuffer& buffer);
  void keep_more_arguments(const GatherBuffer& buffer);
  static void pass_interception(Call& call, invocation::ClientCall& wire);
  Outcome send_request();
  Outcome send_intercepted();
  Outcome send_here();
  Outcome post();
  Outcome not_posted();

  CORBA::object_reference<CORBA::Object> again_;  // the target of a call that is sent again
  Call* call_;
  bool is_new_ = true;  // not sent again
  bool has_sink_ = false;
  std::size_t arguments_begin_ = 0;  // their CDR index
  std::optional<invocation::ClientCall> wire_;
  // For objects of this process.
  std::optional<GatherBuffer> memory_;
  std::optional<cdr::Encoder> local_;
};

}  // namespace takt::async
