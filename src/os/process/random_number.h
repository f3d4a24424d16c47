// Random numbers for identities that no other thread or process may have.
#pragma once

#include <cstdint>

namespace takt::os {

// Each thread has a generator of its own, with a seed from the system. After fork(), the child's threads have
// new ones. Not for secrets. The first call of a thread makes a system call; others make none, and none locks
// or allocates.
std::uint64_t random_number() noexcept;

}  // namespace takt::os
