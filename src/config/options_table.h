// The descriptors of all options. Parsing, error texts, the documentation, live changes and conflicts are
// derived from them. A new option is a field, with its default, in the options of a room, and a descriptor
// in config/options.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <takt/base/live_setting.h>

#include "config/running_orb.h"
#include "config/settings.h"

namespace takt::orb {

// The type of an option's field in Settings.
enum class Stored : std::uint8_t {
  text,
  texts,
  nanoseconds,
  live_nanoseconds,
  microseconds,
  size,
  live_size,
  int32,
  live_int32,
  live_uint32,
  live_uint16,
  open_choice,
  set,
  one_octet,    // bool, an enum or a small number
  four_octets,  // an enum
};

constexpr bool is_live(Stored stored) {
  return stored == Stored::live_nanoseconds || stored == Stored::live_size || stored == Stored::live_int32 ||
         stored == Stored::live_uint32 || stored == Stored::live_uint16;
}

template <class T>
consteval Stored stored_as() {
  if constexpr (std::is_base_of_v<OpenChoiceValue, T>) {
    return Stored::open_choice;
  } else if constexpr (std::is_base_of_v<OptionSetValue, T>) {
    return Stored::set;
  } else {
    static_assert((std::is_enum_v<T> || std::is_same_v<T, bool> || std::is_same_v<T, std::uint8_t>) &&
                      (sizeof(T) == 1 || sizeof(T) == 4),
                  "options cannot have fields of this type");
    return sizeof(T) == 1 ? Stored::one_octet : Stored::four_octets;
  }
}
template <>
consteval Stored stored_as<std::string>() {
  return Stored::text;
}
template <>
consteval Stored stored_as<std::vector<std::string>>() {
  return Stored::texts;
}
template <>
consteval Stored stored_as<std::chrono::nanoseconds>() {
  return Stored::nanoseconds;
}
template <>
consteval Stored stored_as<LiveSetting<std::chrono::nanoseconds>>() {
  return Stored::live_nanoseconds;
}
template <>
consteval Stored stored_as<std::chrono::microseconds>() {
  return Stored::microseconds;
}
template <>
consteval Stored stored_as<std::size_t>() {
  return Stored::size;
}
template <>
consteval Stored stored_as<LiveSetting<std::size_t>>() {
  return Stored::live_size;
}
template <>
consteval Stored stored_as<int>() {
  return Stored::int32;
}
template <>
consteval Stored stored_as<LiveSetting<int>>() {
  return Stored::live_int32;
}
template <>
consteval Stored stored_as<LiveSetting<unsigned>>() {
  return Stored::live_uint32;
}
template <>
consteval Stored stored_as<LiveSetting<std::uint16_t>>() {
  return Stored::live_uint16;
}

// The largest value of a number's field.
constexpr std::size_t largest_in(Stored stored) {
  if (stored == Stored::int32 || stored == Stored::live_int32) return std::numeric_limits<int>::max();
  if (stored == Stored::live_uint32) return std::numeric_limits<std::uint32_t>::max();
  return stored == Stored::live_uint16 ? std::numeric_limits<std::uint16_t>::max()
                                       : std::numeric_limits<std::size_t>::max();
}

// The place of an option's value in Settings, and its type.
struct Field {
  void* (*in)(Settings& settings) = nullptr;
  Stored stored = Stored::text;
};

template <auto... path>
void* find_field(Settings& settings) {
  return &(settings.*....*path);
}
template <auto... path>
using FieldType = std::remove_cvref_t<decltype((std::declval<Settings&>().*....*path))>;
// The field that a path of members leads to: at<&Settings::client, &client::ClientOptions::connect_timeout>.
template <auto... path>
inline constexpr Field at{find_field<path...>, stored_as<FieldType<path...>>()};

// The kind of an option's value, the field that stores it, and its range.
struct Text {
  Field field;
  std::string_view form;  // for people: "NAME"
};
struct Texts {  // may be given several times, or as a list divided by any of `separators`
  Field field;
  std::string_view form;
  std::string_view separators;
};
struct Duration {
  Field field;
  std::chrono::nanoseconds least, most;
  bool zero_is_none = false;  // 0 is allowed and means: no limit
  bool may_adapt = false;     // `auto`, stored as -1us: as the circumstances are
};
struct Count {
  Field field;
  std::size_t least, most;
  std::string_view unit;          // for people: "threads"
  bool may_be_automatic = false;  // `automatic`, stored as automatic_count: derived from other options
};
struct Bytes {
  Field field;
  std::size_t least, most;
  bool zero_is_none = false;
};

// One value of a choice. Only the descriptor has its name.
template <class T>
struct Named {
  std::string_view name;
  T value;
};
struct ChoiceValue {
  std::string_view name;
  std::uint32_t value = 0;
};
struct Choice {
  Field field;
  std::span<const ChoiceValue> values;
};
// A choice to which plug-ins add values. Their names are known once the ORB has loaded them, and are resolved
// then, once.
struct PluginChoice {
  Field field;
  std::span<const ChoiceValue> values;  // the ORB's own
};

// Any of the values. May be given several times, or as a list divided by any of `separators`.
struct Set {
  Field field;
  std::span<const ChoiceValue> values;
  std::string_view separators;
  std::string_view others = {};  // for people: texts with a colon that it takes beside the values
};

template <const auto& names>
inline constexpr auto choice_values = [] {
  std::array<ChoiceValue, std::size(names)> values;
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = {names[i].name, static_cast<std::uint32_t>(names[i].value)};
  return values;
}();
// `names`: an array of Named, of the field's type.
template <const auto& names, auto... path>
consteval Choice choice() {
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(names[0].value)>, FieldType<path...>>);
  return {at<path...>, choice_values<names>};
}
// The same for a field of type OpenChoice.
template <const auto& names, auto... path>
consteval PluginChoice plugin_choice() {
  using Value = std::remove_cvref_t<decltype(names[0].value)>;
  static_assert(std::is_same_v<OpenChoice<Value>, FieldType<path...>>);
  return {at<path...>, choice_values<names>};
}
// The same for a field of type OptionSet.
template <const auto& names, auto... path>
consteval Set set_of(std::string_view separators, std::string_view others = {}) {
  using Value = std::remove_cvref_t<decltype(names[0].value)>;
  static_assert(std::is_same_v<OptionSet<Value>, FieldType<path...>>);
  return {at<path...>, choice_values<names>, separators, others};
}

// States whether the option can change while the ORB runs.
struct Live {
  enum class How : std::uint8_t { fixed, set, add };
  How how = How::fixed;
  std::string_view text;  // for people: when a change takes effect, or why there can be none
  // Applies the change; null: RunningOrb::take_limits.
  void (RunningOrb::*effect)(const Settings& now) = nullptr;
};
consteval Live fixed(std::string_view why = "it is read when the ORB starts, and not again") {
  return {Live::How::fixed, why, nullptr};
}
consteval Live set_live(std::string_view when, void (RunningOrb::*effect)(const Settings&) = nullptr) {
  return {Live::How::set, when, effect};
}
// Changes append to the list.
consteval Live add_live(std::string_view when, void (RunningOrb::*effect)(const Settings&)) {
  return {Live::How::add, when, effect};
}

// Values that are valid one by one, but contradict each other.
struct Conflict {
  std::string_view other;  // the other option, or the same one
  bool (*is_there)(const Settings& settings);
  std::string_view when;  // for people: the values
  std::string_view why;
  std::string_view instead;
};

struct Option {
  std::string_view name;  // "ConnectTimeout" for -ORBConnectTimeout and TAKT_CONNECT_TIMEOUT
  std::variant<Text, Texts, Duration, Count, Bytes, Choice, PluginChoice, Set> kind;
  Live live;
  std::string_view meaning;
  std::span<const Conflict> conflicts = {};  // with any other option, or with itself
};

std::span<const Option> options();

constexpr const Field& field_of(const Option& option) {
  return std::visit([](const auto& kind) -> const Field& { return kind.field; }, option.kind);
}

// Whether a value of the option has any number of texts.
constexpr bool is_list(const Option& option) {
  return std::holds_alternative<Texts>(option.kind) || std::holds_alternative<Set>(option.kind);
}

// Says what a descriptor's kind lacks; empty if it is complete.
struct KindFault {
  constexpr std::string_view operator()(const Text& kind) const {
    if (kind.field.stored != Stored::text) return "its field is no text";
    return kind.form.empty() ? "it has no form" : "";
  }
  constexpr std::string_view operator()(const Texts& kind) const {
    if (kind.field.stored != Stored::texts) return "its field is no list of texts";
    if (kind.separators.empty()) return "nothing divides its list";
    return kind.form.empty() ? "it has no form" : "";
  }
  constexpr std::string_view operator()(const Duration& kind) const {
    const Stored stored = kind.field.stored;
    if (stored != Stored::nanoseconds && stored != Stored::live_nanoseconds && stored != Stored::microseconds)
      return "its field is no duration";
    return kind.least < kind.most ? "" : "it has no range";
  }
  constexpr std::string_view operator()(const Count& kind) const {
    if (kind.unit.empty()) return "it has no unit";
    return number(kind.field.stored, kind.least, kind.most);
  }
  constexpr std::string_view operator()(const Bytes& kind) const {
    return number(kind.field.stored, kind.least, kind.most);
  }
  constexpr std::string_view operator()(const Choice& kind) const {
    if (kind.field.stored != Stored::one_octet && kind.field.stored != Stored::four_octets)
      return "its field is no choice";
    return kind.values.size() < 2 ? "it leaves no choice" : "";
  }
  constexpr std::string_view operator()(const PluginChoice& kind) const {
    if (kind.field.stored != Stored::open_choice) return "its field is no choice to which plug-ins add";
    return kind.values.empty() ? "it leaves no choice" : "";
  }
  constexpr std::string_view operator()(const Set& kind) const {
    if (kind.field.stored != Stored::set) return "its field is no set";
    if (kind.separators.empty()) return "nothing divides its list";
    const auto fits = [](const ChoiceValue& value) { return value.value < 32; };
    return !kind.values.empty() && std::ranges::all_of(kind.values, fits) ? "" : "its values do not fit";
  }
  static constexpr std::string_view number(Stored stored, std::size_t least, std::size_t most) {
    if (stored < Stored::size || stored > Stored::live_uint16) return "its field is no number";
    if (most > largest_in(stored)) return "its range exceeds its field";
    return least < most ? "" : "it has no range";
  }
};

// The same for what a descriptor says of changes while the ORB runs.
constexpr std::string_view live_fault_of(const Option& option) {
  const Live& live = option.live;
  if (live.text.empty()) return "it does not say whether it can change";
  if (live.how == Live::How::add && !std::holds_alternative<Texts>(option.kind))
    return "only lists can be added to";
  if (live.how != Live::How::fixed && !live.effect && !is_live(field_of(option).stored))
    return "it can change, but its field is not LiveSetting and nothing takes the change";
  return "";
}

constexpr bool is_complete(const Conflict& conflict) {
  return !conflict.other.empty() && conflict.is_there && !conflict.when.empty() && !conflict.why.empty() &&
         !conflict.instead.empty();
}

// Says what a descriptor lacks; empty if it is complete. The table is checked at compile time. A test checks
// the defaults, which are in Settings.
constexpr std::string_view fault_of(const Option& option) {
  if (option.name.empty()) return "it has no name";
  if (option.meaning.empty()) return "it has no meaning";
  if (!field_of(option).in) return "it has no field, and so no default";
  if (const std::string_view fault = live_fault_of(option); !fault.empty()) return fault;
  if (!std::ranges::all_of(option.conflicts, is_complete)) return "a conflict of it is not complete";
  return std::visit(KindFault(), option.kind);
}

// Whether each conflict names an option of the table.
constexpr bool conflicts_name_options(std::span<const Option> table) {
  return std::ranges::all_of(table, [&](const Option& option) {
    return std::ranges::all_of(option.conflicts, [&](const Conflict& conflict) {
      return std::ranges::find(table, conflict.other, &Option::name) != table.end();
    });
  });
}

}  // namespace takt::orb
