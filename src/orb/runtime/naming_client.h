// A minimal client of the naming service, for corbaname URLs. docs/design/0048 says why it has no stubs.
#pragma once

#include <string_view>

#include <takt/reference/object.h>

namespace takt::orb {

// NamingContext::resolve (CosNaming). Blocks like a call and throws its system exceptions. Throws BAD_PARAM
// (OMG minor 10), with a text, if the name is malformed or not bound.
CORBA::object_reference<CORBA::Object> resolve_name(const CORBA::object_reference<CORBA::Object>& context,
                                                    std::string_view name);

}  // namespace takt::orb
