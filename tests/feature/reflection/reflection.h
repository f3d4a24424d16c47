// A server with -ORBReflection, and a client that asks it for descriptions.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <takt/reference/orb_types.h>

#include "Takt_ReflectionC.h"
#include "orbs.h"

namespace feature {

using DefRef = IDL::traits<Takt::Reflection::InterfaceDef>::ref_type;
using Description = Takt::Reflection::InterfaceDef::FullInterfaceDescription;

inline DefRef interface_of(const CORBA::object_reference<CORBA::Object>& object) {
  return IDL::traits<Takt::Reflection::InterfaceDef>::narrow(object->_get_interface());
}

inline const Takt::Reflection::OperationDescription& operation_of(const Description& description,
                                                                  const std::string& name) {
  static const Takt::Reflection::OperationDescription none;
  for (const auto& each : description.operations())
    if (each.name() == name) return each;
  ADD_FAILURE() << "there is no operation " << name;
  return none;
}

inline const Takt::Reflection::AttributeDescription& attribute_of(const Description& description,
                                                                  const std::string& name) {
  static const Takt::Reflection::AttributeDescription none;
  for (const auto& each : description.attributes())
    if (each.name() == name) return each;
  ADD_FAILURE() << "there is no attribute " << name;
  return none;
}

}  // namespace feature
