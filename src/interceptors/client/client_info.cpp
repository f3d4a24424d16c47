#include "interceptors/client/client_info.h"

#include <algorithm>

#include <takt/reference/messaging.h>

#include "client/thread_channels.h"
#include "giop/references/profile.h"
#include "interceptors/common/client_policies.h"
#include "interceptors/common/raised.h"
#include "interceptors/common/values.h"
#include "reference/object_ref.h"
#include "reference/references.h"

namespace takt::interceptors {

using namespace client_point;

namespace {

// Throws NO_RESOURCES (OMG minor 1) if the call was made by generated code.
const reference::ShownValues& values_of(std::string_view operation) {
  return shown(reference::ShownCall::find(operation));
}
[[noreturn]] void throw_no_component() {
  throw CORBA::BAD_PARAM(CORBA::omg_minor(28), CORBA::COMPLETED_NO,
                         "the reference's profile has no such component");
}

std::vector<giop::TaggedComponent> components_of(const reference::ObjectRef& ref) {
  const auto target = ref.target();
  if (target->routes.empty()) return {};
  const cdr::TaggedProfile& tagged = target->ior.profiles[target->routes.front().profile];
  const transport::Transport* const transport = ref.references()->transports.find_by_profile(tagged.tag);
  const giop::ProfileLayout form{tagged.tag, !transport || transport->profile_form().has_port};
  auto profile = giop::read_profile(tagged, form);
  return profile ? std::move(profile->components) : std::vector<giop::TaggedComponent>();
}

}  // namespace

std::uint32_t ClientInfo::request_id() { return at(send_request | ends).request_id(); }
std::string ClientInfo::operation() { return std::string(at(send_request | ends).operation_); }
bool ClientInfo::response_expected() { return at(send_request | ends).response_expected_; }

Dynamic::ParameterList ClientInfo::arguments() {
  const std::string_view operation = at(send_request | receive_reply).operation_;
  return arguments_in(values_of(operation), is_at(receive_reply));
}
Dynamic::ExceptionList ClientInfo::exceptions() {
  return known(values_of(at(send_request | ends).operation_).exceptions());
}
Dynamic::ContextList ClientInfo::contexts() {
  return known(values_of(at(send_request | ends).operation_).contexts());
}
Dynamic::RequestContext ClientInfo::operation_context() {
  return known(values_of(at(send_request | ends).operation_).context());
}
CORBA::Any ClientInfo::result() { return values_of(at(receive_reply).operation_).result(); }

Messaging::SyncScope ClientInfo::sync_scope() {
  const ClientFlow& flow = at(send_request | ends);
  if (flow.response_expected_) return Messaging::SYNC_WITH_TARGET;
  return static_cast<Messaging::SyncScope>(client::ThreadChannels::mine().policies_of(*flow.ref_).scope);
}

PortableInterceptor::ReplyStatus ClientInfo::reply_status() { return at(ends).status_; }

CORBA::object_reference<CORBA::Object> ClientInfo::forward_reference() {
  const ClientFlow& flow = at(receive_other);
  if (flow.status_ != PortableInterceptor::LOCATION_FORWARD) throw_at_this_point();
  return flow.forward_;
}

CORBA::Any ClientInfo::get_slot(PortableInterceptor::SlotId id) {
  const ClientFlow& flow = at(send_request | ends);
  flow.orb_->check_slot(id);
  return flow.slots_.get(id);
}

IOP::ServiceContext ClientInfo::get_request_service_context(IOP::ServiceId id) {
  const IOP::ServiceContext* const found = at(send_request | ends).added_.find(id);
  if (!found) throw_no_context(id);
  return *found;
}

IOP::ServiceContext ClientInfo::get_reply_service_context(IOP::ServiceId id) {
  const ClientFlow& flow = at(ends);
  if (const IOP::ServiceContext* const local = flow.local_reply_contexts_.find(id)) return *local;
  return copy_of(flow.reply_contexts_, id);
}

CORBA::object_reference<CORBA::Object> ClientInfo::target() {
  return reference::make_stub<CORBA::Object>(at(send_request | ends).ref_->shared_from_this());
}

CORBA::object_reference<CORBA::Object> ClientInfo::effective_target() {
  reference::ObjectRef& ref = *at(send_request | ends).ref_;
  if (ref.first_target()) return target();
  return reference::make_stub<CORBA::Object>(ref.references()->from_ior(ref.target()->ior));
}

IOP::TaggedProfile ClientInfo::effective_profile() {
  const auto target = at(send_request | ends).ref_->target();
  if (target->routes.empty())
    throw CORBA::BAD_PARAM(CORBA::omg_minor(28), CORBA::COMPLETED_NO,
                           "the reference has no profile that this ORB can use");
  const cdr::TaggedProfile& profile = target->ior.profiles[target->routes.front().profile];
  return {profile.tag, profile.data};
}

CORBA::Any ClientInfo::received_exception() {
  const ClientFlow& flow = at(receive_exception);
  if (flow.kind_ == ClientFlow::Kind::user_exception)
    return any_of_user_exception(flow.user_exception_, reference::ShownCall::find(flow.operation_));
  try {
    std::rethrow_exception(flow.exception_);
  } catch (const CORBA::SystemException& exception) {
    return any_of(exception);
  }
}

std::string ClientInfo::received_exception_id() {
  const ClientFlow& flow = at(receive_exception);
  if (flow.kind_ == ClientFlow::Kind::user_exception) return flow.exception_id_;
  try {
    std::rethrow_exception(flow.exception_);
  } catch (const CORBA::SystemException& exception) {
    return exception._rep_id();
  }
}

IOP::TaggedComponent ClientInfo::get_effective_component(IOP::ComponentId id) {
  for (giop::TaggedComponent& component : components_of(*at(send_request | ends).ref_))
    if (component.tag == id) return {component.tag, std::move(component.data)};
  throw_no_component();
}

IOP::TaggedComponentSeq ClientInfo::get_effective_components(IOP::ComponentId id) {
  IOP::TaggedComponentSeq found;
  for (giop::TaggedComponent& component : components_of(*at(send_request | ends).ref_))
    if (component.tag == id) found.emplace_back(component.tag, std::move(component.data));
  if (found.empty()) throw_no_component();
  return found;
}

CORBA::object_reference<CORBA::Policy> ClientInfo::get_request_policy(CORBA::PolicyType type) {
  const ClientFlow& flow = at(send_request | ends);
  if (!flow.orb_->factories.contains(type) && !is_client_policy(type))
    throw CORBA::INV_POLICY(CORBA::omg_minor(1), CORBA::COMPLETED_NO,
                            "neither the ORB nor a policy factory has policies of this type");
  return target()->_get_policy(type);
}

void ClientInfo::add_request_service_context(const IOP::ServiceContext& context, bool replace) {
  ClientFlow& flow = at(send_request);
  flow.has_state_ = true;
  flow.added_.add(context, replace);
}

}  // namespace takt::interceptors
