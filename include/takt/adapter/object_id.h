// Object ids: octets that only the application interprets.
#pragma once

#include <string>
#include <string_view>

#include <takt/standard/PortableServerC.h>

namespace PortableServer {

// Converts characters to octets. A wide character takes four octets, most significant first.
ObjectId string_to_ObjectId(std::string_view text);
ObjectId wstring_to_ObjectId(std::wstring_view text);
// Throw BAD_PARAM (OMG minor 14) if the id contains a NUL or has an incomplete wide character.
std::string ObjectId_to_string(const ObjectId& id);
std::wstring ObjectId_to_wstring(const ObjectId& id);

}  // namespace PortableServer
