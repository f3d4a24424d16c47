#include "orb/config/option_values.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

namespace takt::orb {

namespace {

using namespace std::chrono_literals;

constexpr std::string_view automatic = "automatic";

struct UnitOfTime {
  std::string_view name;
  std::chrono::nanoseconds value;
};
constexpr UnitOfTime units_of_time[] = {{"ns", 1ns}, {"us", 1us},   {"ms", 1ms},
                                        {"s", 1s},   {"min", 1min}, {"h", 1h}};

struct UnitOfSize {
  std::string_view name;
  std::size_t value;
};
constexpr UnitOfSize units_of_size[] = {
    {"", 1}, {"KiB", 1024}, {"MiB", 1024 * 1024}, {"GiB", 1024 * 1024 * 1024}};

// Removes the number at the beginning of the text and returns it.
std::optional<std::uint64_t> leading_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

using Result = std::expected<void, std::string>;

struct Setter {
  const Option& option;
  std::string_view text;
  Settings& settings;

  Result refuse() const { return std::unexpected("it takes " + range_of(option)); }

  Result operator()(const Text& kind) const {
    settings.*kind.to = text;
    return {};
  }
  Result operator()(const Texts& kind) const {
    std::string_view rest = text;
    while (!rest.empty()) {
      const auto end = rest.find_first_of(kind.separators);
      const auto item = rest.substr(0, end);
      if (!item.empty()) (settings.*kind.to).emplace_back(item);
      rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
    return {};
  }
  Result operator()(const Duration& kind) const {
    const auto value = duration_from_text(text);
    if (!value && text.find_first_not_of("0123456789") == std::string_view::npos)
      return std::unexpected("it takes " + range_of(option) + ", with its unit, as in 500ms");
    if (!value) return refuse();
    const bool none = *value == 0ns && kind.zero_is_none;
    if (!none && (*value < kind.least || *value > kind.most)) return refuse();
    settings.*kind.to = *value;
    return {};
  }
  Result operator()(const Bytes& kind) const {
    const auto value = bytes_from_text(text);
    if (!value) return refuse();
    const bool none = *value == 0 && kind.zero_is_none;
    if (!none && (*value < kind.least || *value > kind.most)) return refuse();
    settings.*kind.to = *value;
    return {};
  }
  Result operator()(const Count& kind) const {
    if (kind.may_be_automatic && text == automatic) {
      settings.*kind.to = automatic_count;
      return {};
    }
    std::string_view rest = text;
    const auto value = leading_number(rest);
    if (!value || !rest.empty() || *value < kind.least || *value > kind.most) return refuse();
    settings.*kind.to = static_cast<std::size_t>(*value);
    return {};
  }
  Result operator()(const Choice& kind) const {
    if (std::ranges::find(kind.values, text) == kind.values.end()) return refuse();
    settings.*kind.to = text;
    return {};
  }
};

struct Describer {
  std::string operator()(const Text& kind) const { return std::string(kind.form); }
  std::string operator()(const Texts& kind) const { return std::string(kind.form) + ", several"; }
  std::string operator()(const Duration& kind) const {
    return "a duration from " + duration_to_text(kind.least) + " to " + duration_to_text(kind.most) +
           (kind.zero_is_none ? ", or 0" : "");
  }
  std::string operator()(const Count& kind) const {
    return "a number from " + std::to_string(kind.least) + " to " + std::to_string(kind.most) +
           (kind.may_be_automatic ? ", or " + std::string(automatic) : "");
  }
  std::string operator()(const Bytes& kind) const {
    return "a size from " + bytes_to_text(kind.least) + " to " + bytes_to_text(kind.most) +
           (kind.zero_is_none ? ", or 0" : "");
  }
  std::string operator()(const Choice& kind) const {
    std::string text;
    for (const auto value : kind.values) {
      if (!text.empty()) text += value == kind.values.back() ? " or " : ", ";
      text += value;
    }
    return text;
  }
};

struct Writer {
  const Settings& settings;

  using Items = std::vector<std::string>;
  Items operator()(const Text& kind) const { return {settings.*kind.to}; }
  Items operator()(const Texts& kind) const { return settings.*kind.to; }
  Items operator()(const Duration& kind) const { return {duration_to_text(settings.*kind.to)}; }
  Items operator()(const Count& kind) const {
    const bool is_automatic = kind.may_be_automatic && settings.*kind.to == automatic_count;
    return {is_automatic ? std::string(automatic) : std::to_string(settings.*kind.to)};
  }
  Items operator()(const Bytes& kind) const { return {bytes_to_text(settings.*kind.to)}; }
  Items operator()(const Choice& kind) const { return {settings.*kind.to}; }
};

}  // namespace

std::vector<std::string> texts_of(const Option& option, const Settings& settings) {
  return std::visit(Writer{settings}, option.kind);
}

std::expected<void, std::string> add_item(const Option& option, std::string_view text, Settings& settings) {
  const auto* list = std::get_if<Texts>(&option.kind);
  if (!list) return set_option(option, text, settings);
  if (text.empty()) return std::unexpected("it takes " + range_of(option));
  (settings.*list->to).emplace_back(text);
  return {};
}

std::expected<void, std::string> set_option(const Option& option, std::string_view text, Settings& settings) {
  return std::visit(Setter{option, text, settings}, option.kind);
}

std::string range_of(const Option& option) { return std::visit(Describer{}, option.kind); }

std::expected<std::chrono::nanoseconds, std::string> duration_from_text(std::string_view text) {
  const auto number = leading_number(text);
  if (number == 0u && text.empty()) return 0ns;
  for (const UnitOfTime& unit : units_of_time) {
    if (!number || text != unit.name) continue;
    const auto most =
        static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() / unit.value.count());
    if (*number <= most) return unit.value * static_cast<std::int64_t>(*number);
  }
  return std::unexpected("a number with ns, us, ms, s, min or h, as in 250ms");
}

std::expected<std::size_t, std::string> bytes_from_text(std::string_view text) {
  const auto number = leading_number(text);
  for (const UnitOfSize& unit : units_of_size)
    if (number && text == unit.name && *number <= std::numeric_limits<std::size_t>::max() / unit.value)
      return static_cast<std::size_t>(*number) * unit.value;
  return std::unexpected("a number of octets, or one with KiB, MiB or GiB");
}

std::string duration_to_text(std::chrono::nanoseconds value) {
  const UnitOfTime* best = units_of_time;
  if (value == 0ns) return "0";
  for (const UnitOfTime& unit : units_of_time)
    if (value % unit.value == 0ns) best = &unit;
  return std::to_string(value / best->value) + std::string(best->name);
}

std::string bytes_to_text(std::size_t value) {
  const UnitOfSize* best = units_of_size;
  for (const UnitOfSize& unit : units_of_size)
    if (value != 0 && value % unit.value == 0) best = &unit;
  return std::to_string(value / best->value) + std::string(best->name);
}

}  // namespace takt::orb
