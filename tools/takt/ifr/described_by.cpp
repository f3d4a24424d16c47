#include "ifr/described_by.h"

#include <algorithm>
#include <set>
#include <utility>

#include "ifr/repository_client.h"
#include "ior/target.h"
#include "nearest.h"
#include "types/describe.h"
#include "types/described.h"

namespace takt::command {
namespace {

using CORBA::typecode_reference;

// Compares types as values of them travel: octets, and the ids of structs and exceptions. Names, which do not
// travel, may differ. Each pair of types is compared once, so that no server can make this take long.
class Likeness {
 public:
  bool are_alike(const Operation& one, const Operation& other) {
    if (one.parameters.size() != other.parameters.size() || !are_alike(one.result, other.result))
      return false;
    for (std::size_t i = 0; i < one.parameters.size(); ++i)
      if (one.parameters[i].direction != other.parameters[i].direction ||
          !are_alike(one.parameters[i].type, other.parameters[i].type))
        return false;
    return true;
  }

 private:
  // Repositories may have event types as values.
  static CORBA::TCKind kind_of(const cdr::TypeCodeParts& parts) {
    return parts.kind == CORBA::TCKind::tk_event ? CORBA::TCKind::tk_value : parts.kind;
  }

  // As deep as the nesting of TypeCodes, which their reader has limited.
  bool are_alike(const typecode_reference& one, const typecode_reference& other) {
    if (!one || !other) return !one && !other;
    if (one->_is_recursion() || other->_is_recursion()) return true;  // compared where they are outermost
    if (!compared_.emplace(one.get(), other.get()).second) return true;
    const cdr::TypeCodeParts &a = one->_unaliased()._parts(), &b = other->_unaliased()._parts();
    return have_same_head(a, b) && are_alike(a.discriminator, b.discriminator) &&
           are_alike(a.content, b.content) &&
           std::ranges::equal(a.members, b.members, [this](const auto& first, const auto& second) {
             return first.label == second.label && are_alike(first.type, second.type);
           });
  }
  static bool have_same_head(const cdr::TypeCodeParts& a, const cdr::TypeCodeParts& b) {
    return kind_of(a) == kind_of(b) && a.id == b.id && a.length == b.length && a.digits == b.digits &&
           a.scale == b.scale;
  }

  std::set<std::pair<const CORBA::TypeCode*, const CORBA::TypeCode*>> compared_;
};

}  // namespace

Catalogue catalogue_in_repository(const ClientOrb& orb, const std::string& repository,
                                  const std::string& type_id, const std::string& interface) {
  const auto object = object_at(orb, reference_text(repository));
  const auto found = IDL::traits<R::Repository>::narrow(object);
  if (!found) fail("the object of --repository is no CORBA::Repository", negative);
  const std::string wanted = interface.empty() ? type_id : interface;
  if (wanted.empty()) fail("the reference does not tell its interface; give it with --interface NAME");
  const auto definition = find_definition(*found, wanted);
  const auto narrow = IDL::traits<R::InterfaceDef>::narrow(definition);
  if (!narrow)
    fail("the repository has " + wanted + " as a definition of kind '" + word_for(definition->def_kind()) +
             "', which is no interface",
         negative);
  return catalogue_of_definition(narrow);
}

void require_agreement(const CORBA::object_reference<CORBA::Object>& object, const Interface& interface,
                       const Operation& operation) {
  std::string of_server;
  try {
    const Catalogue own = catalogue_of_object(object);
    const Operation* const same = own.interfaces.front().find(operation.name);
    if (!same || Likeness().are_alike(*same, operation)) return;
    of_server = signature_of(*same);
  } catch (const Failure&) {  // the server does not describe itself
    return;
  } catch (const CORBA::Exception&) {
    return;
  }
  const std::string of_repository = signature_of(operation);
  fail("the repository has '" + of_repository + "' in " + interface.id + ", but the server has " +
           (of_server == of_repository ? "other members in these types" : "'" + of_server + "'") +
           "; load the server's IDL into the repository, or leave out --repository",
       negative);
}

std::string disagreement(const CORBA::object_reference<CORBA::Object>& object, const Interface& interface,
                         const Operation& operation) {
  const std::string in_repository = "the repository has '" + signature_of(operation) + "' in " + interface.id;
  try {
    if (!object->_is_a(interface.id)) return in_repository + ", which the object says it does not have";
    const Catalogue own = catalogue_of_object(object);
    const Interface& actual = own.interfaces.front();
    if (const Operation* const same = actual.find(operation.name))
      return signature_of(*same) == signature_of(operation)
                 ? std::string()
                 : in_repository + ", but the server has '" + signature_of(*same) + "'";
    std::vector<std::string> names;
    for (const Operation& each : actual.operations) names.push_back(spoken_name(each.name));
    return in_repository + ", but the server has no such operation" +
           (names.empty() ? "" : "; the nearest is '" + command_line::nearest(operation.name, names) + "'");
  } catch (const Failure&) {  // the server does not describe itself
    return in_repository + "; the server may be of another version";
  } catch (const CORBA::Exception&) {
    return {};
  }
}

}  // namespace takt::command
