// One connection of a strategy, as ConnectionSet uses it.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include <takt/transport/stream.h>

#include "server/channel/connection_ending.h"
#include "server/output/graceful_close.h"

namespace takt::server {

// Owned together by its ConnectionSet and the threads that serve it.
class ServedConnection {
 public:
  virtual ~ServedConnection() = default;
  virtual transport::Stream& stream() = 0;
  // Begins to serve requests. False: no thread could be started, or the stream cannot be watched, which has
  // been reported. Called once, in the thread that accepted the connection. May throw.
  virtual bool begin() = 0;
  // Called by sweeps, in any thread, with the set's mutex. Releases the memory of long messages. True: the
  // time has passed for the rest of a message, for reading a reply, or for the next request.
  virtual bool overdue(std::chrono::steady_clock::time_point now) = 0;
  // Ends an overdue connection, gracefully if this needs no waiting. Any thread.
  virtual void give_up() = 0;
  // The octets to send before closing; nullopt: close without sending. Called when no thread serves the
  // connection.
  virtual std::optional<GracefulClose> graceful_close() = 0;
  // Stops all sending, because the server ends while a thread may still serve the connection. Any thread.
  virtual void abandon() {}
  // Why it ended, as far as it knows. Called when it leaves its set, by the thread that takes it out.
  virtual ConnectionEnding ending() const = 0;
  // Sets a reason that is reported instead of ending(): static text. Only the first call has an effect. Any
  // thread.
  void note_ending(const char* why) {
    const char* none = nullptr;
    noted_ending_.compare_exchange_strong(none, why, std::memory_order_relaxed);
  }
  const char* noted_ending() const { return noted_ending_.load(std::memory_order_relaxed); }

 private:
  std::atomic<const char*> noted_ending_{nullptr};
};

}  // namespace takt::server
