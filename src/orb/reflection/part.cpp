// Answers to _interface: descriptions by the program's skeletons (-ORBReflection), or the definitions of an
// interface repository (-ORBInitRef InterfaceRepository=URL).
#include <algorithm>
#include <memory>

#include "invocation/object_call.h"
#include "orb/parts/parts.h"
#include "orb/runtime/runtime.h"
#include "orb/wiring/orb_parts.h"
#include "reflection/descriptions.h"
#include "reflection/interface_def.h"

namespace takt {
namespace {

constexpr const char* repository_name = "InterfaceRepository";
using Object = CORBA::object_reference<CORBA::Object>;

void begin_reflection(adapter::AdapterTree& tree, const Parts& parts) {
  const auto objects = std::make_shared<reflection::InterfaceDefs>(
      tree, std::make_shared<const reflection::Descriptions>(parts.descriptions));
  tree.interface_def = [objects](const std::string& id) { return objects->object_for(id); };
}

// CORBA::Repository::lookup_id. Nil if the repository has no such definition.
Object lookup_id(const Object& repository, const std::string& id) {
  return invocation::object_from(
      repository, "lookup_id", [&](cdr::Encoder& out) { out.put_string(id); },
      [](invocation::ClientCall& call) { call.throw_unlisted_exception(); });
}

Object definition_of(orb::Runtime& runtime, const std::string& id) {
  Object found;
  try {
    if (const auto repository = runtime.resolve(repository_name)) found = lookup_id(repository, id);
  } catch (const CORBA::Exception& failure) {
    throw CORBA::INTF_REPOS(CORBA::omg_minor(1), CORBA::COMPLETED_NO,
                            std::string("the server's interface repository: ") + failure.what());
  }
  if (!found)
    throw CORBA::INTF_REPOS(CORBA::omg_minor(2), CORBA::COMPLETED_NO,
                            "the server's interface repository has no definition of " + id);
  return found;
}

void begin_repository(orb::Runtime& runtime) {
  if (std::ranges::count(runtime.initial_references().names(), repository_name) == 0) return;
  runtime.parts().object_adapter.tree().interface_def = [&runtime](const std::string& id) {
    return definition_of(runtime, id);
  };
}

}  // namespace

void detail::add_reflection(Parts& parts, const char* const* first, const char* const* last) {
  parts.begin_reflection = begin_reflection;
  parts.begin_repository = begin_repository;
  parts.descriptions.emplace_back(first, last);
}

}  // namespace takt
