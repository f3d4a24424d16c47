#include "reflection/interface_def.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <string_view>

#include <takt/adapter/current.h>
#include <takt/adapter/poa.h>
#include <takt/adapter/poa_manager.h>
#include <takt/adapter/skeleton.h>
#include <takt/cdr/ior.h>

namespace takt::reflection {

namespace {

constexpr std::string_view interface_def_id = "IDL:omg.org/CORBA/InterfaceDef:1.0";
constexpr std::array<std::string_view, 7> served_ids{interface_def_id,
                                                     "IDL:omg.org/CORBA/ExtInterfaceDef:1.0",
                                                     "IDL:omg.org/CORBA/InterfaceAttrExtension:1.0",
                                                     "IDL:omg.org/CORBA/Container:1.0",
                                                     "IDL:omg.org/CORBA/Contained:1.0",
                                                     "IDL:omg.org/CORBA/IDLType:1.0",
                                                     "IDL:omg.org/CORBA/IRObject:1.0"};
constexpr std::string_view object_id = "IDL:omg.org/CORBA/Object:1.0";
constexpr std::uint32_t dk_interface = 5;

// Operations of a repository's InterfaceDef; those that create and change begin as the second list says.
constexpr std::array<std::string_view, 10> repository_operations{"destroy",
                                                                 "describe",
                                                                 "move",
                                                                 "lookup",
                                                                 "lookup_name",
                                                                 "contents",
                                                                 "describe_contents",
                                                                 "_get_defined_in",
                                                                 "_get_containing_repository",
                                                                 "_get_base_interfaces"};
constexpr std::array<std::string_view, 2> repository_prefixes{"create_", "_set_"};

bool is_repository_operation(std::string_view name) {
  return std::ranges::find(repository_operations, name) != repository_operations.end() ||
         std::ranges::any_of(repository_prefixes,
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}

// The repository id of the interface that the current request's object describes.
std::string described_id() {
  const auto id = CORBA::make_reference<PortableServer::Current>()->get_object_id();
  return {id.begin(), id.end()};
}

CORBA::typecode_reference type_of(const DescribedInterface& interface) {
  return cdr::make_named(CORBA::TCKind::tk_objref, interface.id, interface.name());
}

void put_nil(cdr::Encoder& out) { cdr::write_ior(out, cdr::Ior()); }

// {name, id, defined_in, version}, with which each description begins.
void put_head(cdr::Encoder& out, const std::string& name, const std::string& id,
              const std::string& defined_in) {
  out.put_string(name);
  out.put_string(id);
  out.put_string(defined_in);
  out.put_string(version_of(id));
}

void put_exceptions(cdr::Encoder& out, const std::vector<DescribedException>& exceptions) {
  out.put_count(exceptions.size());
  for (const DescribedException& exception : exceptions) {
    put_head(out, exception.type->name(), exception.type->id(), exception.defined_in);
    cdr::write_typecode(out, exception.type);
  }
}

void put_operation(cdr::Encoder& out, const DescribedOperation& operation) {
  put_head(out, operation.name, operation.id, operation.defined_in);
  cdr::write_typecode(out, operation.result);
  out.put(std::uint32_t{operation.is_oneway});
  out.put_count(operation.contexts.size());
  for (const std::string& context : operation.contexts) out.put_string(context);
  out.put_count(operation.parameters.size());
  for (const DescribedParameter& parameter : operation.parameters) {
    out.put_string(parameter.name);
    cdr::write_typecode(out, parameter.type);
    put_nil(out);
    out.put(parameter.mode);
  }
  put_exceptions(out, operation.exceptions);
}

// plain: a FullInterfaceDescription; extended: an ExtFullInterfaceDescription, in which attributes have their
// exceptions.
enum class Form : bool { plain, extended };

void put_interface(cdr::Encoder& out, const DescribedInterface& interface, Form form) {
  put_head(out, interface.name(), interface.id, interface.defined_in);
  out.put_count(interface.operations.size());
  for (const DescribedOperation& operation : interface.operations) put_operation(out, operation);
  out.put_count(interface.attributes.size());
  for (const DescribedAttribute& attribute : interface.attributes) {
    put_head(out, attribute.name, attribute.id, attribute.defined_in);
    cdr::write_typecode(out, attribute.type);
    out.put(std::uint32_t{attribute.is_readonly});
    if (form == Form::plain) continue;
    put_exceptions(out, attribute.get_exceptions);
    put_exceptions(out, attribute.set_exceptions);
  }
  out.put_count(interface.bases.size());
  for (const DescribedBase& base : interface.bases) out.put_string(base.id);
  cdr::write_typecode(out, type_of(interface));
}

cdr::Encoder& begin(server::ServerCall& call) {
  cdr::Encoder& out = call.begin_reply();
  out.set_borrowing(false);
  return out;
}

}  // namespace

bool InterfaceDef::_is_a(const std::string& id) {
  return std::ranges::find(served_ids, id) != served_ids.end() || Servant::_is_a(id);
}
std::string InterfaceDef::_repository_id() { return std::string(interface_def_id); }
bool InterfaceDef::_non_existent() { return !descriptions_->has(described_id()); }

void InterfaceDef::describe_interface(server::ServerCall& call) {
  const DescribedInterface interface = descriptions_->find(described_id());
  put_interface(begin(call), interface,
                call.operation() == "describe_interface" ? Form::plain : Form::extended);
}

void InterfaceDef::is_a(server::ServerCall& call) {
  std::string wanted;
  if (!call.arguments().get_string(wanted))
    throw CORBA::MARSHAL(0, CORBA::COMPLETED_NO, "the arguments can't be decoded");
  begin(call).put(wanted == object_id || descriptions_->is_a(described_id(), wanted));
}

bool InterfaceDef::answer_text(server::ServerCall& call) {
  const std::string_view operation = call.operation();
  const DescribedInterface interface = descriptions_->find(described_id());
  if (operation == "_get_id")
    begin(call).put_string(interface.id);
  else if (operation == "_get_name")
    begin(call).put_string(interface.name());
  else if (operation == "_get_version")
    begin(call).put_string(version_of(interface.id));
  else if (operation == "_get_absolute_name")
    begin(call).put_string(interface.scoped_name);
  else
    return false;
  return true;
}

bool InterfaceDef::_dispatch(server::ServerCall& call) {
  const std::string_view operation = call.operation();
  if (operation == "describe_interface" || operation == "describe_ext_interface")
    describe_interface(call);
  else if (operation == "is_a")
    is_a(call);
  else if (operation == "_get_def_kind")
    begin(call).put(dk_interface);
  else if (operation == "_get_type")
    cdr::write_typecode(begin(call), type_of(descriptions_->find(described_id())));
  else if (is_repository_operation(operation))
    throw CORBA::NO_IMPLEMENT(0, CORBA::COMPLETED_NO,
                              "the server describes its own interfaces; it is no interface repository");
  else
    return operation.starts_with("_get_") && answer_text(call);
  adapter::detail::check_results(call);
  return true;
}

CORBA::object_reference<PortableServer::POA> InterfaceDefs::make_poa() {
  using namespace PortableServer;
  const auto root = tree_.root();
  if (!root) throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(4), CORBA::COMPLETED_NO, "the ORB has shut down");
  const auto parent = root->reference();
  const CORBA::PolicyList policies{
      parent->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID),
      parent->create_id_uniqueness_policy(IdUniquenessPolicyValue::MULTIPLE_ID),
      parent->create_servant_retention_policy(ServantRetentionPolicyValue::NON_RETAIN),
      parent->create_request_processing_policy(RequestProcessingPolicyValue::USE_DEFAULT_SERVANT)};
  CORBA::object_reference<POA> poa;
  try {
    poa = parent->create_POA("TaktInterfaces", nullptr, policies);
  } catch (const POA::AdapterAlreadyExists&) {
    throw CORBA::OBJ_ADAPTER(
        0, CORBA::COMPLETED_NO,
        "the program has an adapter of the name TaktInterfaces, which -ORBReflection needs");
  }
  poa->set_servant(CORBA::make_reference<InterfaceDef>(descriptions_));
  poa->the_POAManager()->activate();
  return poa;
}

CORBA::object_reference<CORBA::Object> InterfaceDefs::object_for(const std::string& repository_id) {
  if (!descriptions_->has(repository_id))
    throw CORBA::INTF_REPOS(CORBA::omg_minor(2), CORBA::COMPLETED_NO,
                            "this program has no description of interface " + repository_id);
  std::lock_guard lock(mutex_);
  if (!poa_) poa_ = make_poa();
  return poa_->create_reference_with_id({repository_id.begin(), repository_id.end()},
                                        std::string(interface_def_id));
}

}  // namespace takt::reflection
