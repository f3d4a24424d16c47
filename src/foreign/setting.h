// One setting of another ORB: a row of its table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace takt::orb::others {

class Collector;

enum class Fate : std::uint8_t {
  translated,
  without_effect,  // a note in the log
  refused,         // the ORB does not start
  read,            // names a file that is read
};

struct Setting;
// Adds what the value becomes. Returns the form that it should have; empty if it has it.
using Convert = std::string (*)(const Setting& setting, std::string_view value, Collector& into);

struct Setting {
  std::string_view name;  // in its ORB's spelling, without -ORB
  Fate fate;
  std::string_view ours;       // the option that it becomes or concerns, without -ORB; may be empty
  std::string_view text;       // for people: why it has no effect, what to use instead, or its effect
  Convert convert = nullptr;   // for `translated`
  std::string_view example{};  // a value
  std::string_view becomes{};  // "RoundTripTimeout = 500ms", of several with "; " between
  std::string_view where{};    // the factory of svc.conf; empty: command line and files
  bool takes_value = true;
};

consteval Setting becomes(std::string_view name, std::string_view ours, Convert convert,
                          std::string_view example, std::string_view result, std::string_view where = {}) {
  return {name, Fate::translated, ours, {}, convert, example, result, where};
}
// Is checked, and sets no option by itself: `effect` says what it does. `ours` is the option that it
// concerns, if there is one.
consteval Setting acts(std::string_view name, std::string_view ours, Convert convert,
                       std::string_view example, std::string_view effect, std::string_view where = {}) {
  return {name, Fate::translated, ours, effect, convert, example, {}, where};
}
consteval Setting ignored(std::string_view name, std::string_view why, std::string_view where = {},
                          bool takes_value = true) {
  return {name, Fate::without_effect, {}, why, nullptr, {}, {}, where, takes_value};
}
consteval Setting refused(std::string_view name, std::string_view instead, std::string_view where = {},
                          bool takes_value = true) {
  return {name, Fate::refused, {}, instead, nullptr, {}, {}, where, takes_value};
}
consteval Setting file(std::string_view name, std::string_view what, std::string_view where = {}) {
  return {name, Fate::read, {}, what, nullptr, {}, {}, where};
}

std::span<const Setting> omniorb_settings();
std::span<const Setting> tao_settings();
// Null if there is none. omniORB's names must have its spelling; case does not matter in TAO's.
const Setting* find_omniorb_setting(std::string_view name);
const Setting* find_tao_setting(std::string_view name);

}  // namespace takt::orb::others
