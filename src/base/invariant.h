// Checks of the code's own invariants, compiled only into debug and sanitizer builds.
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

// Aborts if `holds` is false. For source files only. Never use it for the behaviour of a peer or an
// application: that is an error to report.
inline void check_invariant([[maybe_unused]] bool holds) {
#if TAKT_CHECKS_INVARIANTS
  if (!holds) std::abort();
#endif
}

}  // namespace takt
