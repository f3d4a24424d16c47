#include "ior/target.h"

#include "common/command.h"
#include "ior/reference.h"

namespace takt::command {

std::string reference_text(const std::string& given) {
  const bool is_file = given.starts_with('@');
  const auto reference = reference_from(is_file ? given.substr(1) : given);
  if (!reference) fail(reference.error());
  return reference->text;
}

CORBA::object_reference<CORBA::Object> object_at(const ClientOrb& orb, const std::string& reference_text) {
  auto object = orb->string_to_object(reference_text);
  if (!object) fail("the nil reference leads to no object", negative);
  return object;
}

}  // namespace takt::command
