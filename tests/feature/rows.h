// Rows of what a service must do: a suite is data and one loop.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

namespace feature {

// `found` must be what is wanted. Members of an exception, in braces, and a detail after a colon count only
// if `wanted` has them.
inline void expect_row(const std::string& row, const std::string& text, const std::string& wanted,
                       const std::string& found) {
  const auto end_of_name = std::min(found.find('{'), found.find(": "));
  const bool is_short = wanted.find('{') == std::string::npos && wanted.find(": ") == std::string::npos;
  EXPECT_EQ(is_short ? found.substr(0, end_of_name) : found, wanted)
      << row << (text.empty() ? "" : ": ") << text << "\nfound: " << found;
}

// An operation, and the exception that it raises or "nothing".
struct CallRow {
  const char* row;
  std::function<void()> call;
  std::string thrown;
};

// `thrown_by` tells the exception of a call as a text.
template <std::size_t count, class ThrownBy>
void expect_rows(const CallRow (&rows)[count], const ThrownBy& thrown_by) {
  for (const CallRow& each : rows) expect_row(each.row, "", each.thrown, thrown_by(each.call));
}

}  // namespace feature
