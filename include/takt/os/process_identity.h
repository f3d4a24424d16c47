// Who a process is, as the system vouches for it.
#pragma once

#include <cstdint>

namespace takt::os {

struct ProcessIdentity {
  std::int32_t process = 0;           // its number, which a later process may get again
  std::uint32_t user = 0, group = 0;  // effective

  friend bool operator==(const ProcessIdentity&, const ProcessIdentity&) = default;
};

}  // namespace takt::os
