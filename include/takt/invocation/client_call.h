// One invocation as a stub sees it: encode the arguments, get an outcome, decode the results.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <takt/base/octet_buffer.h>
#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>
#include <takt/reference/object.h>

namespace takt {
enum class LogEvent : std::uint8_t;
struct OperationId;
}  // namespace takt
namespace takt::async {
class KeptCall;
class Sending;
}  // namespace takt::async
namespace takt::bridge {
class RelayedCall;
}
namespace takt::client {
class ClientChannel;
struct Binding;
}  // namespace takt::client
namespace takt::giop {
struct ServiceContext;
}
namespace takt::reference {
class ObjectRef;
struct Route;
}  // namespace takt::reference

namespace takt::invocation {

class CallInterception;
class CallSeries;
class InterceptedCalls;
struct RelayedRequest;

// Use in a stub:
//
//   ClientCall call(target, "cube_octet", {.response_expected = true, .has_arguments = true});
//   do { encode(call.begin()); } while ((outcome = call.exchange()) == Outcome::again);
//   decode(call.reply()); call.finish();
//
// Lives on the caller's stack; one thread. begin() and exchange() block up to the round-trip timeout and
// throw CORBA system exceptions. In steady state neither allocates; with an exclusive connection neither
// locks. It is large because the state of a call stands on its caller's stack, in one place.
class ClientCall {
 public:
  enum class Outcome : std::uint8_t { result, user_exception, again };

  // The parts that an operation's messages have.
  struct Shape {
    bool response_expected;
    bool has_arguments;
  };
  ClientCall(const CORBA::Object& target, std::string_view operation, Shape shape)
      : ref_(target._ref().get()),
        operation_(operation),
        response_expected_(shape.response_expected),
        has_arguments_(shape.has_arguments),
        response_flags_(shape.response_expected ? 3 : 0) {}
  ~ClientCall() {
    if (channel_) [[unlikely]]
      abandon();
  }
  ClientCall(const ClientCall&) = delete;
  ClientCall& operator=(const ClientCall&) = delete;

  // Memory lent by the connection that the call would use. The connection is then released. Usually none.
  OctetBuffer borrow(std::size_t bytes);
  // Takes a connection and writes the request header. The encoder is then at the first argument.
  cdr::Encoder& begin();
  // Sends the request and waits for its outcome. After `again` (the object has moved, or the server closed
  // before it began) call begin() again. A oneway's outcome is `result` once the transport has accepted it.
  Outcome exchange();
  // Positioned at the results, or at the first member of the user exception.
  cdr::Decoder& reply() { return *reply_; }
  // The user exception's repository id; a view into the reply.
  std::string_view exception_id() const { return exception_id_; }
  // Call after decoding the results: throws MARSHAL if that failed, and releases the connection.
  void finish();

  // Throws UNKNOWN minor 1: the operation does not declare the user exception.
  [[noreturn]] void throw_unlisted_exception();

  // Throws NO_MEMORY, after std::bad_alloc while encoding or decoding.
  [[noreturn]] void throw_no_memory();

 private:
  friend class async::KeptCall;
  friend class async::Sending;
  friend class bridge::RelayedCall;
  friend class CallSeries;
  friend class InterceptedCalls;
  struct Readdressed;
  class OwnContexts;
  const client::Binding& take_channel();
  cdr::Encoder& begin_attempt();
  cdr::Encoder& begin_attempt_with_contexts();
  // As begin(), while the thread's calls use other connections (client::ThreadChannels::UsingStrategy).
  cdr::Encoder& begin_aside();
  InterceptedCalls& interceptors() const;
  void count_redirection();
  bool introduces() const;
  cdr::Encoder& begin_relayed(const RelayedRequest& request);
  cdr::Encoder& begin_with_contexts(const client::Binding& binding);
  cdr::Encoder& begin_short_or_full(const client::Binding& binding);
  void note_policies(const client::Binding& binding);
  void note(LogEvent event, const std::string& peer, const std::string& reason) const;
  void note_octets_left() const noexcept;
  template <bool relayed>
  Outcome exchange_one();
  Outcome exchange_relayed();
  void note_reply();
  Outcome not_encoded();
  // How an exchange ended that brought no results. `sent`: the call is a oneway, and the transport has it.
  enum class Ended : std::uint8_t { failed, sent, replied };
  Outcome outcome_without_results(Ended how);
  void finish_watched();
  void finish_attempt();
  std::span<const giop::ServiceContext> all_of(const OwnContexts& own) const;
  void abandon();
  Outcome reply_with_other_status();
  Outcome not_answered();
  Outcome accepted();
  Outcome redirected();
  Outcome readdressed();
  void release();
  // Releases the channel, and returns its description.
  std::string release_and_describe();
  void note_reissued() const;
  // Whether the channel is released, or will bring the replies to further calls.
  enum class After : std::uint8_t { releases, goes_on };
  [[noreturn]] void throw_system_exception(cdr::Decoder& reply, After after);

  reference::ObjectRef* ref_;
  client::ClientChannel* channel_ = nullptr;  // null unless the call holds a channel
  const reference::Route* route_ = nullptr;
  std::shared_ptr<Readdressed> readdressed_;  // set if the server wants more than the key
  std::string_view operation_;
  std::string_view exception_id_;
  std::uint32_t request_id_;
  std::uint32_t redirections_ = 0;
  bool response_expected_;
  bool has_arguments_;
  std::uint8_t response_flags_;
  bool has_policies_ = false;  // whether `policies_` is initialized
  bool intercepted_ = false;   // whether `interception_` is initialized
  std::chrono::nanoseconds timeout_;
  CallInterception* interception_;
  // Effects of policies and of the thread's quality on this call.
  struct Policies {
    std::chrono::steady_clock::time_point request_by, reply_by;
    bool transparent;  // may be retried at another address
    bool carries_quality;
  };
  union {
    Policies policies_;
  };
  std::optional<cdr::Encoder> request_;
  std::optional<cdr::Decoder> reply_;
};

// Runs the operation on a servant of this ORB without marshaling, if the target is in this process and its
// servant was generated from the same operation. `arguments` is the frame on which skeleton and stub agree
// (<takt/cdr/operation.h>). Returns false if the call must use the wire. Exceptions are the same as over the
// wire.
bool call_local(const CORBA::Object& target, const OperationId& operation, void* arguments);

}  // namespace takt::invocation
