#include "ifr/described_by.h"

#include "ifr/repository_client.h"
#include "ior/target.h"
#include "nearest.h"
#include "types/describe.h"
#include "types/described.h"

namespace takt::command {

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
