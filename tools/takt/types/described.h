// Interfaces as their objects describe them: by reflection, or by a server with an interface repository.
#pragma once

#include <cstddef>

#include <takt/reference/object.h>

#include "Takt_ReflectionC.h"
#include "types/catalogue.h"

namespace takt::command {

// Limits of a description.
inline constexpr std::size_t most_described = 10'000;  // operations, attributes, types: each

using Description = Takt::Reflection::InterfaceDef::FullInterfaceDescription;
// The same with the exceptions of attributes.
using ExtDescription = Takt::Reflection::InterfaceAttrExtension::ExtFullInterfaceDescription;

// The interface of the object, and the types that it uses. Makes calls to the object's server, and to the
// repository if the definition is there. Throws a Failure if there is no description, or if it is invalid;
// and the exceptions of calls.
Catalogue catalogue_of_object(const CORBA::object_reference<CORBA::Object>& object);

// The same of an object that describes an interface: a repository's CORBA::InterfaceDef.
Catalogue catalogue_of_definition(const CORBA::object_reference<CORBA::Object>& definition);

// The same of a description. It may come from a hostile server: names that IDL would not permit, more members
// than the limit, and operations without types are refused by a Failure.
Catalogue catalogue_of(const Description& description);
Catalogue catalogue_of(const ExtDescription& description);

}  // namespace takt::command
