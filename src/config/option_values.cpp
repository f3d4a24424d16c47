#include "config/option_values.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>

#include "base/items.h"

namespace takt::orb {

namespace {

using namespace std::chrono_literals;

constexpr std::string_view automatic = "automatic";
constexpr std::string_view adaptive = "auto";
constexpr std::chrono::nanoseconds adaptive_duration = -1us;

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
    {"", 1},       {"k", 1024},          {"M", 1024 * 1024},         {"G", 1024 * 1024 * 1024},
    {"KiB", 1024}, {"MiB", 1024 * 1024}, {"GiB", 1024 * 1024 * 1024}};

// Removes the number at the beginning of the text and returns it.
std::optional<std::uint64_t> leading_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

using Result = std::expected<void, std::string>;

template <class T>
T& value_at(const Field& field, Settings& settings) {
  return *static_cast<T*>(field.in(settings));
}
// Reading goes by the same path, and changes nothing.
template <class T>
const T& value_at(const Field& field, const Settings& settings) {
  return value_at<T>(field, const_cast<Settings&>(settings));
}

std::uint64_t number_at(const Field& field, const Settings& settings) {
  switch (field.stored) {
    case Stored::live_size:
      return value_at<LiveSetting<std::size_t>>(field, settings).get();
    case Stored::int32:
      return static_cast<std::uint64_t>(value_at<int>(field, settings));
    case Stored::live_int32:
      return static_cast<std::uint64_t>(value_at<LiveSetting<int>>(field, settings).get());
    case Stored::live_uint32:
      return value_at<LiveSetting<unsigned>>(field, settings).get();
    case Stored::live_uint16:
      return value_at<LiveSetting<std::uint16_t>>(field, settings).get();
    default:
      return value_at<std::size_t>(field, settings);
  }
}

// The descriptor's range fits the field.
void set_number(const Field& field, Settings& settings, std::uint64_t number) {
  switch (field.stored) {
    case Stored::live_size:
      value_at<LiveSetting<std::size_t>>(field, settings) = static_cast<std::size_t>(number);
      break;
    case Stored::int32:
      value_at<int>(field, settings) = static_cast<int>(number);
      break;
    case Stored::live_int32:
      value_at<LiveSetting<int>>(field, settings) = static_cast<int>(number);
      break;
    case Stored::live_uint32:
      value_at<LiveSetting<unsigned>>(field, settings) = static_cast<unsigned>(number);
      break;
    case Stored::live_uint16:
      value_at<LiveSetting<std::uint16_t>>(field, settings) = static_cast<std::uint16_t>(number);
      break;
    default:
      value_at<std::size_t>(field, settings) = static_cast<std::size_t>(number);
  }
}

std::chrono::nanoseconds duration_at(const Field& field, const Settings& settings) {
  if (field.stored == Stored::live_nanoseconds)
    return value_at<LiveSetting<std::chrono::nanoseconds>>(field, settings).get();
  if (field.stored == Stored::microseconds) return value_at<std::chrono::microseconds>(field, settings);
  return value_at<std::chrono::nanoseconds>(field, settings);
}

void set_duration(const Field& field, Settings& settings, std::chrono::nanoseconds value) {
  if (field.stored == Stored::live_nanoseconds)
    value_at<LiveSetting<std::chrono::nanoseconds>>(field, settings) = value;
  else if (field.stored == Stored::microseconds)
    value_at<std::chrono::microseconds>(field, settings) =
        std::chrono::ceil<std::chrono::microseconds>(value);
  else
    value_at<std::chrono::nanoseconds>(field, settings) = value;
}

// As octets, since the enums are of many types.
std::uint32_t choice_at(const Field& field, const Settings& settings) {
  if (field.stored == Stored::one_octet) return value_at<unsigned char>(field, settings);
  std::uint32_t value = 0;
  std::memcpy(&value, field.in(const_cast<Settings&>(settings)), sizeof value);
  return value;
}

void set_choice(const Field& field, Settings& settings, std::uint32_t value) {
  if (field.stored == Stored::one_octet)
    value_at<unsigned char>(field, settings) = static_cast<unsigned char>(value);
  else
    std::memcpy(field.in(settings), &value, sizeof value);
}

constexpr bool can_name_a_strategy(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

std::string listed(std::span<const ChoiceValue> values, std::string_view more = {}) {
  std::string text;
  for (const ChoiceValue& value : values) {
    if (!text.empty()) text += &value == &values.back() && more.empty() ? " or " : ", ";
    text += value.name;
  }
  if (!more.empty()) text.append(" or ").append(more);
  return text;
}

struct Setter {
  const Option& option;
  std::string_view text;
  Settings& settings;

  Result refuse() const { return std::unexpected("it takes " + range_of(option)); }

  Result operator()(const Text& kind) const {
    value_at<std::string>(kind.field, settings) = text;
    return {};
  }
  Result operator()(const Texts& kind) const {
    for (const std::string_view item : items_of(text, kind.separators))
      value_at<std::vector<std::string>>(kind.field, settings).emplace_back(item);
    return {};
  }
  Result operator()(const Duration& kind) const {
    if (kind.may_adapt && text == adaptive) {
      set_duration(kind.field, settings, adaptive_duration);
      return {};
    }
    const auto value = duration_from_text(text);
    if (!value && text.find_first_not_of("0123456789") == std::string_view::npos)
      return std::unexpected("it takes " + range_of(option) + ", with its unit, as in 500ms");
    if (!value)
      return std::unexpected("it takes " + range_of(option) + ", with a unit: ns, us, ms, s, min or h");
    const bool none = *value == 0ns && kind.zero_is_none;
    if (!none && (*value < kind.least || *value > kind.most)) return refuse();
    set_duration(kind.field, settings, *value);
    return {};
  }
  Result operator()(const Bytes& kind) const {
    const auto value = bytes_from_text(text);
    if (!value) return refuse();
    const bool none = *value == 0 && kind.zero_is_none;
    if (!none && (*value < kind.least || *value > kind.most)) return refuse();
    set_number(kind.field, settings, *value);
    return {};
  }
  Result operator()(const Count& kind) const {
    std::string_view rest = text;
    const bool is_automatic = kind.may_be_automatic && text == automatic;
    const auto value = is_automatic ? automatic_count : leading_number(rest);
    if (!is_automatic && (!value || !rest.empty() || *value < kind.least || *value > kind.most))
      return refuse();
    set_number(kind.field, settings, *value);
    return {};
  }
  Result operator()(const Choice& kind) const {
    const auto found = std::ranges::find(kind.values, text, &ChoiceValue::name);
    if (found == kind.values.end()) return refuse();
    set_choice(kind.field, settings, found->value);
    return {};
  }
  Result operator()(const PluginChoice& kind) const {
    auto& value = value_at<OpenChoiceValue>(kind.field, settings);
    if (const auto found = std::ranges::find(kind.values, text, &ChoiceValue::name);
        found != kind.values.end())
      value = {found->value, {}};
    else if (is_strategy_name(text))
      value.plugin = text;
    else
      return refuse();
    return {};
  }
  Result operator()(const Set& kind) const {
    for (const std::string_view item : items_of(text, kind.separators))
      if (auto added = add_to(kind, item); !added) return added;
    return {};
  }
  Result add_to(const Set& kind, std::string_view item) const {
    auto& set = value_at<OptionSetValue>(kind.field, settings);
    if (const auto found = std::ranges::find(kind.values, item, &ChoiceValue::name);
        found != kind.values.end())
      set.bits |= 1u << found->value;
    else if (!kind.others.empty() && item.find(':') != std::string_view::npos)
      set.others.emplace_back(item);
    else
      return std::unexpected((item == text ? "" : in_quotes(item) + " is none: ") + "it takes " +
                             range_of(option));
    return {};
  }
};

struct Describer {
  std::string operator()(const Text& kind) const { return std::string(kind.form); }
  std::string operator()(const Texts& kind) const { return std::string(kind.form) + ", several"; }
  std::string operator()(const Duration& kind) const {
    return "a duration from " + duration_to_text(kind.least) + " to " + duration_to_text(kind.most) +
           (kind.zero_is_none ? ", or 0" : "") + (kind.may_adapt ? ", or " + std::string(adaptive) : "");
  }
  std::string operator()(const Count& kind) const {
    return "a number from " + std::to_string(kind.least) + " to " + std::to_string(kind.most) +
           (kind.may_be_automatic ? ", or " + std::string(automatic) : "");
  }
  std::string operator()(const Bytes& kind) const {
    return "a size from " + bytes_to_text(kind.least) + " to " + bytes_to_text(kind.most) +
           (kind.zero_is_none ? ", or 0" : "");
  }
  std::string operator()(const Choice& kind) const { return listed(kind.values); }
  std::string operator()(const PluginChoice& kind) const { return listed(kind.values, "a plug-in's"); }
  std::string operator()(const Set& kind) const { return listed(kind.values, kind.others) + ", several"; }
};

struct Writer {
  const Settings& settings;

  using Items = std::vector<std::string>;
  Items operator()(const Text& kind) const { return {value_at<std::string>(kind.field, settings)}; }
  Items operator()(const Texts& kind) const { return value_at<Items>(kind.field, settings); }
  Items operator()(const Duration& kind) const {
    const auto value = duration_at(kind.field, settings);
    return {kind.may_adapt && value == adaptive_duration ? std::string(adaptive) : duration_to_text(value)};
  }
  Items operator()(const Count& kind) const {
    const std::uint64_t number = number_at(kind.field, settings);
    const bool is_automatic = kind.may_be_automatic && number == automatic_count;
    return {is_automatic ? std::string(automatic) : std::to_string(number)};
  }
  Items operator()(const Bytes& kind) const { return {bytes_to_text(number_at(kind.field, settings))}; }
  Items operator()(const Choice& kind) const {
    const auto found = std::ranges::find(kind.values, choice_at(kind.field, settings), &ChoiceValue::value);
    return {std::string(found == kind.values.end() ? std::string_view() : found->name)};
  }
  Items operator()(const PluginChoice& kind) const {
    const auto& value = value_at<OpenChoiceValue>(kind.field, settings);
    if (!value.plugin.empty()) return {value.plugin};
    return {std::string(std::ranges::find(kind.values, value.own, &ChoiceValue::value)->name)};
  }
  Items operator()(const Set& kind) const {
    const auto& set = value_at<OptionSetValue>(kind.field, settings);
    Items items;
    for (const ChoiceValue& value : kind.values)
      if (set.bits >> value.value & 1) items.emplace_back(value.name);
    items.insert(items.end(), set.others.begin(), set.others.end());
    return items;
  }
};

}  // namespace

bool is_strategy_name(std::string_view text) {
  return !text.empty() && text.size() <= 100 && std::ranges::all_of(text, can_name_a_strategy);
}

std::string plugin_value_of(const Option& option, const Settings& settings) {
  const auto* const choice = std::get_if<PluginChoice>(&option.kind);
  return choice ? value_at<OpenChoiceValue>(choice->field, settings).plugin : std::string();
}

std::vector<std::string> texts_of(const Option& option, const Settings& settings) {
  return std::visit(Writer{settings}, option.kind);
}

std::string default_of(const Option& option) { return joined(option, texts_of(option, Settings())); }

namespace {
char separator_of(const Option& option) {
  if (const auto* const list = std::get_if<Texts>(&option.kind)) return list->separators.front();
  const auto* const set = std::get_if<Set>(&option.kind);
  return set ? set->separators.front() : ' ';
}
}  // namespace

std::string joined(const Option& option, const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) {
    if (!all.empty()) all += separator_of(option);
    all += text;
  }
  return all;
}

void clear_list(const Option& option, Settings& settings) {
  if (const auto* const list = std::get_if<Texts>(&option.kind))
    value_at<std::vector<std::string>>(list->field, settings).clear();
  else if (const auto* const set = std::get_if<Set>(&option.kind))
    value_at<OptionSetValue>(set->field, settings) = {};
}

std::expected<void, std::string> add_item(const Option& option, std::string_view text, Settings& settings) {
  if (!is_list(option)) return set_option(option, text, settings);
  if (text.empty()) return std::unexpected("it takes " + range_of(option));
  if (const auto* const set = std::get_if<Set>(&option.kind))
    return Setter{option, text, settings}.add_to(*set, text);
  value_at<std::vector<std::string>>(std::get<Texts>(option.kind).field, settings).emplace_back(text);
  return {};
}

std::expected<void, std::string> set_option(const Option& option, std::string_view text, Settings& settings) {
  return std::visit(Setter{option, text, settings}, option.kind);
}

std::string in_quotes(std::string_view value) {
  constexpr std::size_t most = 100;
  std::string quoted("'");
  quoted.append(value.substr(0, most));
  return quoted += value.size() > most ? "...'" : "'";
}

std::string not_valid(std::string_view where, std::string_view value, std::string_view why) {
  return std::string(where) + ": " + in_quotes(value) + " is not valid: " + std::string(why);
}

std::string documented_range_of(const Option& option) {
  const auto* const count = std::get_if<Count>(&option.kind);
  return range_of(option) + (count ? " (" + std::string(count->unit) + ")" : "");
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
  return std::unexpected("a number of octets, or one with k, M, G, KiB, MiB or GiB");
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
