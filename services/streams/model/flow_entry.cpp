#include "streams/model/flow_entry.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

namespace takt::streams {
namespace {

constexpr std::size_t most_fields = 6;

using Fields = std::array<std::string_view, most_fields>;
using Refused = std::unexpected<std::string>;

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

// The text up to the separator, which are removed from `text`.
std::string_view take_word(std::string_view& text, char separator) {
  const auto end = text.find(separator);
  const std::string_view word = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return word;
}

std::expected<Fields, std::string> fields_of(std::string_view entry, std::size_t most_bytes) {
  if (entry.size() > most_bytes)
    return Refused(std::to_string(entry.size()) + " octets; the limit is " + std::to_string(most_bytes));
  if (!std::ranges::all_of(entry, [](unsigned char c) { return c >= 0x20 && c != 0x7f; }))
    return Refused("control characters");
  Fields fields;
  for (std::string_view& each : fields) each = take_word(entry, '\\');
  if (!entry.empty()) return Refused("more than six fields");
  if (fields[0].empty()) return Refused("no name of a flow");
  return fields;
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// `word` is in upper case.
bool is_same_word(std::string_view text, std::string_view word) {
  return std::ranges::equal(text, word, {}, [](unsigned char c) { return std::toupper(c); });
}

std::uint32_t* setting_of(FlowProtocol& protocol, std::string_view key) {
  if (protocol.is_simple()) return is_same_word(key, "CREDIT") ? &protocol.credit : nullptr;
  if (key == "source") return &protocol.source;
  return key == "clock" ? &protocol.clock_rate : nullptr;
}

std::expected<std::optional<Direction>, std::string> direction_of(std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (is_same_word(text, "IN")) return Direction::in;
  if (is_same_word(text, "OUT")) return Direction::out;
  return Refused(in_quotes(text) + " is no direction: IN and OUT are");
}

std::string_view text_of(std::optional<Direction> direction) {
  if (!direction) return {};
  return *direction == Direction::in ? "IN" : "OUT";
}

// The entry with the texts of its fields, whose order differs between the two forms.
std::expected<FlowEntry, std::string> entry_of(std::string_view name, std::string_view direction,
                                               std::string_view format, std::string_view protocol,
                                               std::string_view carrier) {
  FlowEntry entry{.name = std::string(name), .format = std::string(format)};
  auto way = direction_of(direction);
  if (!way) return Refused(std::move(way.error()));
  auto rules = parse_protocol(protocol);
  if (!rules) return Refused(std::move(rules.error()));
  auto address = parse_carrier(carrier);
  if (!address) return Refused(std::move(address.error()));
  entry.direction = *way;
  entry.protocol = std::move(*rules);
  entry.carrier = std::move(*address);
  return entry;
}

}  // namespace

std::expected<Carrier, std::string> parse_carrier(std::string_view text) {
  Carrier carrier;
  const auto equals = std::min(text.find('='), text.size());
  carrier.name = text.substr(0, equals);
  std::ranges::transform(carrier.name, carrier.name.begin(), [](unsigned char c) { return std::toupper(c); });
  if (equals == text.size()) return carrier;
  const std::string_view address = text.substr(equals + 1);
  const auto colon = address.rfind(':');
  if (carrier.name.empty() || colon == std::string_view::npos || colon == 0 ||
      !read_number(address.substr(colon + 1), carrier.port))
    return Refused(in_quotes(text) + " is no CARRIER=HOST:PORT");
  std::string_view host = address.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  if (host.empty() || host.find_first_of("[]=;") != std::string_view::npos)
    return Refused(in_quotes(host) + " is no host");
  carrier.host = host;
  return carrier;
}

bool is_group(const Carrier& carrier) {
  std::array<std::uint8_t, 16> address{};
  if (carrier.port == 0) return false;
  if (inet_pton(AF_INET, carrier.host.c_str(), address.data()) == 1) return address[0] >> 4 == 0xe;
  return inet_pton(AF_INET6, carrier.host.c_str(), address.data()) == 1 && address[0] == 0xff;
}

std::string text_of(const Carrier& carrier) {
  if (!carrier.has_address()) return carrier.name;
  const bool is_v6 = carrier.host.find(':') != std::string::npos;
  return carrier.name + '=' + (is_v6 ? '[' + carrier.host + ']' : carrier.host) + ':' +
         std::to_string(carrier.port);
}

std::expected<FlowProtocol, std::string> parse_protocol(std::string_view text) {
  FlowProtocol protocol{.name = std::string(take_word(text, ':'))};
  if (const std::string_view version = take_word(text, ':'); !version.empty())
    protocol.name += ':' + std::string(version);
  if (is_same_word(protocol.name, simple_protocol)) protocol.name = simple_protocol;
  if (protocol.name != own_protocol && !protocol.is_simple()) return protocol;  // with unknown settings
  while (!text.empty()) {
    std::string_view value = take_word(text, ':');
    const std::string_view key = take_word(value, '=');
    std::uint32_t* const number = setting_of(protocol, key);
    if (!number || !read_number(value, *number))
      return Refused(in_quotes(key) + " is no setting of " + protocol.name + ", or has no number");
  }
  return protocol;
}

std::string text_of(const FlowProtocol& protocol) {
  if (protocol.is_simple() && protocol.credit != 0)
    return protocol.name + ":Credit=" + std::to_string(protocol.credit);
  if (protocol.name != own_protocol || protocol.clock_rate == 0) return protocol.name;
  return protocol.name + ":source=" + std::to_string(protocol.source) +
         ":clock=" + std::to_string(protocol.clock_rate);
}

std::expected<FlowEntry, std::string> parse_forward(std::string_view entry, std::size_t most_bytes) {
  const auto fields = fields_of(entry, most_bytes);
  if (!fields) return Refused(fields.error());
  return entry_of((*fields)[0], (*fields)[1], (*fields)[2], (*fields)[3], (*fields)[4]);
}

std::expected<FlowEntry, std::string> parse_reverse(std::string_view entry, std::size_t most_bytes) {
  const auto fields = fields_of(entry, most_bytes);
  if (!fields) return Refused(fields.error());
  return entry_of((*fields)[0], (*fields)[3], (*fields)[4], (*fields)[2], (*fields)[1]);
}

std::string forward_text(const FlowEntry& entry) {
  return entry.name + '\\' + std::string(text_of(entry.direction)) + '\\' + entry.format + '\\' +
         text_of(entry.protocol) + '\\' + text_of(entry.carrier);
}

std::string reverse_text(const FlowEntry& entry) {
  return entry.name + '\\' + text_of(entry.carrier) + '\\' + text_of(entry.protocol) + '\\' +
         std::string(text_of(entry.direction)) + '\\' + entry.format;
}

}  // namespace takt::streams
