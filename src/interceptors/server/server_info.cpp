#include "interceptors/server/server_info.h"

#include <algorithm>

#include "adapter/poa/adapter_tree.h"
#include "interceptors/client/client_flow.h"
#include "interceptors/common/adapter_name.h"
#include "interceptors/common/adapter_policies.h"
#include "interceptors/common/raised.h"
#include "interceptors/common/values.h"

namespace takt::interceptors {

using namespace server_point;

ServerFlow& ServerInfo::with_adapter(unsigned points) const {
  ServerFlow& flow = at(points);
  if (!flow.adapter() && !flow.ended_) throw_not_available("the request has not led to an object");
  return flow;
}

std::uint32_t ServerInfo::request_id() { return at(all).request_id(); }
std::string ServerInfo::operation() { return std::string(at(all).operation()); }
bool ServerInfo::response_expected() { return at(all).response_expected(); }

Dynamic::ParameterList ServerInfo::arguments() {
  return arguments_in(shown(at(receive_request | ends).values_.get()), is_at(send_reply));
}
Dynamic::ExceptionList ServerInfo::exceptions() {
  return known(shown(at(receive_request | ends).values_.get()).exceptions());
}
Dynamic::ContextList ServerInfo::contexts() {
  return known(shown(at(receive_request | ends).values_.get()).contexts());
}
Dynamic::RequestContext ServerInfo::operation_context() {
  return known(shown(at(receive_request | send_reply).values_.get()).context());
}
CORBA::Any ServerInfo::result() { return shown(at(send_reply).values_.get()).result(); }

Messaging::SyncScope ServerInfo::sync_scope() {
  const ServerFlow& flow = at(all);
  if (flow.early_) return Messaging::SYNC_WITH_SERVER;
  return flow.response_expected() ? Messaging::SYNC_WITH_TARGET : Messaging::SYNC_WITH_TRANSPORT;
}

PortableInterceptor::ReplyStatus ServerInfo::reply_status() { return at(ends).status(); }

CORBA::object_reference<CORBA::Object> ServerInfo::forward_reference() {
  const ServerFlow& flow = at(send_other);
  if (flow.status() != PortableInterceptor::LOCATION_FORWARD) throw_at_this_point();
  return flow.forward_;
}

CORBA::Any ServerInfo::get_slot(PortableInterceptor::SlotId id) {
  const ServerFlow& flow = at(all);
  flow.orb_->check_slot(id);
  return flow.slots_.get(id);
}

void ServerInfo::set_slot(PortableInterceptor::SlotId id, const CORBA::Any& data) {
  ServerFlow& flow = at(all);
  flow.orb_->check_slot(id);
  flow.slots_.set(id, data);
}

IOP::ServiceContext ServerInfo::get_request_service_context(IOP::ServiceId id) {
  const ServerFlow& flow = at(all);
  if (flow.call_) return copy_of(flow.call_->contexts(), id);
  const ClientFlow* const caller = ClientFlow::local_call(*flow.orb_);
  const IOP::ServiceContext* const found = caller ? caller->request_contexts().find(id) : nullptr;
  if (!found) throw_no_context(id);
  return *found;
}

IOP::ServiceContext ServerInfo::get_reply_service_context(IOP::ServiceId id) {
  const IOP::ServiceContext* const found = at(ends).added_.find(id);
  if (!found) throw_no_context(id);
  return *found;
}

void ServerInfo::add_reply_service_context(const IOP::ServiceContext& context, bool replace) {
  at(all).add_context(context, replace);
}

CORBA::Any ServerInfo::sending_exception() {
  const ServerFlow& flow = at(send_exception);
  if (flow.kind_ == ServerFlow::Kind::user_exception)
    return any_of_user_exception(flow.user_exception_, flow.values_.get());
  try {
    std::rethrow_exception(flow.exception_);
  } catch (const CORBA::SystemException& exception) {
    return any_of(exception);
  }
}

std::string ServerInfo::server_id() { return at(receive_request | ends).orb_->server_id; }
std::string ServerInfo::orb_id() { return at(receive_request | ends).orb_->orb_id; }

std::vector<std::string> ServerInfo::adapter_name() {
  const ServerFlow& flow = with_adapter(receive_request | ends);
  return flow.poa_ ? adapter_name_of(*flow.poa_) : flow.ended_->names;
}

PortableServer::ObjectId ServerInfo::object_id() {
  const ServerFlow& flow = with_adapter(receive_request | ends);
  if (!flow.poa_) return flow.ended_->id_of(flow.orb_->adapters->keys.read(flow.key()).value());
  const auto id = flow.poa_->id_in(flow.key());
  if (!id) throw_not_available("the object's id is not known");
  return *id;
}

// The path is unique in the ORB.
std::vector<std::uint8_t> ServerInfo::adapter_id() {
  const ServerFlow& flow = with_adapter(receive_request | ends);
  const std::string& path = flow.poa_ ? flow.poa_->path : flow.ended_->path;
  return {path.begin(), path.end()};
}

std::string ServerInfo::target_most_derived_interface() {
  const ServerFlow& flow = with_adapter(receive_request);
  return adapter::servant_of(*flow.upcall_)._repository_id_of(object_id(), flow.poa_->reference());
}

bool ServerInfo::target_is_a(const std::string& repository_id) {
  return adapter::servant_of(*with_adapter(receive_request).upcall_)._is_a(repository_id);
}

CORBA::object_reference<CORBA::Policy> ServerInfo::get_server_policy(CORBA::PolicyType type) {
  ServerFlow& flow = at(all);
  if (!flow.orb_->factories.contains(type))
    throw CORBA::INV_POLICY(CORBA::omg_minor(3), CORBA::COMPLETED_NO,
                            "no policy factory of the ORB has policies of this type");
  if (const adapter::PoaCore* const poa = flow.adapter()) return given_policy(*poa, type);
  return flow.ended_ ? last_of_type(flow.ended_->policies, type) : CORBA::object_reference<CORBA::Policy>();
}

}  // namespace takt::interceptors
