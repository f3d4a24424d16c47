#include "interceptors/server/server_flow.h"

#include <utility>

#include <takt/cdr/operation.h>
#include <takt/reference/watched_call.h>

#include "adapter/poa/adapter_tree.h"
#include "giop/message/reply.h"
#include "interceptors/client/client_flow.h"
#include "interceptors/common/raised.h"
#include "interceptors/server/reply_head.h"
#include "interceptors/server/server_info.h"
#include "invocation/flow_pool.h"
#include "reference/object_ref.h"

namespace takt::interceptors {

using Interceptor = PortableInterceptor::ServerRequestInterceptor;

using Flows = invocation::FlowPool<ServerFlow>;

ServerFlow::ServerFlow() : info_(std::make_shared<ServerInfo>(*this)) {}
ServerFlow::~ServerFlow() { info_->close(); }

namespace {

[[gnu::cold, gnu::noinline]] void answer_without_memory(server::ServerCall& call) noexcept {
  try {
    call.system_exception(CORBA::NO_MEMORY(0, CORBA::COMPLETED_NO,
                                           "the process has no memory left for the points of a request"));
  } catch (...) {
    call.discard_answer();
  }
}

}  // namespace

[[gnu::always_inline]] inline ServerFlow* ServerFlow::take(server::ServerCall& call) noexcept {
  try {
    return &Flows::take();
  } catch (const std::bad_alloc&) {
    answer_without_memory(call);
    return nullptr;
  }
}

[[gnu::cold, gnu::noinline]] void ServerFlow::forget() noexcept {
  has_state_ = false;
  begun_ = nullptr;
  request_id_ = 0;
  added_.clear();
  slots_.clear();
  upcall_ = nullptr;
  poa_ = nullptr;
  ended_ = nullptr;
  other_key_.clear();
  values_ = nullptr;
  local_response_expected_ = true;
  replied_early_ = begins_ = replaced_ = retried_ = added_late_ = false;
  kind_ = Kind::results;
  exception_ = nullptr;
  user_exception_.reset();
  forward_.reset();
}

void ServerFlow::renew_info() noexcept { renew(info_, *this); }

// Each caller has a constant function, so inlining makes a virtual call of a call by pointer.
[[gnu::always_inline]] inline void ServerFlow::run(Interceptor& interceptor, unsigned point, Point function) {
  using Reference = CORBA::object_reference<PortableInterceptor::ServerRequestInfo>;
  ServerInfo& info = *info_;
  info.open(point);
  (interceptor.*function)(Reference(Reference::Lent(), info));
}

adapter::PoaCore* ServerFlow::adapter() {
  if (!orb_->shows_adapters.load(std::memory_order_relaxed)) [[unlikely]]
    orb_->shows_adapters.store(true, std::memory_order_relaxed);
  if (poa_ || ended_ || !knows_adapter_) return poa_.get();
  has_state_ = true;
  if (upcall_) {
    poa_ = adapter::poa_of(*upcall_).shared_from_this();
    return poa_.get();
  }
  adapter::AdapterTree& adapters = *orb_->adapters;
  const auto parts = adapters.keys.read(key());
  if (adapter::PoaSlot* const slot = parts ? adapters.enter_poa(*parts) : nullptr) {
    poa_ = slot->poa;
    adapters.table.leave(*slot);
  } else if (parts) {
    ended_ = orb_->ended_adapters.find(*parts);
  }
  return poa_.get();
}

std::uint32_t ServerFlow::request_id() {
  has_state_ = true;
  while (request_id_ == 0) request_id_ = orb_->next_request_id();
  return request_id_;
}

// Handles the exception that a point has thrown.
[[gnu::cold, gnu::noinline]] bool ServerFlow::point_has_thrown(bool may_forward,
                                                               CORBA::CompletionStatus completed) {
  become(thrown_by_interceptor(may_forward, completed));
  return false;
}

[[gnu::always_inline]] inline bool ServerFlow::start(Place end) {
  Place at = first_;
  try {
    do run(**at, server_point::receive_contexts, &Interceptor::receive_request_service_contexts);
    while (++at != end);
  } catch (...) {
    begun_ = at;
    return point_has_thrown(true, CORBA::COMPLETED_NO);
  }
  begun_ = end;
  return true;
}

// The key ends with the upcall if it is not the request's own.
[[gnu::cold, gnu::noinline]] void ServerFlow::keep_key(const ByteView& of_upcall) {
  if (of_upcall.data() == key_->data()) return;
  has_state_ = true;
  other_key_.assign(of_upcall.begin(), of_upcall.end());
}

// The intermediate points. An exception prevents the upcall.
bool ServerFlow::found(const adapter::UpcallFrame& upcall) {
  upcall_ = &upcall;
  knows_adapter_ = true;
  if (&upcall.key() != key_) [[unlikely]]
    keep_key(upcall.key());
  if (orb_->shows_adapters.load(std::memory_order_relaxed)) [[unlikely]]
    adapter();
  try {
    const Place end = begun_;
    Place at = first_;
    do run(**at, server_point::receive_request, &Interceptor::receive_request);
    while (++at != end);
  } catch (...) {
    upcall_ = nullptr;
    return point_has_thrown(true, CORBA::COMPLETED_NO);
  }
  lets_go_on();
  return true;
}

void ServerFlow::served(std::shared_ptr<const reference::ShownValues> values) {
  has_state_ = true;
  values_ = std::move(values);
}

void ServerFlow::become(Thrown thrown) {
  has_state_ = true;
  replaced_ = true;
  user_exception_.reset();
  exception_ = std::move(thrown.exception);
  forward_ = std::move(thrown.forward);
  kind_ = exception_ ? Kind::exception : Kind::other;
}

// False: an interceptor has thrown, which is the outcome.
[[gnu::always_inline]] inline bool ServerFlow::run_send_reply() {
  Place at = begun_;
  const Place last = first_;
  try {
    do run(**--at, server_point::send_reply, &Interceptor::send_reply);
    while (at != last);
  } catch (...) {
    begun_ = at;
    return point_has_thrown(false, CORBA::COMPLETED_YES);
  }
  return true;
}

[[gnu::cold, gnu::noinline]] void ServerFlow::unwind() {
  upcall_ = nullptr;
  if (begun_ == first_) return;
  if (kind_ != Kind::results || !run_send_reply()) unwind_with_exceptions();
}

// Runs the ending points that have not run.
[[gnu::cold, gnu::noinline]] void ServerFlow::fail_without_memory() noexcept {
  call_->discard_answer();
  upcall_ = nullptr;
  try {
    become({{},
            std::make_exception_ptr(CORBA::NO_MEMORY(
                0, CORBA::COMPLETED_MAYBE, "the process has no memory left for the points of a request"))});
    unwind_with_exceptions();
  } catch (...) {
    // There is none for these points either.
  }
}

// The outcome is no result, or was replaced.
[[gnu::cold, gnu::noinline]] void ServerFlow::unwind_with_exceptions() {
  while (begun_ != first_) {
    Interceptor& top = **--begun_;
    try {
      if (kind_ == Kind::other)
        run(top, server_point::send_other, &Interceptor::send_other);
      else
        run(top, server_point::send_exception, &Interceptor::send_exception);
    } catch (...) {
      point_has_thrown(true, kind_ == Kind::exception        ? completion_of(exception_)
                             : kind_ == Kind::user_exception ? CORBA::COMPLETED_YES
                                                             : CORBA::COMPLETED_NO);
    }
  }
}

// Exceptions of oneways get no answer, so they look like results. So does an upcall whose servant answers
// later.
[[gnu::always_inline]] inline bool ServerFlow::has_results_in_head(server::ServerCall& call) {
  if (!call.answered()) return !call.response_expected();
  // The same number in either order.
  static_assert(static_cast<std::uint32_t>(giop::ReplyStatus::no_exception) == 0);
  return number_at(call.reply().owned() + status_at, false) == 0;
}

bool ServerFlow::has_results() {
  if (!begins_ || !call_->answered()) return has_results_in_head(*call_);
  if (has_readable_head(*call_)) read_head();  // not every answer was begun by the flow
  return answered_ == giop::ReplyStatus::no_exception;
}

// The ending points of a request of which there is more to know than that it has results.
[[gnu::cold, gnu::noinline]] void ServerFlow::finish_with_state() {
  if (!replaced_ && !has_results()) learn_outcome();
  unwind();
}

[[gnu::cold, gnu::noinline]] void ServerFlow::end_with_state() noexcept {
  try {
    if (replaced_ || added_late_) answer();
  } catch (...) {
    call_->discard_answer();  // for lack of memory
  }
  if (begins_) call_->intercept(nullptr);
  forget();
}

// Without interceptors it has no points.
[[gnu::cold, gnu::noinline]] bool ServerFlow::start_any(Place end) {
  begun_ = first_;
  return first_ == end || start(end);
}

template <class Dispatch>
[[gnu::cold, gnu::noinline]] void ServerFlow::serve_with_state(Dispatch dispatch) noexcept {
  has_state_ = true;
  begun_ = first_;
  if (!has_readable_head(*call_) || early_) {
    begins_ = true;
    call_->intercept(this);
  }
  try {
    std::optional<SlotsKept> kept;
    if (orb_->slots != 0) kept.emplace(orb_->serial);
    if (start_any(orb_->servers_of[false].end)) {
      if (kept) slots_of_thread(orb_->serial) = slots_;
      adapter::UpcallObserver* const outer = adapter::UpcallObserver::set(observer());
      dispatch();
      adapter::UpcallObserver::restore(outer);
      if (kept) slots_ = slots_of_thread(orb_->serial);
    }
    finish_with_state();
  } catch (...) {
    fail_without_memory();
  }
  end_with_state();
}

[[gnu::always_inline]] inline void ServerFlow::begin(OrbInterceptors& orb, server::ServerCall& call) {
  orb_ = &orb;
  call_ = &call;
  key_ = &call.object_key();
  first_ = orb.servers_of[false].first;
  knows_adapter_ = false;
}

[[gnu::always_inline]] inline void ServerFlow::end() noexcept {
  orb_ = nullptr;
  Flows::give_back(*this);
}

// Most requests need no more than this.
[[gnu::always_inline]] inline void ServerFlow::serve_plain(OrbInterceptors& orb, server::ServerCall& call,
                                                           server::Dispatcher& next) noexcept {
  try {
    if (start(orb.servers_of[false].end)) [[likely]] {
      adapter::UpcallObserver::set(this);
      next.dispatch(call);
      adapter::UpcallObserver::restore(nullptr);  // a thread serves none on the way to a servant
    }
    upcall_ = nullptr;
    if (has_state_ || !has_results_in_head(call)) [[unlikely]]
      finish_with_state();
    else if (!run_send_reply()) [[unlikely]]
      unwind_with_exceptions();
  } catch (...) {
    fail_without_memory();
  }
  if (has_state_) [[unlikely]]
    end_with_state();
}

void ServerFlow::serve(OrbInterceptors& orb, server::ServerCall& call, server::Dispatcher& next) noexcept {
  ServerFlow* const flow = take(call);
  if (!flow) [[unlikely]]
    return;
  flow->begin(orb, call);
  if (has_readable_head(call)) [[likely]]
    flow->serve_plain(orb, call, next);
  else
    flow->serve_with_state([&] { next.dispatch(call); });
  flow->end();
}

[[gnu::cold]] void ServerFlow::serve_any(OrbInterceptors& orb, server::ServerCall& call,
                                         server::Dispatcher& next) noexcept {
  ServerFlow* const flow = take(call);
  if (!flow) return;
  flow->begin(orb, call);
  flow->serve_with_state([&] { next.dispatch(call); });
  flow->end();
}

[[gnu::cold]] void ServerFlow::serve_early(OrbInterceptors& orb, server::ServerCall& call,
                                           server::EarlyReply& early, server::Dispatcher& next) noexcept {
  ServerFlow* const flow = take(call);
  if (!flow) return;
  flow->begin(orb, call);
  flow->early_ = &early;
  flow->serve_with_state([&] { next.dispatch_early(call, *flow); });
  flow->early_ = nullptr;
  flow->end();
}

bool ServerFlow::send(server::ServerCall& call) noexcept {
  call.intercept(nullptr);
  const bool sent = early_->send(call);
  call.intercept(this);
  replied_early_ = true;
  return sent;
}

reference::LocalAnswer ServerFlow::serve_local(OrbInterceptors& orb, const OperationId& operation,
                                               void* arguments, const ByteView& key,
                                               server::Dispatcher& next) {
  struct Taken {
    ServerFlow& flow;
    ~Taken() {
      flow.forget();
      flow.end();
    }
  } const taken{Flows::take()};
  taken.flow.orb_ = &orb;
  taken.flow.call_ = nullptr;
  taken.flow.key_ = &key;
  taken.flow.first_ = orb.servers_of[true].first;
  taken.flow.knows_adapter_ = false;
  return taken.flow.serve_here(operation, arguments, next);
}

reference::LocalAnswer ServerFlow::call_servant_here(const OperationId& operation, void* arguments,
                                                     server::Dispatcher& next, std::exception_ptr& raised) {
  auto answer = reference::LocalAnswer::done;
  adapter::UpcallObserver* const outer = adapter::UpcallObserver::set(observer());
  const reference::WatchedCall watched;
  try {
    answer = next.call_local(operation, arguments, *key_);
  } catch (const CORBA::SystemException&) {
    raised = std::current_exception();
    if (!replaced_) exception_ = raised;
    if (!replaced_) kind_ = Kind::exception;
  } catch (const CORBA::UserException& exception) {
    raised = std::current_exception();
    kind_ = Kind::user_exception;
    exception_id_ = exception._rep_id();
    if (exception._form()) user_exception_ = cdr::exception_to_any(exception);
  } catch (...) {  // a forward, or no exception of CORBA
    raised = std::current_exception();
    exception_ = std::make_exception_ptr(CORBA::UNKNOWN(CORBA::omg_minor(1), CORBA::COMPLETED_MAYBE));
    kind_ = Kind::exception;
  }
  adapter::UpcallObserver::restore(outer);
  return answer;
}

reference::LocalAnswer ServerFlow::serve_here(const OperationId& operation, void* arguments,
                                              server::Dispatcher& next) {
  using reference::LocalAnswer;
  has_state_ = true;
  local_operation_ = operation.name;
  local_response_expected_ = !operation.one_way;
  LocalAnswer answer = LocalAnswer::done;
  std::exception_ptr raised;
  {
    std::optional<SlotsKept> kept;
    if (orb_->slots != 0) kept.emplace(orb_->serial);
    if (start_any(orb_->servers_of[true].end)) {
      if (kept) slots_of_thread(orb_->serial) = slots_;
      answer = call_servant_here(operation, arguments, next, raised);
      if (kept) slots_ = slots_of_thread(orb_->serial);
    }
    if (answer == LocalAnswer::by_wire && !replaced_) {
      kind_ = Kind::other;
      retried_ = true;
    }
    unwind();
  }
  if (ClientFlow* const caller = ClientFlow::local_call(*orb_)) caller->keep_reply_contexts(added_);
  if (replaced_) {
    if (kind_ == Kind::other) throw reference::LocalForward{forward_->_ref()->ior()};
    std::rethrow_exception(exception_);
  }
  if (raised) std::rethrow_exception(raised);
  return answer;
}

}  // namespace takt::interceptors
