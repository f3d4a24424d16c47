// Object ids.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace PortableServer {

// Octets that only the application interprets.
using ObjectId = std::vector<std::uint8_t>;

// Converts characters to octets. A wide character takes four octets, most significant first.
ObjectId string_to_ObjectId(std::string_view text);
ObjectId wstring_to_ObjectId(std::wstring_view text);
// Throw BAD_PARAM (OMG minor 14) if the id contains a NUL or has an incomplete wide character.
std::string ObjectId_to_string(const ObjectId& id);
std::wstring ObjectId_to_wstring(const ObjectId& id);

}  // namespace PortableServer
