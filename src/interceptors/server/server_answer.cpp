// The answer of a request: what it says, and how interceptors change it.
#include <algorithm>
#include <utility>

#include <takt/cdr/operation.h>

#include "giop/message/reply.h"
#include "giop/message/system_exception.h"
#include "interceptors/server/reply_head.h"
#include "interceptors/server/server_flow.h"
#include "reference/object_ref.h"

namespace takt::interceptors {

PortableInterceptor::ReplyStatus ServerFlow::status() const {
  switch (kind_) {
    case Kind::results:
      return PortableInterceptor::SUCCESSFUL;
    case Kind::exception:
      return PortableInterceptor::SYSTEM_EXCEPTION;
    case Kind::user_exception:
      return PortableInterceptor::USER_EXCEPTION;
    case Kind::other:
      break;
  }
  return retried_ ? PortableInterceptor::TRANSPORT_RETRY : PortableInterceptor::LOCATION_FORWARD;
}

void ServerFlow::add_context(const IOP::ServiceContext& context, bool replace) {
  added_.add(context, replace);
  has_state_ = added_late_ = true;
  if (!call_ || begins_) return;
  begins_ = true;
  if (call_->answered()) read_head();
  call_->intercept(this);
}

cdr::Encoder& ServerFlow::begin(server::ServerCall& call, giop::ReplyStatus status, bool has_body) {
  contexts_.clear();
  if (!added_.empty()) contexts_.assign(added_.views().begin(), added_.views().end());
  added_late_ = false;
  cdr::Encoder& encoder = call.begin_with(status, has_body, contexts_);
  answered_ = status;
  body_at_ = call.reply().size();
  return encoder;
}

void ServerFlow::read_head() {
  const std::uint8_t* const head = call_->reply().owned();
  const bool swapped = is_swapped(head);
  answered_ = static_cast<giop::ReplyStatus>(number_at(head + status_at, swapped));
  std::size_t at = contexts_at;
  const std::uint32_t count = number_at(head + at, swapped);
  at += 4;
  for (std::uint32_t i = 0; i < count; ++i)  // each has a number and a sequence of octets
    at = (at + 3) / 4 * 4 + 8 + number_at(head + (at + 3) / 4 * 4 + 4, swapped);
  body_at_ = std::min((at + 7) / 8 * 8, call_->reply().size());
}

namespace {

std::exception_ptr system_exception_in(cdr::Decoder& in) {
  giop::SystemExceptionBody body;
  if (!giop::read_system_exception(in, body)) return std::make_exception_ptr(CORBA::UNKNOWN());
  try {
    cdr::raise_system_exception(body.id, body.minor, body.completed);
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace

[[gnu::cold, gnu::noinline]] void ServerFlow::learn_outcome() {
  has_state_ = true;
  if (!call_->answered()) {
    kind_ = Kind::exception;
    exception_ = std::make_exception_ptr(CORBA::UNKNOWN(0, CORBA::COMPLETED_MAYBE));
    return;
  }
  if (has_readable_head(*call_)) read_head();
  using Status = giop::ReplyStatus;
  const Status answered = answered_;
  const std::vector<std::uint8_t> body = call_->reply().copy(body_at_);
  cdr::Decoder in(body, 0, call_->arguments().format());
  const bool swapped = is_swapped(call_->reply().owned());
  in.set_encoding(
      swapped == (cdr::native_order == cdr::ByteOrder::big) ? cdr::ByteOrder::little : cdr::ByteOrder::big,
      call_->giop_minor());
  if (answered == Status::system_exception) {
    kind_ = Kind::exception;
    exception_ = system_exception_in(in);
  } else if (answered == Status::user_exception) {
    kind_ = Kind::user_exception;
    exception_id_ = in.get_raw_string_view();
  } else {
    kind_ = Kind::other;
    cdr::Ior ior;
    if (cdr::read_ior(in, ior))
      forward_ = reference::make_stub<CORBA::Object>(orb_->references->from_ior(std::move(ior)));
  }
}

void ServerFlow::answer() {
  if (!replaced_) {
    if (!call_->answered()) return;
    contexts_.assign(added_.views().begin(), added_.views().end());
    call_->renew_head(answered_, body_at_, contexts_);
    return;
  }
  call_->discard_answer();
  if (!response_expected()) return;
  if (kind_ == Kind::other) return call_->forward(forward_->_ref()->ior(), false);
  try {
    std::rethrow_exception(exception_);
  } catch (const CORBA::SystemException& exception) {
    call_->system_exception(exception);
  }
}

}  // namespace takt::interceptors
