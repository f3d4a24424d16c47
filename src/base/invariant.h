// Checks of what the code itself must keep true. They are compiled into debug and sanitizer builds alone.
#pragma once

#include <cstdlib>

#if !defined(NDEBUG) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TAKT_CHECKS_INVARIANTS true
#elif defined(__has_feature)
#define TAKT_CHECKS_INVARIANTS (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define TAKT_CHECKS_INVARIANTS false
#endif

namespace takt {

// For source files. Never for what a peer or an application does: that is an error, which is reported.
inline void check_invariant([[maybe_unused]] bool holds) {
#if TAKT_CHECKS_INVARIANTS
  if (!holds) std::abort();
#endif
}

}  // namespace takt
