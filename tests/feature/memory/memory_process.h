// Sets up this process's memory, for the programs of these tests.
#pragma once

#include <malloc.h>
#include <sys/resource.h>

#include <cstddef>
#include <cstdlib>

namespace feature {

// Returns freed memory to the system at once, so that memory usage is visible from outside. Limits the
// address space to the MiB in TAKT_TEST_ADDRESS_SPACE.
inline void prepare_memory() {
  ::mallopt(M_MMAP_THRESHOLD, 64 * 1024);
  ::mallopt(M_TRIM_THRESHOLD, 64 * 1024);
  ::mallopt(M_ARENA_MAX, 2);
  const char* const limit = std::getenv("TAKT_TEST_ADDRESS_SPACE");
  if (!limit) return;
  const auto bytes = static_cast<rlim_t>(std::strtoul(limit, nullptr, 10)) * 1024 * 1024;
  const rlimit both{bytes, bytes};
  ::setrlimit(RLIMIT_AS, &both);
}

}  // namespace feature
