#include "async/deferred/local_exchange.h"

#include <string>

#include <takt/cdr/any.h>
#include <takt/server/server_call.h>

#include "giop/header/message_header.h"
#include "giop/message/reply.h"
#include "giop/message/system_exception.h"
#include "reference/context/thread_context.h"
#include "server/pipeline/dispatcher.h"

namespace takt::async {

LocalExchange::LocalExchange(reference::ObjectRef& ref, std::string_view operation, bool response_expected)
    : ref_(ref),
      operation_(operation),
      response_expected_(response_expected),
      request_(arguments_, cdr::any_format(ref.references()->environment)) {
  request_.set_borrowing(false);
  answer_.path = &path_;
}

void LocalExchange::add(std::span<const giop::ServiceContext> contexts) {
  if (contexts.empty()) return;
  constexpr std::size_t count_bytes = 4;
  GatherBuffer buffer(256);
  cdr::Encoder encoder(buffer, request_.format());
  encoder.set_borrowing(false);
  giop::write_service_contexts(encoder, contexts);
  context_octets_ = buffer.copy(count_bytes);
  request_contexts_ = {static_cast<std::uint32_t>(contexts.size()), context_octets_, cdr::native_order};
}

giop::ReplyStatus LocalExchange::dispatch(ByteView arguments) {
  server::RequestContext context;
  context.response_expected = response_expected_;
  context.object_key = ref_.local_key();
  context.operation = operation_;
  if (!request_contexts_.empty()) context.contexts = &request_contexts_;  // else the thread's trace applies
  if (const auto priority = reference::ThreadContext::mine().priority()) context.priority = *priority;
  {
    server::ServerCall call(context, arguments, 0, request_.format(), answer_);
    ref_.references()->local_calls->dispatch(call);
    if (!response_expected_) return giop::ReplyStatus::no_exception;
    if (needs_connection()) return giop::ReplyStatus::location_forward;  // to the same object
    if (!call.answered())
      throw CORBA::UNKNOWN(0, CORBA::COMPLETED_MAYBE, "the object of this process gave no answer");
    if (call.answer_failed())
      throw CORBA::MARSHAL(0, CORBA::COMPLETED_YES,
                           "the answer of an object of this process can't be encoded");
  }
  std::uint32_t status = 0;
  if (!read_head(status)) throw CORBA::INTERNAL(0, CORBA::COMPLETED_MAYBE, "an unreadable answer");
  return static_cast<giop::ReplyStatus>(status);
}

LocalExchange::Outcome LocalExchange::run() {
  if (!request_.ok())
    cdr::throw_coding_error(request_.error(), CORBA::COMPLETED_NO,
                            "the request of " + std::string(operation_) + " on an object of this process");
  const giop::ReplyStatus status = dispatch({arguments_.owned(), arguments_.owned_size()});
  if (!response_expected_) return Outcome::result;
  switch (status) {
    case giop::ReplyStatus::no_exception:
      return Outcome::result;
    case giop::ReplyStatus::user_exception:
      exception_id_ = reply_->get_raw_string_view();
      return Outcome::user_exception;
    case giop::ReplyStatus::system_exception: {
      giop::SystemExceptionBody body;
      if (!giop::read_system_exception(*reply_, body))
        throw CORBA::MARSHAL(0, CORBA::COMPLETED_MAYBE,
                             "the system exception of " + std::string(operation_) +
                                 " on an object of this process cannot be read");
      cdr::raise_system_exception(body.id, body.minor, body.completed,
                                  std::string(operation_) + " on an object of this process");
    }
    default:
      return Outcome::elsewhere;
  }
}

// The reply has been written by this process, with GIOP 1.2's head: request id, status, contexts.
bool LocalExchange::read_head(std::uint32_t& status) {
  ByteView whole(answer_.owned(), answer_.owned_size());
  if (!answer_.contiguous()) {
    octets_ = answer_.copy();
    whole = octets_;
  }
  cdr::Decoder& in = reply_.emplace(whole, 0, request_.format());
  in.skip(giop::header_size);
  in.get_u32();
  status = in.get_u32();
  const std::uint32_t count = in.get_u32();
  const std::size_t contexts_at = in.position();
  for (std::uint32_t contexts = count; contexts > 0 && in.ok(); --contexts) {
    in.get_u32();
    std::uint32_t size = 0;
    in.get_count(size, 1);
    in.skip(size);
  }
  if (in.ok())
    reply_contexts_ = {count, {whole.data() + contexts_at, whole.data() + in.position()}, in.format().order};
  if (in.ok() && in.remaining() > 0) in.align(8);
  return in.ok();
}

void LocalExchange::finish() const {
  if (!reply_->ok())
    cdr::throw_decoding_error(reply_->error(), reply_->position(), CORBA::COMPLETED_YES,
                              "the reply of " + std::string(operation_) + " from an object of this process");
}

void LocalExchange::throw_unlisted_exception() const {
  throw CORBA::UNKNOWN(
      CORBA::omg_minor(1), CORBA::COMPLETED_YES,
      "the object raised " + std::string(exception_id_) + ", which the request does not list");
}

}  // namespace takt::async
