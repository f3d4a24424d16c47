// As much of a client of the naming service as a corbaname URL needs.
#pragma once

#include <string_view>

#include <takt/reference/object.h>

namespace takt::orb {

// NamingContext::resolve (CosNaming). Blocks as a call does and throws its system exceptions; BAD_PARAM (OMG
// minor 10) with a text if the name is none, or not bound.
CORBA::object_reference<CORBA::Object> resolve_name(const CORBA::object_reference<CORBA::Object>& context,
                                                    std::string_view name);

}  // namespace takt::orb
