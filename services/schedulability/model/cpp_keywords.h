// The keywords of C++, which no generated name may be.
#pragma once

#include <string_view>

namespace takt::scheduling {

// Whether the name is a keyword of C++23. Any thread; does not allocate.
bool is_cpp_keyword(std::string_view name);

}  // namespace takt::scheduling
