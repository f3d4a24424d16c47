#include "foreign/conversions.h"

#include <charconv>

#include "foreign/collector.h"

namespace takt::orb::others {

namespace {

std::string with_unit(const Setting& setting, std::string_view value, std::string_view unit, Collector& into,
                      std::string_view form) {
  const auto number = number_in(value);
  if (!number) return std::string(form);
  into.set(setting.ours, *number == 0 ? "0" : std::to_string(*number).append(unit));
  return {};
}

}  // namespace

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string same(const Setting& setting, std::string_view value, Collector& into) {
  into.set(setting.ours, std::string(value));
  return {};
}

std::string milliseconds(const Setting& setting, std::string_view value, Collector& into) {
  return with_unit(setting, value, "ms", into, "a number of milliseconds");
}

std::string milliseconds_if_any(const Setting& setting, std::string_view value, Collector& into) {
  return number_in(value) == 0u ? std::string() : milliseconds(setting, value, into);
}

std::string seconds(const Setting& setting, std::string_view value, Collector& into) {
  return with_unit(setting, value, "s", into, "a number of seconds");
}

std::string count(const Setting& setting, std::string_view value, Collector& into) {
  return with_unit(setting, value, "", into, "a number");
}

std::string octets(const Setting& setting, std::string_view value, Collector& into) {
  const std::string_view digits = value.starts_with('-') ? value.substr(1) : value;
  const auto number = number_in(digits);
  if (!number) return "a number of octets";
  if (digits == value && *number != 0) into.set(setting.ours, std::to_string(*number));
  return {};
}

}  // namespace takt::orb::others
