#include "tracing/trace_context.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <takt/cdr/byte_order.h>

#include "base/hex.h"
#include "giop/header/head_reader.h"

namespace takt::tracing {

namespace {

// Upper case is not permitted.
int value_of(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

template <std::size_t Octets>
bool read_hex(std::string_view text, std::array<std::uint8_t, Octets>& octets) {
  for (std::size_t i = 0; i < Octets; ++i) {
    const int high = value_of(text[2 * i]), low = value_of(text[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    octets[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return true;
}

template <std::size_t Octets>
char* write_hex(const std::array<std::uint8_t, Octets>& octets, char* to) {
  for (const std::uint8_t octet : octets) {
    *to++ = hex_digits[octet >> 4];
    *to++ = hex_digits[octet & 15];
  }
  return to;
}

bool has_dashes(std::string_view text) { return text[2] == '-' && text[35] == '-' && text[52] == '-'; }

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Lower-case letters, digits and four signs; at most `most` of them.
bool is_key_part(std::string_view text, std::size_t most, bool may_begin_with_digit) {
  if (text.empty() || text.size() > most) return false;
  if (!is_lower(text[0]) && !(may_begin_with_digit && is_digit(text[0]))) return false;
  return std::ranges::all_of(text, [](char c) {
    return is_lower(c) || is_digit(c) || c == '_' || c == '-' || c == '*' || c == '/';
  });
}

bool is_key(std::string_view key) {
  constexpr std::size_t most = 256, most_of_tenant = 241, most_of_system = 14;
  const auto at = key.find('@');
  if (at == std::string_view::npos) return is_key_part(key, most, false);
  return is_key_part(key.substr(0, at), most_of_tenant, true) &&
         is_key_part(key.substr(at + 1), most_of_system, false);
}

bool is_value(std::string_view value) {
  if (value.empty() || value.size() > 256 || value.back() == ' ') return false;
  return std::ranges::all_of(value, [](char c) { return c >= ' ' && c <= '~' && c != ',' && c != '='; });
}

std::string_view without_spaces_around(std::string_view text) {
  constexpr std::string_view spaces = " \t";
  const auto first = text.find_first_not_of(spaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

// False if the string is not whole, or does not end with its zero.
bool take_string(auto& in, std::string_view& text) {
  ByteView octets;
  if (!in.octets(octets) || octets.empty() || octets.back() != 0) return false;
  text = {reinterpret_cast<const char*>(octets.data()), octets.size() - 1};
  return true;
}

void put_string(std::vector<std::uint8_t>& data, std::string_view text) {
  data.resize((data.size() + 3) & ~std::size_t{3});
  const auto size = static_cast<std::uint32_t>(text.size() + 1);
  const auto* const octets = reinterpret_cast<const std::uint8_t*>(&size);
  data.insert(data.end(), octets, octets + sizeof size);
  data.insert(data.end(), text.begin(), text.end());
  data.push_back(0);
}

}  // namespace

std::optional<Ids> read_traceparent(std::string_view text) {
  std::array<std::uint8_t, 1> version, flags;
  Ids ids;
  if (text.size() < traceparent_bytes || !has_dashes(text)) return std::nullopt;
  const bool is_hex = read_hex(text, version) && read_hex(text.substr(3), ids.trace) &&
                      read_hex(text.substr(36), ids.span) && read_hex(text.substr(53), flags);
  if (!is_hex || version[0] == 0xff || is_zero(ids.trace) || is_zero(ids.span)) return std::nullopt;
  if (text.size() > traceparent_bytes && (version[0] == 0 || text[traceparent_bytes] != '-'))
    return std::nullopt;
  ids.sampled = (flags[0] & 1) != 0;
  return ids;
}

void write_traceparent(const Ids& ids, char (&text)[traceparent_bytes]) {
  std::memcpy(text, "00-", 3);
  char* to = write_hex(ids.trace, text + 3);
  *to++ = '-';
  to = write_hex(ids.span, to);
  std::memcpy(to, ids.sampled ? "-01" : "-00", 3);
}

bool is_tracestate(std::string_view text) {
  if (text.size() > most_tracestate_bytes) return false;
  std::array<std::string_view, most_tracestate_members> keys;
  auto* end = keys.begin();
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    const std::string_view member = without_spaces_around(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
    if (member.empty()) continue;
    const auto equals = member.find('=');
    if (equals == std::string_view::npos || end == keys.end()) return false;
    const std::string_view key = member.substr(0, equals);
    if (!is_key(key) || !is_value(member.substr(equals + 1)) || std::find(keys.begin(), end, key) != end)
      return false;
    *end++ = key;
  }
  return true;
}

std::optional<ReceivedTrace> read_trace(ByteView data) {
  std::string_view parent, state;
  const bool has_parent = giop::open_encapsulation(data, [&](auto& in) {
    if (!take_string(in, parent)) return false;
    if (!take_string(in, state) || !is_tracestate(state)) state = {};
    return true;
  });
  const auto ids = has_parent ? read_traceparent(parent) : std::nullopt;
  if (!ids) return std::nullopt;
  return ReceivedTrace{*ids, state};
}

void write_trace(const Ids& ids, std::string_view state, std::vector<std::uint8_t>& data) {
  char parent[traceparent_bytes];
  write_traceparent(ids, parent);
  data.assign(1, static_cast<std::uint8_t>(cdr::native_order));
  put_string(data, {parent, sizeof parent});
  put_string(data, state);
}

}  // namespace takt::tracing
