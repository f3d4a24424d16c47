// Names of interfaces for people.
#pragma once

#include <string>
#include <string_view>

namespace takt::rt {

// Whether the text is an IDL identifier of at most 256 characters; operation names that come from clients may
// be anything.
bool is_identifier(std::string_view text);
// Turns "IDL:omg.org/CosNaming/NamingContext:1.0" into CosNaming::NamingContext; empty for malformed ids.
std::string scoped_name(std::string_view repository_id);

}  // namespace takt::rt
