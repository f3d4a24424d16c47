// Infos, slots and codecs.
#include <algorithm>
#include <utility>

#include "classic_interceptors/bridge/runtime_access.h"

namespace takt::classic::interceptors {

using PortableInterceptor::ClientRequestInfo;
using PortableInterceptor::RequestInfo;
using PortableInterceptor::ServerRequestInfo;

bool is_kind(Reference& reference, Kind kind) {
  CORBA::Object* const object = reference.object().get();
  switch (kind) {
    case Kind::current:
      return dynamic_cast<PortableInterceptor::Current*>(object);
    case Kind::request_info:
      return dynamic_cast<RequestInfo*>(object);
    case Kind::client_info:
      return dynamic_cast<ClientRequestInfo*>(object);
    case Kind::server_info:
      return dynamic_cast<ServerRequestInfo*>(object);
    case Kind::ior_info:
      return dynamic_cast<PortableInterceptor::IORInfo*>(object);
    case Kind::init_info:
      return dynamic_cast<PortableInterceptor::ORBInitInfo_3_1*>(object);
    case Kind::codec:
      return dynamic_cast<IOP::Codec*>(object);
    case Kind::codec_factory:
      return dynamic_cast<IOP::CodecFactory*>(object);
  }
  return false;
}

AnyHandle* slot_of_current(Reference& current, std::uint32_t id) {
  return asking([&] { return handle_of(as<PortableInterceptor::Current>(current).get_slot(id)); });
}
void set_slot_of_current(Reference& current, std::uint32_t id, AnyHandle* value) {
  asking([&] { as<PortableInterceptor::Current>(current).set_slot(id, any_of(value)); });
}

std::uint32_t request_id(Reference& info) {
  return asking([&] { return as<RequestInfo>(info).request_id(); });
}
std::string operation(Reference& info) {
  return asking([&] { return as<RequestInfo>(info).operation(); });
}
bool response_expected(Reference& info) {
  return asking([&] { return as<RequestInfo>(info).response_expected(); });
}
std::vector<Argument> call_arguments(Reference& info) {
  return asking([&] {
    std::vector<Argument> all;
    for (const Dynamic::Parameter& one : as<RequestInfo>(info).arguments())
      all.push_back({handle_of(one.argument()), static_cast<std::uint32_t>(one.mode())});
    return all;
  });
}
std::vector<TypeCodeHandle*> exceptions(Reference& info) {
  return asking([&] {
    std::vector<TypeCodeHandle*> all;
    for (const CORBA::typecode_reference& one : as<RequestInfo>(info).exceptions())
      all.push_back(new TypeCodeHandle(one));
    return all;
  });
}
Names contexts(Reference& info) {
  return asking([&] { return as<RequestInfo>(info).contexts(); });
}
Names operation_context(Reference& info) {
  return asking([&] { return as<RequestInfo>(info).operation_context(); });
}
AnyHandle* result(Reference& info) {
  return asking([&] { return handle_of(as<RequestInfo>(info).result()); });
}
std::int16_t sync_scope(Reference& info) {
  return asking([&] { return static_cast<std::int16_t>(as<RequestInfo>(info).sync_scope()); });
}
std::int16_t reply_status(Reference& info) {
  return asking([&] { return as<RequestInfo>(info).reply_status(); });
}
Reference* forward_reference(Reference& info) {
  return asking([&] { return refer(as<RequestInfo>(info).forward_reference()); });
}
AnyHandle* slot(Reference& info, std::uint32_t id) {
  return asking([&] { return handle_of(as<RequestInfo>(info).get_slot(id)); });
}
Octets request_context(Reference& info, std::uint32_t id) {
  return asking([&] { return as<RequestInfo>(info).get_request_service_context(id).context_data(); });
}
Octets reply_context(Reference& info, std::uint32_t id) {
  return asking([&] { return as<RequestInfo>(info).get_reply_service_context(id).context_data(); });
}

Reference* target(Reference& info, bool effective) {
  return asking([&] {
    auto& of_call = as<ClientRequestInfo>(info);
    return refer(effective ? of_call.effective_target() : of_call.target());
  });
}
Context effective_profile(Reference& info) {
  return asking([&] {
    const IOP::TaggedProfile profile = as<ClientRequestInfo>(info).effective_profile();
    return Context{profile.tag(), profile.profile_data()};
  });
}
AnyHandle* exception_of(Reference& info) {
  return asking([&] {
    if (auto* const of_call = dynamic_cast<ClientRequestInfo*>(info.object().get()))
      return handle_of(of_call->received_exception());
    return handle_of(as<ServerRequestInfo>(info).sending_exception());
  });
}
std::string received_exception_id(Reference& info) {
  return asking([&] { return as<ClientRequestInfo>(info).received_exception_id(); });
}
std::vector<Octets> components(Reference& info, std::uint32_t id, bool all) {
  return asking([&] {
    auto& of_call = as<ClientRequestInfo>(info);
    std::vector<Octets> found;
    if (!all)
      found.push_back(of_call.get_effective_component(id).component_data());
    else
      for (const IOP::TaggedComponent& one : of_call.get_effective_components(id))
        found.push_back(one.component_data());
    return found;
  });
}
Reference* request_policy(Reference& info, std::uint32_t type) {
  return asking([&] { return refer_to_policy(as<ClientRequestInfo>(info).get_request_policy(type)); });
}
void add_context(Reference& info, Context context, bool replace) {
  asking([&] {
    const IOP::ServiceContext added(context.id, std::move(context.data));
    if (auto* const of_call = dynamic_cast<ClientRequestInfo*>(info.object().get()))
      return of_call->add_request_service_context(added, replace);
    as<ServerRequestInfo>(info).add_reply_service_context(added, replace);
  });
}

std::string server_id(Reference& info) {
  return asking([&] { return as<ServerRequestInfo>(info).server_id(); });
}
std::string orb_id(Reference& info) {
  return asking([&] { return as<ServerRequestInfo>(info).orb_id(); });
}
Names adapter_name(Reference& info) {
  return asking([&] { return as<ServerRequestInfo>(info).adapter_name(); });
}
Octets object_id(Reference& info) {
  return asking([&] {
    const PortableServer::ObjectId id = as<ServerRequestInfo>(info).object_id();
    return Octets(id.begin(), id.end());
  });
}
Octets adapter_id(Reference& info) {
  return asking([&] { return as<ServerRequestInfo>(info).adapter_id(); });
}
std::string most_derived(Reference& info) {
  return asking([&] { return as<ServerRequestInfo>(info).target_most_derived_interface(); });
}
bool target_is_a(Reference& info, const char* repository_id) {
  return asking([&] { return as<ServerRequestInfo>(info).target_is_a(repository_id ? repository_id : ""); });
}
Reference* server_policy(Reference& info, std::uint32_t type) {
  return asking([&] { return refer_to_policy(as<ServerRequestInfo>(info).get_server_policy(type)); });
}
void set_slot(Reference& info, std::uint32_t id, AnyHandle* value) {
  asking([&] { as<ServerRequestInfo>(info).set_slot(id, any_of(value)); });
}

Reference* effective_policy(Reference& info, std::uint32_t type) {
  return asking(
      [&] { return refer_to_policy(as<PortableInterceptor::IORInfo>(info).get_effective_policy(type)); });
}
void add_component(Reference& info, Context component, const std::uint32_t* profile) {
  asking([&] {
    const IOP::TaggedComponent added(component.id, std::move(component.data));
    auto& adapter = as<PortableInterceptor::IORInfo>(info);
    profile ? adapter.add_ior_component_to_profile(added, *profile) : adapter.add_ior_component(added);
  });
}
std::int32_t manager_id(Reference& info) {
  return asking([&] { return as<PortableInterceptor::IORInfo>(info).manager_id(); });
}
std::int16_t manager_state(Reference& info) {
  return asking([&] { return as<PortableInterceptor::IORInfo>(info).state(); });
}

Reference* create_codec(Reference& factory, std::int16_t format, std::uint8_t major, std::uint8_t minor,
                        std::uint32_t char_codeset, std::uint32_t wchar_codeset) {
  return asking([&] {
    return refer(as<IOP::CodecFactory>(factory).create_codec_with_codesets(
        {format, major, minor, char_codeset, wchar_codeset}));
  });
}
Octets encode(Reference& codec, AnyHandle* value, bool with_type) {
  return asking([&] {
    auto& encoder = as<IOP::Codec>(codec);
    return with_type ? encoder.encode(any_of(value)) : encoder.encode_value(any_of(value));
  });
}
AnyHandle* decode(Reference& codec, const Octets& octets) {
  return asking([&] { return handle_of(as<IOP::Codec>(codec).decode(octets)); });
}
AnyHandle* decode_value(Reference& codec, const Octets& octets, TypeCodeHandle* type) {
  return asking([&] {
    return handle_of(
        as<IOP::Codec>(codec).decode_value(octets, type ? type->type : CORBA::typecode_reference()));
  });
}

}  // namespace takt::classic::interceptors
