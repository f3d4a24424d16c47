// Every option there is: one row each, from which parsing, error texts and the documentation come.
#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "orb/config/settings.h"

namespace takt::orb {

// What an option's value is, where it goes, and in which range it must be.
struct Text {
  std::string Settings::* to;
  std::string_view form;  // for people: "NAME"
};
struct Texts {  // given several times, or as a list that any of `separators` divides
  std::vector<std::string> Settings::* to;
  std::string_view form;
  std::string_view separators;
};
struct Duration {
  std::chrono::nanoseconds Settings::* to;
  std::chrono::nanoseconds least, most;
  bool zero_is_none = false;  // 0 is allowed and means: no limit
};
struct Count {
  std::size_t Settings::* to;
  std::size_t least, most;
  bool may_be_automatic = false;  // `automatic`, stored as automatic_count: it follows from other options
};
struct Bytes {
  std::size_t Settings::* to;
  std::size_t least, most;
  bool zero_is_none = false;
};
struct Choice {
  std::string Settings::* to;
  std::span<const std::string_view> values;
};

struct Option {
  std::string_view name;  // -ORBname, and TAKT_NAME in the environment
  std::variant<Text, Texts, Duration, Count, Bytes, Choice> kind;
  std::string_view fallback;  // as a user would write it; empty: none
  std::string_view meaning;
};

std::span<const Option> options();

}  // namespace takt::orb
