// A connection, or a pool of them, to which several threads have channels.
#pragma once

namespace takt::client {

// For the strategy that keeps it; callers know the class. Any thread.
class KeptConnection {
 public:
  // It takes no further calls.
  virtual bool broken() const = 0;
  // Whether a local road may replace it.
  virtual bool is_replaceable() const = 0;

 protected:
  ~KeptConnection() = default;
};

}  // namespace takt::client
