// Tells a thread which phase its connects are in.
#pragma once

#include <functional>
#include <utility>

#include <takt/transport/connector.h>

namespace takt::transport {

// As long as it exists, `begins` is called in this thread whenever a connect of this thread begins a phase
// that its transport reports: TLS reports connect and tls.
class ConnectWatch {
 public:
  explicit ConnectWatch(std::function<void(ConnectError::Phase)> begins)
      : begins_(std::move(begins)), outer_(std::exchange(present_, this)) {}
  ~ConnectWatch() { present_ = outer_; }
  ConnectWatch(const ConnectWatch&) = delete;
  ConnectWatch& operator=(const ConnectWatch&) = delete;

  // For transports.
  static void report(ConnectError::Phase phase) {
    if (present_) present_->begins_(phase);
  }

 private:
  const std::function<void(ConnectError::Phase)> begins_;
  ConnectWatch* const outer_;
  static inline thread_local constinit ConnectWatch* present_ = nullptr;
};

}  // namespace takt::transport
