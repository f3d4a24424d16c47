// Whose request the calling thread serves.
#pragma once

#include <optional>
#include <utility>

#include <takt/os/process_identity.h>

namespace takt::connection {

// While it lives, the calling thread serves a request of that peer; null: of one that nobody vouches for.
class PresentPeer {
 public:
  explicit PresentPeer(const std::optional<os::ProcessIdentity>& peer)
      : outer_(std::exchange(present_, peer ? &*peer : nullptr)) {}
  ~PresentPeer() { present_ = outer_; }
  PresentPeer(const PresentPeer&) = delete;
  PresentPeer& operator=(const PresentPeer&) = delete;

  static const os::ProcessIdentity* present() { return present_; }

 private:
  const os::ProcessIdentity* const outer_;
  static inline thread_local constinit const os::ProcessIdentity* present_ = nullptr;
};

}  // namespace takt::connection
