#include "bridge/relay.h"

#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "bridge/relayed_body.h"
#include "bridge/relayed_call.h"
#include "giop/relay.h"
#include "reference/context/thread_context.h"
#include "reference/target.h"

namespace takt::bridge {

namespace {

// For its lifetime, requests of the calling thread have the priority of the request that it serves.
class ServedPriority {
 public:
  explicit ServedPriority(std::int16_t priority) : outer_(context_.priority()) {
    if (priority >= 0) context_.use_priority(static_cast<giop::Priority>(priority));
  }
  ~ServedPriority() { context_.use_priority(outer_); }
  ServedPriority(const ServedPriority&) = delete;
  ServedPriority& operator=(const ServedPriority&) = delete;

 private:
  reference::ThreadContext& context_ = reference::ThreadContext::mine();
  const std::optional<giop::Priority> outer_;
};

}  // namespace

Relay::Relay(reference::References& references, std::optional<Rewriting> rewriting)
    : targets_(references),
      rewriter_(rewriting ? std::make_unique<ReferenceRewriter>(references, targets_, std::move(*rewriting))
                          : nullptr) {
  targets_.open_with(rewriter_.get());
}

void Relay::add_inside(const reference::Target& target) {
  if (!rewriter_) return;
  for (const reference::Route& route : target.routes)
    for (const reference::Route::Address& address : route.server->addresses)
      rewriter_->places(Side::inside)->add(address.endpoint);
}

void Relay::dispatch(server::ServerCall& call) noexcept {
  try {
    const auto target =
        targets_.find(call.object_key(), call.giop_minor(), *call.arguments().format().code_sets);
    if (!target.object) return next().dispatch(call);
    pass_on(target, call);
  } catch (const CORBA::SystemException& failure) {
    fail(call, failure);
  } catch (const std::bad_alloc&) {
    fail(call, CORBA::NO_MEMORY(0, CORBA::COMPLETED_MAYBE, "no memory to pass a request on"));
  } catch (...) {
    fail(call, CORBA::INTERNAL(0, CORBA::COMPLETED_MAYBE, "a request could not be passed on"));
  }
}

void Relay::pass_on(const InnerTargets::Found& target, server::ServerCall& call) {
  RelayedBody relayed(rewriter_.get(), target.side, target.interface_id, call.operation());
  const RelayedBody::Body arguments = relayed.arguments(call.arguments());
  std::vector<giop::ServiceContext> contexts;
  if (call.contexts()) contexts = giop::contexts_to_relay(*call.contexts());
  const invocation::RelayedRequest request{.operation = call.operation(),
                                           .response_expected = call.response_expected(),
                                           .order = call.arguments().format().order,
                                           .body = arguments.octets,
                                           .body_index = arguments.index,
                                           .contexts = contexts};
  const ServedPriority priority(call.priority());
  RelayedCall onward(*target.object, request);
  counts_.requests.fetch_add(1, std::memory_order_relaxed);
  counts_.request_bytes.fetch_add(arguments.octets.size(), std::memory_order_relaxed);
  const reference::EncodedAnswer* const answer = onward.exchange(relayed);
  if (!answer || !call.response_expected()) return;
  call.pass_on(*answer);
  counts_.replies.fetch_add(1, std::memory_order_relaxed);
  counts_.reply_bytes.fetch_add(answer->body.size(), std::memory_order_relaxed);
}

void Relay::fail(server::ServerCall& call, const CORBA::SystemException& failure) {
  counts_.failures.fetch_add(1, std::memory_order_relaxed);
  call.system_exception(failure);
  std::lock_guard lock(mutex_);
  last_failure_ = failure.what();
}

std::string Relay::last_failure() const {
  std::lock_guard lock(mutex_);
  return last_failure_;
}

reference::LocateAnswer Relay::locate(ByteView object_key) noexcept {
  if (!targets_.has(object_key)) return next().locate(object_key);
  return {.status = reference::LocateAnswer::Status::here, .target = {}};
}

reference::LocalAnswer Relay::call_local(const OperationId& operation, void* arguments,
                                         const ByteView& object_key) {
  if (targets_.has(object_key)) return reference::LocalAnswer::by_wire;
  return next().call_local(operation, arguments, object_key);
}

}  // namespace takt::bridge
