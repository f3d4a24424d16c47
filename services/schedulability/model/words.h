// Text forms of names and numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "schedulability/model/types.h"

namespace takt::scheduling {

inline constexpr std::array<std::string_view, 5> level_names = {"very low", "low", "medium", "high",
                                                                "very high"};

inline constexpr std::array<std::string_view, 2> dependency_names = {"two way", "one way"};

constexpr std::string_view word_of(Criticality value) { return level_names[static_cast<std::size_t>(value)]; }
constexpr std::string_view word_of(Importance value) { return level_names[static_cast<std::size_t>(value)]; }
constexpr std::string_view word_of(DependencyType value) {
  return dependency_names[static_cast<std::size_t>(value)];
}

// The index of `word` in `names`; space, '-' and '_' count as equal. Empty if it is not there.
std::optional<std::size_t> place_of(std::string_view word, std::span<const std::string_view> names);

// Pads the text with spaces to `width` characters, for tables; longer text is unchanged.
std::string padded(std::string text, std::size_t width);

// "one, two, three".
std::string listed(std::span<const std::string> names);

// "12.5 ms": exact, in the largest unit that needs at most six decimal places.
std::string text_of(Time time);
// The same, rounded to microseconds, for measured times.
std::string rounded(Time time);

// Parses "10 ms", "1.5us", "250 ns", "2 s"; only "0" needs no unit. Empty if it is not a time, not a whole
// number of nanoseconds, or over longest_time.
std::optional<Time> time_of(std::string_view text);

}  // namespace takt::scheduling
