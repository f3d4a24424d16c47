#include "interceptors/server/server_flow.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include <takt/cdr/operation.h>
#include <takt/reference/watched_call.h>

#include "giop/message/reply.h"
#include "giop/message/system_exception.h"
#include "interceptors/client/client_flow.h"
#include "interceptors/common/raised.h"
#include "interceptors/server/server_info.h"
#include "reference/object_ref.h"

namespace takt::interceptors {

using Interceptor = PortableInterceptor::ServerRequestInterceptor;

ServerFlow::ServerFlow() = default;
ServerFlow::~ServerFlow() = default;

[[gnu::always_inline]] inline void ServerFlow::begin_request(OrbInterceptors& orb, std::string_view operation,
                                                             const ByteView& key) {
  orb_ = &orb;
  operation_ = operation;
  key_ = key;
  request_id_ = 0;
}

[[gnu::cold, gnu::noinline]] void ServerFlow::forget() noexcept {
  used_ = false;
  begun_ = 0;
  added_.clear();
  slots_.clear();
  upcall_ = nullptr;
  poa_ = nullptr;
  other_key_.clear();
  values_ = nullptr;
  begins_ = replaced_ = retried_ = added_late_ = false;
  kind_ = Kind::results;
  exception_ = nullptr;
  user_exception_.reset();
  forward_.reset();
}

// There is none, or an interceptor has kept it.
[[gnu::cold, gnu::noinline]] void ServerFlow::make_info() {
  if (info_reference_) info_->close();
  auto info = std::make_shared<ServerInfo>(*this);
  info_ = info.get();
  info_reference_ = CORBA::object_reference<PortableInterceptor::ServerRequestInfo>(std::move(info));
}

// Each caller has a constant function, so inlining makes a virtual call of a call by pointer.
[[gnu::always_inline]] inline void ServerFlow::run(Interceptor& interceptor, unsigned point, Point function) {
  if (info_reference_.shared().use_count() != 1) [[unlikely]]
    make_info();
  info_->open(point);
  (interceptor.*function)(info_reference_);
}

std::uint32_t ServerFlow::request_id() {
  while (request_id_ == 0) request_id_ = orb_->next_request_id();
  return request_id_;
}

// Handles the exception that a point has thrown.
[[gnu::cold, gnu::noinline]] bool ServerFlow::point_has_thrown(bool may_forward) {
  if (info_) info_->close();  // there is none if there was no memory for it
  become(thrown_by_interceptor(may_forward));
  return false;
}

[[gnu::always_inline]] inline bool ServerFlow::start() {
  list_ = orb_->servers_of[local_].data();
  const std::size_t count = orb_->servers_of[local_].size();
  try {
    for (; begun_ != count; ++begun_)
      run(*list_[begun_], server_point::receive_contexts, &Interceptor::receive_request_service_contexts);
  } catch (...) {
    return point_has_thrown(true);
  }
  if (info_) info_->close();
  if (orb_->slots != 0) [[unlikely]]
    slots_of_thread(orb_->serial) = slots_;
  return true;
}

// The intermediate points. An exception prevents the upcall.
bool ServerFlow::found(const adapter::UpcallFrame& upcall) {
  upcall_ = &upcall;
  poa_ = adapter::poa_of(upcall).shared_from_this();
  if (upcall.key().data() != key_.data()) [[unlikely]] {
    used_ = true;
    other_key_.assign(upcall.key().begin(), upcall.key().end());
  }
  try {
    for (std::size_t i = 0; i != begun_; ++i)
      run(*list_[i], server_point::receive_request, &Interceptor::receive_request);
  } catch (...) {
    upcall_ = nullptr;
    return point_has_thrown(true);
  }
  if (info_) info_->close();
  return true;
}

void ServerFlow::served(std::shared_ptr<const reference::ShownValues> values) {
  used_ = true;
  values_ = std::move(values);
}

void ServerFlow::become(Thrown thrown) {
  used_ = true;
  replaced_ = true;
  user_exception_.reset();
  exception_ = std::move(thrown.exception);
  forward_ = std::move(thrown.forward);
  kind_ = exception_ ? Kind::exception : Kind::other;
}

[[gnu::always_inline]] inline void ServerFlow::unwind() {
  upcall_ = nullptr;
  if (kind_ != Kind::results) [[unlikely]]
    return unwind_with_exceptions();
  try {
    while (begun_ != 0) run(*list_[--begun_], server_point::send_reply, &Interceptor::send_reply);
  } catch (...) {
    point_has_thrown(false);
    return unwind_with_exceptions();
  }
  if (info_) info_->close();
}

// The outcome is no result, or was replaced.
[[gnu::cold, gnu::noinline]] void ServerFlow::unwind_with_exceptions() {
  while (begun_ != 0) {
    Interceptor& top = *list_[--begun_];
    try {
      if (kind_ == Kind::other)
        run(top, server_point::send_other, &Interceptor::send_other);
      else
        run(top, server_point::send_exception, &Interceptor::send_exception);
    } catch (...) {
      point_has_thrown(true);
    }
  }
  if (info_) info_->close();
}

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
  used_ = added_late_ = true;
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

namespace {

// The head of a reply of GIOP 1.2, which is never borrowed: its number, status and contexts follow 12 octets.
constexpr std::size_t status_at = 16, contexts_at = 20;

std::uint32_t number_at(const std::uint8_t* octets, bool swapped) {
  std::uint32_t number;
  std::memcpy(&number, octets, sizeof(number));
  return swapped ? std::byteswap(number) : number;
}
// Whether a message is not in native order.
bool is_swapped(const std::uint8_t* message) {
  const bool little = (message[6] & 1) != 0;
  return little != (std::endian::native == std::endian::little);
}

}  // namespace

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

// Exceptions of oneways get no answer, so they look like results. So does an upcall whose servant answers
// later.
[[gnu::always_inline]] inline bool ServerFlow::has_results() {
  if (!call_->answered()) return !call_->response_expected();
  // The same number in either order.
  static_assert(static_cast<std::uint32_t>(giop::ReplyStatus::no_exception) == 0);
  if (begins_) [[unlikely]] {
    if (has_readable_head()) read_head();  // not every answer was begun by the flow
    return answered_ == giop::ReplyStatus::no_exception;
  }
  return number_at(call_->reply().owned() + status_at, false) == 0;
}

template <class Dispatch>
[[gnu::always_inline]] inline void ServerFlow::serve_between_points(Dispatch dispatch) {
  if (start()) {
    adapter::UpcallObserver::set(this);
    dispatch();
    adapter::UpcallObserver::clear();
    if (orb_->slots != 0) [[unlikely]]
      slots_ = slots_of_thread(orb_->serial);
  }
  if (!replaced_ && !has_results()) [[unlikely]]
    learn_outcome();
  unwind();
}

template <class Dispatch>
[[gnu::always_inline]] inline void ServerFlow::serve_by(OrbInterceptors& orb, server::ServerCall& call,
                                                        Dispatch dispatch) noexcept {
  begin_request(orb, call.operation(), call.object_key());
  call_ = &call;
  local_ = false;
  response_expected_ = call.response_expected();
  if (!has_readable_head() || early_) [[unlikely]] {
    begins_ = used_ = true;
    call.intercept(this);
  }
  try {
    if (orb.slots == 0) [[likely]] {
      serve_between_points(dispatch);
    } else {
      const SlotsKept kept(orb.serial);
      serve_between_points(dispatch);
    }
    if (replaced_ || added_late_) [[unlikely]]
      answer();
  } catch (...) {
    call.discard_answer();  // for lack of memory
  }
  if (begins_) [[unlikely]]
    call.intercept(nullptr);
  call_ = nullptr;
  if (used_ || orb.slots != 0) [[unlikely]]
    forget();
  else
    poa_ = nullptr;
}

void ServerFlow::serve(OrbInterceptors& orb, server::ServerCall& call, server::Dispatcher& next) noexcept {
  serve_by(orb, call, [&] { next.dispatch(call); });
}

[[gnu::cold]] void ServerFlow::serve_early(OrbInterceptors& orb, server::ServerCall& call,
                                           server::EarlyReply& early, server::Dispatcher& next) noexcept {
  early_ = &early;
  serve_by(orb, call, [&] { next.dispatch_early(call, *this); });
  early_ = nullptr;
}

bool ServerFlow::send(server::ServerCall& call) noexcept {
  call.intercept(nullptr);
  const bool sent = early_->send(call);
  call.intercept(this);
  response_expected_ = false;
  return sent;
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
  used_ = true;
  if (!call_->answered()) {
    kind_ = Kind::exception;
    exception_ = std::make_exception_ptr(CORBA::UNKNOWN(0, CORBA::COMPLETED_MAYBE));
    return;
  }
  if (has_readable_head()) read_head();
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
  if (!response_expected_) return;
  if (kind_ == Kind::other) return call_->forward(forward_->_ref()->ior(), false);
  try {
    std::rethrow_exception(exception_);
  } catch (const CORBA::SystemException& exception) {
    call_->system_exception(exception);
  }
}

reference::LocalAnswer ServerFlow::serve_local(OrbInterceptors& orb, const OperationId& operation,
                                               void* arguments, const ByteView& key,
                                               server::Dispatcher& next) {
  using reference::LocalAnswer;
  struct Forgets {
    ServerFlow& flow;
    ~Forgets() { flow.forget(); }
  } const forgets{*this};
  begin_request(orb, operation.name, key);
  used_ = true;
  local_ = true;
  response_expected_ = !operation.one_way;
  LocalAnswer answer = LocalAnswer::done;
  std::exception_ptr raised;
  {
    std::optional<SlotsKept> kept;
    if (orb.slots != 0) kept.emplace(orb.serial);
    if (start()) {
      adapter::UpcallObserver::set(this);
      const reference::WatchedCall watched;
      try {
        answer = next.call_local(operation, arguments, key);
      } catch (const CORBA::SystemException&) {
        raised = std::current_exception();
        if (!replaced_) exception_ = raised;
        if (!replaced_) kind_ = Kind::exception;
      } catch (const CORBA::UserException& exception) {
        raised = std::current_exception();
        kind_ = Kind::user_exception;
        exception_id_ = exception._rep_id();
        if (exception._form()) user_exception_ = cdr::exception_to_any(exception);
      }
      adapter::UpcallObserver::clear();
      if (orb.slots != 0) slots_ = slots_of_thread(orb.serial);
    }
    if (answer == LocalAnswer::by_wire && !replaced_) {
      kind_ = Kind::other;
      retried_ = true;
    }
    unwind();
  }
  if (ClientFlow* const caller = ClientFlow::local_call()) caller->keep_reply_contexts(added_);
  if (replaced_) {
    if (kind_ == Kind::other) throw reference::LocalForward{forward_->_ref()->ior()};
    std::rethrow_exception(exception_);
  }
  if (raised) std::rethrow_exception(raised);
  return answer;
}

}  // namespace takt::interceptors
