#include "json/numbers.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>

#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>

#include "json/text.h"
#include "reference/text/hex.h"

namespace takt::json {
namespace {

constexpr std::int64_t most_exact = std::int64_t{1} << 53;
constexpr std::string_view nan_with_bits = "NaN:0x";
constexpr cdr::Format big_endian{.order = cdr::ByteOrder::big};

template <class I>
I integer(const Json& json, const std::string& type, const Path& at) {
  const auto refuse = [&](const std::string& what) { at.fail("expected " + type + ", found " + what); };
  if (json.is_number_unsigned()) {
    const auto value = json.get<std::uint64_t>();
    if (value > static_cast<std::uint64_t>(std::numeric_limits<I>::max())) refuse(found(json));
    return static_cast<I>(value);
  }
  if (json.is_number_integer()) {
    const auto value = json.get<std::int64_t>();
    if (value < 0 && std::is_unsigned_v<I>) refuse(found(json));
    return static_cast<I>(value);
  }
  I value{};
  if (!json.is_string()) refuse(found(json));
  const auto& text = json.get_ref<const std::string&>();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) refuse(found(json));
  return value;
}

std::string hex_of(std::uint64_t bits, int digits) {
  char text[17];
  std::snprintf(text, sizeof text, "%0*llx", digits, static_cast<unsigned long long>(bits));
  return text;
}

// Bits is the unsigned integer of F's size.
template <class F, class Bits>
Json json_of_special(F value) {
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  const Bits bits = std::bit_cast<Bits>(value);
  if (bits == std::bit_cast<Bits>(std::numeric_limits<F>::quiet_NaN())) return "NaN";
  return std::string(nan_with_bits) + hex_of(bits, 2 * sizeof bits);
}

template <class F, class Bits>
F special_of_json(const Json& json, const std::string& expected, const Path& at) {
  const std::string text = json.is_string() ? json.get<std::string>() : "";
  if (text == "NaN") return std::numeric_limits<F>::quiet_NaN();
  if (text == "Infinity") return std::numeric_limits<F>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<F>::infinity();
  Bits bits = 0;
  if (text.starts_with(nan_with_bits)) {
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + nan_with_bits.size(), end, bits, 16);
    const F value = std::bit_cast<F>(bits);
    if (read.ec == std::errc() && read.ptr == end && std::isnan(value)) return value;
  }
  at.fail("expected " + expected + " (a number, \"NaN\", \"Infinity\" or \"-Infinity\"), found " +
          found(json));
}

// The native value of the octets.
long double long_double_of(const Quad& quad) {
  cdr::Decoder in({quad.data(), quad.size()}, 0, big_endian);
  long double value = 0;
  in.get(value);
  return value;
}

Quad quad_of(long double value) {
  GatherBuffer buffer(64);
  cdr::Encoder out(buffer, big_endian);
  out.put(value);
  Quad quad{};
  std::copy_n(buffer.owned(), std::min<std::size_t>(buffer.owned_size(), quad.size()), quad.begin());
  return quad;
}

}  // namespace

Json json_of_integer(std::int64_t value) {
  if (value >= -most_exact && value <= most_exact) return value;
  return std::to_string(value);
}

Json json_of_unsigned(std::uint64_t value) {
  if (value <= static_cast<std::uint64_t>(most_exact)) return value;
  return std::to_string(value);
}

std::int64_t integer_of_json(const Json& json, const std::string& type, const Path& at) {
  return integer<std::int64_t>(json, type, at);
}

std::uint64_t unsigned_of_json(const Json& json, const std::string& type, const Path& at) {
  return integer<std::uint64_t>(json, type, at);
}

Json json_of_double(double value) {
  return std::isfinite(value) ? Json(value) : json_of_special<double, std::uint64_t>(value);
}

Json json_of_float(float value) {
  if (!std::isfinite(value)) return json_of_special<float, std::uint32_t>(value);
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  double shortest = value;
  std::from_chars(text, end, shortest);
  return static_cast<float>(shortest) == value ? shortest : static_cast<double>(value);
}

double double_of_json(const Json& json, const Path& at) {
  return json.is_number() ? json.get<double>() : special_of_json<double, std::uint64_t>(json, "a double", at);
}

float float_of_json(const Json& json, const Path& at) {
  if (!json.is_number()) return special_of_json<float, std::uint32_t>(json, "a float", at);
  const auto value = static_cast<float>(json.get<double>());
  if (std::isinf(value)) at.fail("expected a float, found " + found(json) + ", which is out of its range");
  return value;
}

Json json_of_quad(const Quad& quad) {
  const long double value = long_double_of(quad);
  if (quad_of(value) == quad && !std::isnan(value)) {
    if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
    char text[64];
    std::snprintf(text, sizeof text, "%.*Lg", std::numeric_limits<long double>::max_digits10, value);
    return text;
  }
  if (quad_of(std::numeric_limits<long double>::quiet_NaN()) == quad) return "NaN";
  std::string text = "0x";
  for (const std::uint8_t octet : quad) reference::append_hex(text, octet);
  return text;
}

namespace {

// "0x" and 32 digits.
std::optional<Quad> quad_of_hex(std::string_view text) {
  Quad quad{};
  if (!text.starts_with("0x") || text.size() != 2 + 2 * quad.size()) return std::nullopt;
  for (std::size_t i = 0; i < quad.size(); ++i) {
    const int octet = reference::hex_octet(text[2 + 2 * i], text[3 + 2 * i]);
    if (octet < 0) return std::nullopt;
    quad[i] = static_cast<std::uint8_t>(octet);
  }
  return quad;
}

std::optional<Quad> quad_of_decimal(const std::string& text) {
  if (text.empty() || text.find_first_not_of("0123456789+-.eE") != text.npos) return std::nullopt;
  char* end = nullptr;
  const long double value = std::strtold(text.c_str(), &end);
  if (*end != '\0' || std::isinf(value)) return std::nullopt;
  return quad_of(value);
}

}  // namespace

Quad quad_of_json(const Json& json, const Path& at) {
  using Limits = std::numeric_limits<long double>;
  if (json.is_number()) return quad_of(json.get<double>());
  const std::string text = json.is_string() ? json.get<std::string>() : "";
  if (text == "NaN") return quad_of(Limits::quiet_NaN());
  if (text == "Infinity") return quad_of(Limits::infinity());
  if (text == "-Infinity") return quad_of(-Limits::infinity());
  if (const auto quad = quad_of_hex(text)) return *quad;
  if (const auto quad = quad_of_decimal(text)) return *quad;
  at.fail("expected a long double (a number, a string of one, or \"0x\" and 32 digits), found " +
          found(json));
}

}  // namespace takt::json
