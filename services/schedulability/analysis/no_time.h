// Jobs that take no time.
#pragma once

#include <cstdint>

namespace takt::scheduling {

// A job that takes no time begins when nothing more urgent is left, also of what arrives at that instant. Its
// window is searched as if the job took this much more, which is then subtracted.
constexpr std::int64_t added_in_search(std::int64_t own) { return own == 0 ? 1 : 0; }

}  // namespace takt::scheduling
