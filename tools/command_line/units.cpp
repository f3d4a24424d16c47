#include "units.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <span>

namespace takt::command_line {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t value;
};

constexpr Unit units_of_time[] = {{"ns", 1},
                                  {"us", 1'000},
                                  {"ms", 1'000'000},
                                  {"s", 1'000'000'000},
                                  {"min", 60'000'000'000},
                                  {"h", 3'600'000'000'000},
                                  {"", 1'000'000'000}};
constexpr Unit units_of_size[] = {{"", 1},          {"k", 1 << 10},   {"M", 1 << 20},  {"G", 1 << 30},
                                  {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}};

// The number, which may have a fraction, times its unit.
std::expected<std::int64_t, std::string> product(std::string_view text, std::span<const Unit> units,
                                                 const char* expected) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  const std::string_view unit(read.ptr, static_cast<std::size_t>(end - read.ptr));
  if (read.ec == std::errc() && number >= 0)
    for (const Unit& each : units)
      if (each.name == unit) {
        const double product = std::round(number * static_cast<double>(each.value));
        if (product < static_cast<double>(std::numeric_limits<std::int64_t>::max()))
          return static_cast<std::int64_t>(product);
      }
  return std::unexpected(expected);
}

std::string shown(std::int64_t value, std::span<const Unit> units) {
  const Unit* best = &units.front();
  for (const Unit& unit : units)
    if (value != 0 && !unit.name.empty() && unit.value >= best->value && value % unit.value == 0)
      best = &unit;
  return std::to_string(value / best->value) + std::string(best->name);
}

}  // namespace

std::expected<std::chrono::nanoseconds, std::string> time_from_text(std::string_view text) {
  const auto value = product(text, units_of_time, "a number with ns, us, ms, s, min or h, such as 500ms");
  if (!value) return std::unexpected(value.error());
  return std::chrono::nanoseconds(*value);
}

std::string text_of_time(std::chrono::nanoseconds time) {
  return time.count() == 0 ? "0" : shown(time.count(), units_of_time);
}

std::expected<std::uint64_t, std::string> size_from_text(std::string_view text) {
  const auto value = product(text, units_of_size, "a number of octets, or one with k, M or G, such as 64k");
  if (!value) return std::unexpected(value.error());
  return static_cast<std::uint64_t>(*value);
}

std::string text_of_size(std::uint64_t size) {
  constexpr std::size_t with_own_name = 4;  // "" and the short names
  return shown(static_cast<std::int64_t>(size), std::span(units_of_size).first(with_own_name));
}

}  // namespace takt::command_line
