// The identity of a process, as the kernel reports it.
#pragma once

#include <cstdint>

namespace takt::os {

struct ProcessIdentity {
  std::int32_t process = 0;           // the process id, which the system may reuse
  std::uint32_t user = 0, group = 0;  // effective ids

  friend bool operator==(const ProcessIdentity&, const ProcessIdentity&) = default;
};

}  // namespace takt::os
