// One request as a skeleton sees it: arguments to decode, and exactly one answer to encode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <takt/base/bytes.h>
#include <takt/base/gather_buffer.h>
#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>
#include <takt/cdr/exception.h>
#include <takt/cdr/format.h>
#include <takt/cdr/ior.h>
#include <takt/reference/encoded_answer.h>

namespace takt {
class StepLog;
namespace giop {
class ServiceContexts;
enum class ReplyStatus : std::uint8_t;
}  // namespace giop
}  // namespace takt

namespace takt::server {

// What of a request's head its answer depends on.
struct RequestContext {
  std::uint32_t request_id = 0;
  std::uint8_t giop_minor = 2;
  bool short_head = false;  // the answer may have the short head of GIOPlite
  bool response_expected = true;
  ByteView object_key;
  std::string_view operation;
  std::int16_t priority = -1;                       // RT-CORBA's, if the request carries one
  const giop::ServiceContexts* contexts = nullptr;  // null where they were not kept
};

// Lives on the stack of the thread that runs the upcall, for as long as the upcall; not shared.
// An answer begun anew replaces what was encoded before it, so a skeleton that fails halfway through
// its results may still answer with an exception. Without an answer, the caller gets UNKNOWN.
class ServerCall {
 public:
  // The rest of a body that is still arriving, as the call's channel reads it.
  class ArrivingBody {
   public:
    // Reads all of it into memory. What the arguments are read from then; null: it does not come. Throws
    // CORBA::TRANSIENT or CORBA::NO_MEMORY where the connection's budget has no room for it.
    virtual cdr::Decoder::Source* read_to_end() = 0;

   protected:
    ~ArrivingBody() = default;
  };
  // What somebody wants to do once the answer has been sent.
  struct Ending {
    void (*run)(std::uint64_t state) noexcept;  // null: nothing
    std::uint64_t state;                        // what it needs for that
  };

  // The arguments are `body`, which begins at CDR index `body_index` and is of that format; the answer is of
  // the same but for the byte order, which is our own. `reply` is cleared whenever an answer begins, and
  // outlives the call.
  ServerCall(const RequestContext& context, ByteView body, std::size_t body_index, const cdr::Format& format,
             GatherBuffer& reply)
      : context_(context), arguments_(body, body_index, format), reply_(reply) {}
  // After the answer has been sent.
  ~ServerCall() {
    if ((unusual_ & has_ending) != 0) [[unlikely]]
      ending_.run(ending_.state);
  }
  ServerCall(const ServerCall&) = delete;
  ServerCall& operator=(const ServerCall&) = delete;

  std::string_view operation() const { return context_.operation; }
  const ByteView& object_key() const { return context_.object_key; }
  std::uint32_t request_id() const { return context_.request_id; }
  bool response_expected() const { return context_.response_expected; }
  // Its answer has been sent before its upcall.
  void expect_no_response() { context_.response_expected = false; }
  // The request's RT-CORBA priority; -1: it has none.
  std::int16_t priority() const { return context_.priority; }
  std::uint8_t giop_minor() const { return context_.giop_minor; }
  // As they came; null where this way to serve does not keep them.
  const giop::ServiceContexts* contexts() const { return context_.contexts; }
  // An answer that is begun from now on says at which priority the upcall ran.
  void tell_priority(std::int16_t priority) {
    unusual_ |= tells_priority;
    told_priority_ = priority;
  }
  // The log, which outlives the call, is told when the operation has been found, and when its answer begins.
  void probe(StepLog& log) {
    unusual_ |= probed;
    steps_ = &log;
  }

  // At the first argument. Views into the message stay valid during the upcall.
  cdr::Decoder& arguments() { return arguments_; }

  // The arguments arrive by `body`, of which so many octets are missing. It outlives the call.
  void set_arriving(ArrivingBody& body, cdr::Decoder::Source& source, std::size_t missing) {
    unusual_ |= arrives;
    arriving_ = &body;
    arriving_octets_ = missing;
    arguments_.set_source(&source, missing);
  }
  // Reading the arguments may wait for the peer.
  bool body_arrives() const { return (unusual_ & arrives) != 0; }
  // Before the first argument: they are all in memory from then on. False: the rest does not come.
  bool read_body_to_end();

  // Replaces the one before.
  void at_end(const Ending& ending) {
    unusual_ |= has_ending;
    ending_ = ending;
  }

  // For whoever wants to know when.
  void operation_found() const;

  // A normal answer: return value, then inout and out parameters, in the encoder's order.
  cdr::Encoder& begin_reply(bool has_results = true);
  // A user exception; its repository id is written, its members follow.
  cdr::Encoder& begin_user_exception(std::string_view repository_id);
  // Nothing where no response is expected. The server's own people get the exception's text.
  void system_exception(const CORBA::SystemException& exception);
  // Sends the caller elsewhere, for good when `permanent` (GIOP 1.2; for older callers as if not).
  void forward(const cdr::Ior& target, bool permanent);
  // As it is, copied; its version is the request's. Allocates.
  void pass_on(const reference::EncodedAnswer& answer);

  bool answered() const { return encoder_.has_value(); }
  // As if no answer had been begun.
  void discard_answer() { encoder_.reset(); }
  // The answer could not be encoded (a string too long, a character without code, ...).
  bool answer_failed() const { return encoder_ && !encoder_->ok(); }
  // The answer so far; the channel finishes and sends it.
  GatherBuffer& reply() { return reply_; }

 private:
  cdr::Encoder& begin(giop::ReplyStatus status, bool has_body);
  cdr::Encoder& begin_with_extras(giop::ReplyStatus status, bool has_body);
  cdr::Encoder& empty_reply(cdr::ByteOrder order = cdr::native_order);

  RequestContext context_;
  static constexpr std::uint32_t probed = 4, tells_priority = 8, arrives = 16, has_ending = 32;
  std::uint32_t unusual_ = 0;  // these bits
  cdr::Decoder arguments_;
  GatherBuffer& reply_;
  std::int16_t told_priority_;  // if tells_priority
  StepLog* steps_;              // if probed
  ArrivingBody* arriving_;      // if arrives
  std::size_t arriving_octets_;
  Ending ending_;  // if has_ending
  std::optional<cdr::Encoder> encoder_;
};

}  // namespace takt::server
