// JSON texts, and the texts of characters and octets in them.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <takt/base/bytes.h>

#include "json/context.h"

namespace takt::json {

// Parses one JSON value. Refuses what JSON leaves open: a name that an object has twice. The error is one
// line with the place.
std::expected<Json, std::string> parse(std::string_view text, const Limits& limits = {});

std::string base64(ByteView octets);
// Empty unless the text is base64 with its padding (RFC 4648, 4).
std::optional<std::vector<std::uint8_t>> octets_of_base64(std::string_view text);

void append_utf_8(std::string& text, char32_t character);
// Empty unless the text is UTF-8 without surrogates.
std::optional<std::u32string> characters_of(std::string_view utf_8);

// Describes the value for a message: `the string "abc"`, `an array of 3`.
std::string found(const Json& json);

// The text in quotes, shortened and with escapes.
std::string quoted(const std::string& text);
// "; the nearest is \"NAME\"". Empty if there are no names, or the word is too long to be one.
std::string suggestion(const std::string& word, const std::vector<std::string>& names);

}  // namespace takt::json
