// The names that objects have in their adapter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace PortableServer {

// Octets that mean something to the application alone.
using ObjectId = std::vector<std::uint8_t>;

// The characters as octets. wide ones take four octets each, most significant first.
ObjectId string_to_ObjectId(std::string_view text);
ObjectId wstring_to_ObjectId(std::wstring_view text);
// BAD_PARAM (OMG minor 14) for an id that holds a NUL, or is no whole number of wide characters.
std::string ObjectId_to_string(const ObjectId& id);
std::wstring ObjectId_to_wstring(const ObjectId& id);

}  // namespace PortableServer
