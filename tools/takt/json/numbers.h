// Numbers as JSON, without loss. Integers beyond 2^53 are strings, because many readers of JSON keep numbers
// as doubles; so are NaN and the infinities, for which JSON has no numbers.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "json/path.h"

namespace takt::json {

Json json_of_integer(std::int64_t value);
Json json_of_unsigned(std::uint64_t value);
// A number without a fraction, or a string of decimal digits. `type` is for messages.
std::int64_t integer_of_json(const Json& json, const std::string& type, const Path& at);
std::uint64_t unsigned_of_json(const Json& json, const std::string& type, const Path& at);

// A NaN with other bits than the usual one has them behind its name: "NaN:0x7ff8000000000001".
Json json_of_float(float value);
Json json_of_double(double value);
float float_of_json(const Json& json, const Path& at);
double double_of_json(const Json& json, const Path& at);

// IEEE quadruple precision, most significant octet first. A string: decimal digits if this machine's long
// double has the value, otherwise all bits in hexadecimal.
using Quad = std::array<std::uint8_t, 16>;
Json json_of_quad(const Quad& value);
Quad quad_of_json(const Json& json, const Path& at);

}  // namespace takt::json
