// The table of all options. Parsing, error texts and the documentation are derived from it.
#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "orb/config/settings.h"

namespace takt::orb {

// The kind of an option's value, the setting that stores it, and its range.
struct Text {
  std::string Settings::* to;
  std::string_view form;  // for people: "NAME"
};
struct Texts {  // may be given several times, or as a list divided by any of `separators`
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
  bool may_be_automatic = false;  // `automatic`, stored as automatic_count: derived from other options
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
  std::string_view name;  // "ConnectTimeout" for -ORBConnectTimeout and TAKT_CONNECT_TIMEOUT
  std::variant<Text, Texts, Duration, Count, Bytes, Choice> kind;
  std::string_view fallback;  // as a user would write it; empty: none
  std::string_view meaning;
};

std::span<const Option> options();

}  // namespace takt::orb
