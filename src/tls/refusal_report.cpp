#include "tls/refusal_report.h"

#include <mutex>

namespace takt::transport {

[[gnu::cold]] void RefusalReport::report(const std::string& why, os::TimePoint now) {
  unsigned before = 0, count = 0;
  {
    const std::lock_guard lock(mutex_);
    if (now - begin_ >= span) {
      before = std::exchange(refused_, 0);
      begin_ = now;
    }
    count = ++refused_;
  }
  if (before > most)
    say_("TLS: " + std::to_string(before - most) + " further connections were refused and not reported");
  if (count <= most)
    say_(why);
  else if (count == most + 1)
    say_("TLS: refused connections are only counted for the rest of a minute");
}

}  // namespace takt::transport
