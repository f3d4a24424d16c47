// Interfaces as a repository describes them, for objects whose servers do not.
#pragma once

#include <string>

#include <takt/reference/object.h>

#include "ior/calls.h"
#include "types/catalogue.h"

namespace takt::command {

// The interface of the object: the one named, by name or repository id; or else that of the reference's type
// id. Makes calls to the repository only. Throws a Failure if the repository has none such, naming the
// nearest; and the exceptions of calls.
Catalogue catalogue_in_repository(const ClientOrb& orb, const std::string& repository,
                                  const std::string& type_id, const std::string& interface);

// Throws a Failure if the object's server describes the operation itself, with other types than the
// repository. A call with such types could succeed and mean something else. Makes calls to the server.
void require_agreement(const CORBA::object_reference<CORBA::Object>& object, const Interface& interface,
                       const Operation& operation);

// Explains why a call failed whose types came from a repository: what the object's server has instead, as far
// as it says. Empty if the server agrees with the repository, or says nothing. Makes calls to the server.
std::string disagreement(const CORBA::object_reference<CORBA::Object>& object, const Interface& interface,
                         const Operation& operation);

}  // namespace takt::command
