// Reading the files of other ORBs.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace takt::orb::others {

struct Line {
  std::size_t number;  // counts from 1
  std::string_view text;
};

// The lines, without spaces at their ends and without comments: # at the beginning or after a space, to the
// end.
std::vector<Line> lines_in(std::string_view text);

// Spaces and tabs at the ends.
std::string_view trimmed(std::string_view text);
// Removes the first word and returns it; empty if there is none.
std::string_view first_word(std::string_view& text);

}  // namespace takt::orb::others
