// One request as a skeleton sees it: arguments to decode, and exactly one answer to encode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/base/gather_buffer.h>
#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>
#include <takt/cdr/exception.h>
#include <takt/cdr/format.h>
#include <takt/cdr/ior.h>
#include <takt/reference/encoded_answer.h>
#include <takt/server/reply_buffer.h>

namespace takt {
class StepLog;
namespace giop {
struct ServiceContext;
class ServiceContexts;
enum class ReplyStatus : std::uint8_t;
}  // namespace giop
}  // namespace takt

namespace takt::server {

// The fields of a request's header that affect its reply.
struct RequestContext {
  std::uint32_t request_id = 0;
  std::uint8_t giop_minor = 2;
  bool short_head = false;  // the answer may have the short head of GIOPlite
  bool response_expected = true;
  ByteView object_key;
  std::string_view operation;
  std::int16_t priority = -1;                       // the RT-CORBA priority in the request; -1: none
  const giop::ServiceContexts* contexts = nullptr;  // null if they were not kept
};

class ServerCall;

// An operation of a servant, to be called without a search.
struct FoundOperation {
  // Decodes, calls and answers. False, without any effect, if the call is for another operation. `servant` is
  // of the skeleton's type.
  bool (*from_wire)(void* servant, ServerCall& call) = nullptr;
  void* servant = nullptr;
};

// Lives on the stack of the thread that runs the upcall, and is not shared. Beginning an answer discards any
// answer begun before, so a skeleton that fails while it encodes results can still answer with an exception.
// If no answer is begun, the caller gets UNKNOWN. It is large because skeletons, dispatchers and strategies
// each see a side of the request; they share its one memory.
class ServerCall {
 public:
  // The rest of a body that is still arriving, as the call's channel reads it.
  class ArrivingBody {
   public:
    // Reads the rest into memory; blocks. Returns the source from which to read the arguments afterwards, or
    // null if the rest does not arrive. Throws CORBA::TRANSIENT or CORBA::NO_MEMORY if the connection's
    // memory budget has no room for it.
    virtual cdr::Decoder::Source* read_to_end() = 0;

   protected:
    ~ArrivingBody() = default;
  };
  // A function to run after the answer has been sent.
  struct Ending {
    void (*run)(std::uint64_t state) noexcept;  // null: no function
    std::uint64_t state;                        // the argument of `run`
  };

  // `body` holds the arguments; it begins at CDR index `body_index` and has that format. The answer has the
  // same format, but in native byte order. `reply` is cleared whenever an answer begins, and must outlive the
  // call.
  ServerCall(const RequestContext& context, ByteView body, std::size_t body_index, const cdr::Format& format,
             GatherBuffer& reply)
      : context_(context), arguments_(body, body_index, format), reply_(reply) {}
  // The same for a call that may be answered later (takt/server/late_answer.h).
  ServerCall(const RequestContext& context, ByteView body, std::size_t body_index, const cdr::Format& format,
             ReplyBuffer& reply)
      : context_(context), features_(has_path), arguments_(body, body_index, format), reply_(reply) {}
  // Call after the answer has been sent: runs the ending, if there is one.
  [[gnu::always_inline]] ~ServerCall() {
    if ((features_ & has_ending) != 0) [[unlikely]] {
      if ((features_ & leaves_first) != 0) [[unlikely]]
        push_answer();
      ending_.run(ending_.state);
    }
  }
  ServerCall(const ServerCall&) = delete;
  ServerCall& operator=(const ServerCall&) = delete;

  std::string_view operation() const { return context_.operation; }
  const ByteView& object_key() const { return context_.object_key; }
  std::uint32_t request_id() const { return context_.request_id; }
  bool response_expected() const { return context_.response_expected; }
  // Marks that no answer is needed any more, because one was sent before the upcall.
  void expect_no_response() { context_.response_expected = false; }
  // The request's RT-CORBA priority, or -1 if it has none.
  std::int16_t priority() const { return context_.priority; }
  bool has_short_head() const { return context_.short_head; }
  std::uint8_t giop_minor() const { return context_.giop_minor; }
  // The request's service contexts as received. Null if this threading strategy does not keep them.
  const giop::ServiceContexts* contexts() const { return context_.contexts; }
  // Answers that are begun from now on carry this RT-CORBA priority, at which the upcall ran.
  void set_reply_priority(std::int16_t priority) {
    features_ |= has_reply_priority;
    reply_priority_ = priority;
  }
  // Makes `log` record the times at which the operation is found and the answer begins. It must outlive the
  // call.
  void probe(StepLog& log) {
    features_ |= probed;
    steps_ = &log;
  }

  // The priority that answers carry, or -1.
  std::int16_t reply_priority() const {
    return (features_ & has_reply_priority) != 0 ? reply_priority_ : std::int16_t{-1};
  }
  // The way for an answer that is given after the upcall; null if there is none.
  AnswerPath* answer_path() const {
    return (features_ & has_path) != 0 ? static_cast<ReplyBuffer&>(reply_).path : nullptr;
  }

  bool is_probed() const { return (features_ & probed) != 0; }

  // Positioned at the first argument. Views into the message stay valid during the upcall.
  cdr::Decoder& arguments() { return arguments_; }

  // Sets the source of the last `missing` octets of the arguments. `body` and `source` must outlive the call.
  void set_arriving(ArrivingBody& body, cdr::Decoder::Source& source, std::size_t missing) {
    features_ |= arrives;
    arriving_ = &body;
    arriving_octets_ = missing;
    arguments_.set_source(&source, missing);
  }
  // Reading the arguments may wait for the peer.
  bool body_arrives() const { return (features_ & arrives) != 0; }
  // Reads all arguments into memory; blocks. Call before decoding the first argument. Returns false if the
  // rest does not arrive. Throws as ArrivingBody::read_to_end() does.
  bool read_body_to_end();

  // Sets the function to run after the answer has been sent. Replaces one set earlier.
  void at_end(const Ending& ending) {
    features_ |= has_ending;
    ending_ = ending;
  }

  // The answer must leave before the ending runs, because that lowers the thread's priority.
  void leave_before_end() { features_ |= leaves_first; }

  // Tells the probe log, if any, that the operation has been found.
  void operation_found() const;
  // Notes an address that identifies the operation and its skeleton in this process, for calls that are
  // counted. Null: the skeleton has no such operation.
  void note_operation(const void* operation) { operation_ = operation; }
  // Only for calls that are counted.
  const void* noted_operation() const { return operation_; }
  // Where the skeleton puts what a search of kind `find` has found (takt/adapter/operation_search.h).
  void search_into(FoundOperation& found) { found_ = &found; }
  FoundOperation& found() { return *found_; }

  // Makes octets_left() tell how many octets of the arguments are left unread. Call before the upcall.
  void watch_octets_left() {
    features_ |= watches_octets_left;
    octets_left_ = 0;
  }
  // The skeleton leaves octets unread that belong to the operation, such as its context.
  void leaves_octets() { features_ &= ~watches_octets_left; }
  // After the upcall. 0 if the operation's result is no answer to its arguments, as after a system exception.
  std::size_t octets_left() const;

  // Whether an exception of that kind was given as answer, even if another answer has replaced it.
  bool raised_user_exception() const { return (features_ & raised_user) != 0; }
  bool raised_system_exception() const { return (features_ & raised_system) != 0; }
  bool raised() const { return (features_ & (raised_user | raised_system)) != 0; }

  // Begins the answers of a call in place of the call itself.
  class Interception {
   public:
    virtual ~Interception() = default;
    // Uses begin_with().
    virtual cdr::Encoder& begin(ServerCall& call, giop::ReplyStatus status, bool has_body) = 0;
  };
  // `interception` must outlive the call's last answer. Null ends it.
  void intercept(Interception* interception) {
    features_ = interception ? features_ | intercepted : features_ & ~intercepted;
    interception_ = interception;
  }
  // Begins an answer with these contexts, to which the call's own are added.
  cdr::Encoder& begin_with(giop::ReplyStatus status, bool has_body,
                           std::vector<giop::ServiceContext>& contexts);
  // Writes the answer anew with these contexts. Its body now begins at `body_at`. Allocates.
  void renew_head(giop::ReplyStatus status, std::size_t body_at, std::vector<giop::ServiceContext>& contexts);

  // Begins a normal answer. Encode the return value, then the inout and out parameters in IDL order.
  cdr::Encoder& begin_reply(bool has_results = true);
  // Begins a user exception and writes its repository id. Encode its members next.
  cdr::Encoder& begin_user_exception(std::string_view repository_id);
  // Answers with the exception; does nothing if no response is expected. In both cases the format's
  // environment, which reports failures, is given the exception with its text.
  void system_exception(const CORBA::SystemException& exception);
  // Forwards the caller to `target`. `permanent` has an effect only for callers with GIOP 1.2.
  void forward(const cdr::Ior& target, bool permanent);
  // Answers with a copy of an encoded answer, in the request's GIOP version. Allocates.
  void pass_on(const reference::EncodedAnswer& answer);

  bool answered() const { return encoder_.has_value(); }
  // Discards the answer that was begun, if any.
  void discard_answer() { encoder_.reset(); }
  // Whether encoding the answer failed: a string was too long, a character has no code, and so on.
  bool answer_failed() const { return encoder_ && !encoder_->ok(); }
  // The answer as encoded so far. The channel completes and sends it.
  GatherBuffer& reply() { return reply_; }

 private:
  void push_answer() noexcept;
  cdr::Encoder& begin(giop::ReplyStatus status, bool has_body);
  cdr::Encoder& begin_with_extras(giop::ReplyStatus status, bool has_body);
  void put_encoded(cdr::ByteOrder order, giop::ReplyStatus status,
                   std::span<const giop::ServiceContext> contexts, ByteView body, std::size_t body_index);
  cdr::Encoder& begin_with_all(giop::ReplyStatus status, bool has_body,
                               std::span<const giop::ServiceContext> contexts);
  cdr::Encoder& empty_reply(cdr::ByteOrder order = cdr::native_order);

  RequestContext context_;
  static constexpr std::uint32_t probed = 4, has_reply_priority = 8, arrives = 16, has_ending = 32,
                                 has_path = 64, watches_octets_left = 128, intercepted = 256,
                                 leaves_first = 512, raised_user = 1024, raised_system = 2048;
  std::uint32_t features_ = 0;  // a set of the bits above
  cdr::Decoder arguments_;
  GatherBuffer& reply_;
  std::int16_t reply_priority_;  // if has_reply_priority
  StepLog* steps_;               // if probed
  Interception* interception_;   // if intercepted
  ArrivingBody* arriving_;       // if arrives
  std::size_t arriving_octets_;
  const void* operation_;    // if note_operation() was called
  FoundOperation* found_;    // if search_into() was called
  std::size_t octets_left_;  // if watches_octets_left
  Ending ending_;            // if has_ending
  std::optional<cdr::Encoder> encoder_;
};

}  // namespace takt::server
