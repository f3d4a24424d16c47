// The operations of every object, which have methods of CORBA::Object and of servants
// (CORBA 3.0.3, 15.4.2.2).
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace takt::dynamic {

inline bool is_object_operation(std::string_view name) {
  static constexpr std::array<std::string_view, 6> all{"_is_a",      "_non_existent", "_not_existent",
                                                       "_interface", "_component",    "_repository_id"};
  return std::ranges::find(all, name) != all.end();
}

}  // namespace takt::dynamic
