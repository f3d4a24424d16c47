#include "interceptors/server/server_flow.h"

#include <algorithm>
#include <utility>

#include <takt/cdr/operation.h>

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

void ServerFlow::begin_request(OrbInterceptors& orb, std::string_view operation, const ByteView& key) {
  orb_ = &orb;
  operation_ = operation;
  key_ = key;
  request_id_ = orb.next_request_id();
  kind_ = Kind::results;
  replaced_ = retried_ = added_late_ = false;
}

void ServerFlow::forget() {
  stack_.clear();
  if (!added_.empty()) added_.clear();
  if (orb_->slots != 0) slots_.clear();
  upcall_ = nullptr;
  poa_ = nullptr;
  other_key_.clear();
  if (kind_ == Kind::results) return;  // the rest is unchanged
  exception_ = nullptr;
  user_exception_.reset();
  forward_.reset();
}

// There is none, or an interceptor has kept it.
[[gnu::cold, gnu::noinline]] void ServerFlow::make_info() {
  auto info = std::make_shared<ServerInfo>();
  info_ = info.get();
  info_reference_ = CORBA::object_reference<PortableInterceptor::ServerRequestInfo>(std::move(info));
}

// Inlined, because each caller has a constant function and so makes a virtual call instead of one by pointer.
[[gnu::always_inline]] inline void ServerFlow::run(std::size_t interceptor, unsigned point, Point function) {
  if (info_reference_.shared().use_count() != 1) [[unlikely]]
    make_info();
  struct Open {
    ServerInfo& info;
    ~Open() { info.close(); }
  } const open{*info_};
  info_->open(*this, point);
  ((*orb_->servers[interceptor].interceptor).*function)(info_reference_);
}

bool ServerFlow::start() {
  for (std::size_t i = 0; i < orb_->servers.size(); ++i) {
    if (!orb_->servers[i].sees(local_)) continue;
    try {
      run(i, server_point::receive_contexts, &Interceptor::receive_request_service_contexts);
    } catch (...) {
      become(thrown_by_interceptor(true));
      return false;
    }
    stack_.push_back(i);
  }
  if (orb_->slots != 0) slots_of_thread(orb_->serial) = slots_;
  return true;
}

// The intermediate points. What one throws prevents the upcall.
bool ServerFlow::found(const adapter::UpcallFrame& upcall) {
  upcall_ = &upcall;
  poa_ = adapter::poa_of(upcall).shared_from_this();
  if (upcall.key().data() != key_.data()) other_key_.assign(upcall.key().begin(), upcall.key().end());
  for (const std::size_t i : stack_) {
    try {
      run(i, server_point::receive_request, &Interceptor::receive_request);
    } catch (...) {
      become(thrown_by_interceptor(true));
      upcall_ = nullptr;
      return false;
    }
  }
  return true;
}

void ServerFlow::become(Thrown thrown) {
  replaced_ = true;
  user_exception_.reset();
  exception_ = std::move(thrown.exception);
  forward_ = std::move(thrown.forward);
  kind_ = exception_ ? Kind::exception : Kind::other;
}

void ServerFlow::unwind() {
  upcall_ = nullptr;
  while (!stack_.empty()) {
    const std::size_t top = stack_.back();
    stack_.pop_back();
    const bool replies = kind_ == Kind::results;
    try {
      if (replies)
        run(top, server_point::send_reply, &Interceptor::send_reply);
      else if (kind_ == Kind::other)
        run(top, server_point::send_other, &Interceptor::send_other);
      else
        run(top, server_point::send_exception, &Interceptor::send_exception);
    } catch (...) {
      become(thrown_by_interceptor(!replies));
    }
  }
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

cdr::Encoder& ServerFlow::begin(server::ServerCall& call, giop::ReplyStatus status, bool has_body) {
  contexts_.clear();
  if (!added_.empty()) contexts_.assign(added_.views().begin(), added_.views().end());
  added_late_ = false;
  cdr::Encoder& encoder = call.begin_with(status, has_body, contexts_);
  answered_ = status;
  body_at_ = call.reply().size();
  return encoder;
}

template <class Dispatch>
[[gnu::always_inline]] inline void ServerFlow::serve_between_points(Dispatch dispatch) {
  std::optional<SlotsKept> kept;
  if (orb_->slots != 0) kept.emplace(orb_->serial);
  if (start()) {
    adapter::UpcallObserver::set(this);
    dispatch();
    adapter::UpcallObserver::set(nullptr);
    if (orb_->slots != 0) slots_ = slots_of_thread(orb_->serial);
  }
  if (!replaced_) learn_outcome();
  unwind();
}

template <class Dispatch>
[[gnu::always_inline]] inline void ServerFlow::serve_by(OrbInterceptors& orb, server::ServerCall& call,
                                                        Dispatch dispatch) noexcept {
  begin_request(orb, call.operation(), call.object_key());
  call_ = &call;
  local_ = false;
  response_expected_ = call.response_expected();
  call.intercept(this);
  try {
    serve_between_points(dispatch);
    answer();
  } catch (...) {
    call.discard_answer();  // for lack of memory
  }
  call.intercept(nullptr);
  call_ = nullptr;
  forget();
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

// Exceptions of oneways get no answer, so they look like results. So does an upcall whose servant answers
// later.
void ServerFlow::learn_outcome() {
  if (!call_->answered()) {
    if (!call_->response_expected()) return;
    kind_ = Kind::exception;
    exception_ = std::make_exception_ptr(CORBA::UNKNOWN(0, CORBA::COMPLETED_MAYBE));
    return;
  }
  using Status = giop::ReplyStatus;
  const Status answered = answered_;
  if (answered == Status::no_exception) return;
  const std::vector<std::uint8_t> body = call_->reply().copy(body_at_);
  cdr::Decoder in(body, 0, call_->arguments().format());
  in.set_encoding(cdr::native_order, call_->giop_minor());
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
    if (!added_late_ || !call_->answered()) return;
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
  local_ = true;
  response_expected_ = !operation.one_way;
  LocalAnswer answer = LocalAnswer::done;
  std::exception_ptr raised;
  {
    std::optional<SlotsKept> kept;
    if (orb.slots != 0) kept.emplace(orb.serial);
    if (start()) {
      adapter::UpcallObserver::set(this);
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
      adapter::UpcallObserver::set(nullptr);
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
    if (kind_ == Kind::other) return LocalAnswer::by_wire;  // where the interceptor forwards it again
    std::rethrow_exception(exception_);
  }
  if (raised) std::rethrow_exception(raised);
  return answer;
}

}  // namespace takt::interceptors
