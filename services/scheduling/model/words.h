// Names and numbers as people read them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "scheduling/model/types.h"

namespace takt::scheduling {

inline constexpr std::array<std::string_view, 5> level_names = {"very low", "low", "medium", "high",
                                                                "very high"};

inline constexpr std::array<std::string_view, 2> dependency_names = {"two way", "one way"};

constexpr std::string_view word_of(Criticality value) { return level_names[static_cast<std::size_t>(value)]; }
constexpr std::string_view word_of(Importance value) { return level_names[static_cast<std::size_t>(value)]; }
constexpr std::string_view word_of(DependencyType value) {
  return dependency_names[static_cast<std::size_t>(value)];
}

// Where `word` stands in `names`, with spaces, '-' and '_' alike. Nothing if it does not.
std::optional<std::size_t> place_of(std::string_view word, std::span<const std::string_view> names);

// With spaces behind it to so many characters, for tables; longer text stays as it is.
std::string padded(std::string text, std::size_t width);

// "one, two, three".
std::string listed(std::span<const std::string> names);

// "12.5 ms": in the largest unit that needs no more than six digits behind the point and none is lost.
std::string text_of(Time time);
// Likewise, to the microsecond: a run shows no more.
std::string rounded(Time time);

// Of "10 ms", "1.5us", "250 ns", "2 s"; a number alone is nanoseconds. Nothing if it is not a time, or not
// a whole number of nanoseconds, or over longest_time.
std::optional<Time> time_of(std::string_view text);

}  // namespace takt::scheduling
