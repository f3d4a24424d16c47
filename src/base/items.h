// The items of a text that lists them.
#pragma once

#include <string_view>
#include <vector>

namespace takt {

// The texts between the separators, of which each character is one; none is empty. Views into `text`.
// Allocates.
inline std::vector<std::string_view> items_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> items;
  for (std::size_t begin; (begin = text.find_first_not_of(separators)) != text.npos;) {
    text.remove_prefix(begin);
    items.push_back(text.substr(0, text.find_first_of(separators)));
    text.remove_prefix(items.back().size());
  }
  return items;
}

}  // namespace takt
