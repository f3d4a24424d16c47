// Infos and slots.
#include "classic_interceptors/mapping/asking.h"

namespace PortableInterceptor {
inline namespace takt_classic_ {

namespace bridge = takt::classic::interceptors;
using takt::classic::asked;

TAKT_CLASSIC_DEFINE_EXCEPTION(, InvalidSlot, "IDL:omg.org/PortableInterceptor/InvalidSlot:1.0")
TAKT_CLASSIC_DEFINE_EXCEPTION(, ForwardRequest, "IDL:omg.org/PortableInterceptor/ForwardRequest:1.0")
TAKT_CLASSIC_DEFINE_OWN(PortableInterceptor, Current, ::CORBA::Current, current)
TAKT_CLASSIC_DEFINE_OWN(PortableInterceptor, RequestInfo, ::CORBA::Object, request_info)
TAKT_CLASSIC_DEFINE_OWN(PortableInterceptor, ClientRequestInfo, RequestInfo, client_info)
TAKT_CLASSIC_DEFINE_OWN(PortableInterceptor, ServerRequestInfo, RequestInfo, server_info)
TAKT_CLASSIC_DEFINE_OWN(PortableInterceptor, IORInfo, ::CORBA::Object, ior_info)

namespace {

char* text(const std::string& text) { return CORBA::string_dup(text.c_str()); }

IOP::ServiceContext* context(IOP::ServiceId id, const bridge::Octets& octets) {
  IOP::ServiceContext_var made = new IOP::ServiceContext;
  made->context_id = id;
  const CORBA::OctetSeq_var data = bridge::taken(octets);
  made->context_data = data.in();
  return made._retn();
}
IOP::TaggedComponentSeq* components(IOP::ComponentId id, const std::vector<bridge::Octets>& all) {
  IOP::TaggedComponentSeq_var list = new IOP::TaggedComponentSeq(static_cast<CORBA::ULong>(all.size()));
  list->length(static_cast<CORBA::ULong>(all.size()));
  for (CORBA::ULong i = 0; i < all.size(); ++i) {
    const CORBA::OctetSeq_var data = bridge::taken(all[i]);
    list[i].tag = id;
    list[i].component_data = data.in();
  }
  return list._retn();
}

}  // namespace

CORBA::Any* Current::get_slot(SlotId id) {
  return bridge::asking_runtime([&] { return bridge::taken(bridge::slot_of_current(asked(*this), id)); });
}
void Current::set_slot(SlotId id, const CORBA::Any& data) {
  bridge::asking_runtime([&] { bridge::set_slot_of_current(asked(*this), id, data._takt_handle()); });
}

CORBA::ULong RequestInfo::request_id() {
  return bridge::asking_runtime([&] { return bridge::request_id(asked(*this)); });
}
char* RequestInfo::operation() {
  return bridge::asking_runtime([&] { return text(bridge::operation(asked(*this))); });
}
CORBA::Boolean RequestInfo::response_expected() {
  return bridge::asking_runtime([&] { return bridge::response_expected(asked(*this)); });
}
Dynamic::ParameterList* RequestInfo::arguments() {
  return bridge::asking_runtime([&] {
    const auto all = bridge::call_arguments(asked(*this));
    Dynamic::ParameterList_var list = new Dynamic::ParameterList(static_cast<CORBA::ULong>(all.size()));
    list->length(static_cast<CORBA::ULong>(all.size()));
    for (CORBA::ULong i = 0; i < all.size(); ++i) {
      list[i].argument._takt_replace(all[i].value);
      list[i].mode = static_cast<CORBA::ParameterMode>(all[i].mode);
    }
    return list._retn();
  });
}
Dynamic::ExceptionList* RequestInfo::exceptions() {
  return bridge::asking_runtime([&] {
    const auto all = bridge::exceptions(asked(*this));
    Dynamic::ExceptionList_var list = new Dynamic::ExceptionList(static_cast<CORBA::ULong>(all.size()));
    list->length(static_cast<CORBA::ULong>(all.size()));
    for (CORBA::ULong i = 0; i < all.size(); ++i) list[i] = CORBA::TypeCode::_takt_make(all[i]);
    return list._retn();
  });
}
Dynamic::ContextList* RequestInfo::contexts() {
  return bridge::asking_runtime([&] { return bridge::taken(bridge::contexts(asked(*this))); });
}
Dynamic::RequestContext* RequestInfo::operation_context() {
  return bridge::asking_runtime([&] { return bridge::taken(bridge::operation_context(asked(*this))); });
}
CORBA::Any* RequestInfo::result() {
  return bridge::asking_runtime([&] { return bridge::taken(bridge::result(asked(*this))); });
}
Messaging::SyncScope RequestInfo::sync_scope() {
  return bridge::asking_runtime([&] { return bridge::sync_scope(asked(*this)); });
}
ReplyStatus RequestInfo::reply_status() {
  return bridge::asking_runtime([&] { return bridge::reply_status(asked(*this)); });
}
CORBA::Object_ptr RequestInfo::forward_reference() {
  return bridge::asking_runtime(
      [&] { return takt::classic::make_object(bridge::forward_reference(asked(*this))); });
}
CORBA::Any* RequestInfo::get_slot(SlotId id) {
  return bridge::asking_runtime([&] { return bridge::taken(bridge::slot(asked(*this), id)); });
}
IOP::ServiceContext* RequestInfo::get_request_service_context(IOP::ServiceId id) {
  return bridge::asking_runtime([&] { return context(id, bridge::request_context(asked(*this), id)); });
}
IOP::ServiceContext* RequestInfo::get_reply_service_context(IOP::ServiceId id) {
  return bridge::asking_runtime([&] { return context(id, bridge::reply_context(asked(*this), id)); });
}

CORBA::Object_ptr ClientRequestInfo::target() {
  return bridge::asking_runtime(
      [&] { return takt::classic::make_object(bridge::target(asked(*this), false)); });
}
CORBA::Object_ptr ClientRequestInfo::effective_target() {
  return bridge::asking_runtime(
      [&] { return takt::classic::make_object(bridge::target(asked(*this), true)); });
}
IOP::TaggedProfile* ClientRequestInfo::effective_profile() {
  return bridge::asking_runtime([&] {
    const bridge::Context profile = bridge::effective_profile(asked(*this));
    IOP::TaggedProfile_var made = new IOP::TaggedProfile;
    made->tag = profile.id;
    const CORBA::OctetSeq_var data = bridge::taken(profile.data);
    made->profile_data = data.in();
    return made._retn();
  });
}
CORBA::Any* ClientRequestInfo::received_exception() {
  return bridge::asking_runtime([&] { return bridge::taken(bridge::exception_of(asked(*this))); });
}
char* ClientRequestInfo::received_exception_id() {
  return bridge::asking_runtime([&] { return text(bridge::received_exception_id(asked(*this))); });
}
IOP::TaggedComponent* ClientRequestInfo::get_effective_component(IOP::ComponentId id) {
  return bridge::asking_runtime([&] {
    const IOP::TaggedComponentSeq_var found = components(id, bridge::components(asked(*this), id, false));
    return new IOP::TaggedComponent(found[0]);
  });
}
IOP::TaggedComponentSeq* ClientRequestInfo::get_effective_components(IOP::ComponentId id) {
  return bridge::asking_runtime([&] { return components(id, bridge::components(asked(*this), id, true)); });
}
CORBA::Policy_ptr ClientRequestInfo::get_request_policy(CORBA::PolicyType type) {
  return bridge::asking_runtime(
      [&] { return bridge::taken_policy(bridge::request_policy(asked(*this), type)); });
}
void ClientRequestInfo::add_request_service_context(const IOP::ServiceContext& context,
                                                    CORBA::Boolean replace) {
  bridge::asking_runtime([&] { bridge::add_context(asked(*this), bridge::of(context), replace); });
}

CORBA::Any* ServerRequestInfo::sending_exception() {
  return bridge::asking_runtime([&] { return bridge::taken(bridge::exception_of(asked(*this))); });
}
char* ServerRequestInfo::server_id() {
  return bridge::asking_runtime([&] { return text(bridge::server_id(asked(*this))); });
}
char* ServerRequestInfo::orb_id() {
  return bridge::asking_runtime([&] { return text(bridge::orb_id(asked(*this))); });
}
AdapterName* ServerRequestInfo::adapter_name() {
  return bridge::asking_runtime([&] { return bridge::taken(bridge::adapter_name(asked(*this))); });
}
CORBA::OctetSeq* ServerRequestInfo::object_id() {
  return bridge::asking_runtime([&] { return bridge::taken(bridge::object_id(asked(*this))); });
}
CORBA::OctetSeq* ServerRequestInfo::adapter_id() {
  return bridge::asking_runtime([&] { return bridge::taken(bridge::adapter_id(asked(*this))); });
}
char* ServerRequestInfo::target_most_derived_interface() {
  return bridge::asking_runtime([&] { return text(bridge::most_derived(asked(*this))); });
}
CORBA::Boolean ServerRequestInfo::target_is_a(const char* repository_id) {
  return bridge::asking_runtime([&] { return bridge::target_is_a(asked(*this), repository_id); });
}
CORBA::Policy_ptr ServerRequestInfo::get_server_policy(CORBA::PolicyType type) {
  return bridge::asking_runtime(
      [&] { return bridge::taken_policy(bridge::server_policy(asked(*this), type)); });
}
void ServerRequestInfo::set_slot(SlotId id, const CORBA::Any& data) {
  bridge::asking_runtime([&] { bridge::set_slot(asked(*this), id, data._takt_handle()); });
}
void ServerRequestInfo::add_reply_service_context(const IOP::ServiceContext& context,
                                                  CORBA::Boolean replace) {
  bridge::asking_runtime([&] { bridge::add_context(asked(*this), bridge::of(context), replace); });
}

CORBA::Policy_ptr IORInfo::get_effective_policy(CORBA::PolicyType type) {
  return bridge::asking_runtime(
      [&] { return bridge::taken_policy(bridge::effective_policy(asked(*this), type)); });
}
void IORInfo::add_ior_component(const IOP::TaggedComponent& component) {
  bridge::asking_runtime([&] { bridge::add_component(asked(*this), bridge::of(component), nullptr); });
}
void IORInfo::add_ior_component_to_profile(const IOP::TaggedComponent& component, IOP::ProfileId profile_id) {
  bridge::asking_runtime([&] { bridge::add_component(asked(*this), bridge::of(component), &profile_id); });
}
AdapterManagerId IORInfo::manager_id() {
  return bridge::asking_runtime([&] { return bridge::manager_id(asked(*this)); });
}
AdapterState IORInfo::state() {
  return bridge::asking_runtime([&] { return bridge::manager_state(asked(*this)); });
}

}  // namespace takt_classic_
}  // namespace PortableInterceptor
