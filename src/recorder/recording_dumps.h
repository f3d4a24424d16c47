// Copies of a recording that an ORB makes by itself.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>

#include "base/event_log.h"
#include "os/process/signal_wait.h"
#include "recorder/recording_ring.h"
#include "threads/thread.h"

namespace takt::recorder {

// Has a thread of its own, of the lowest priority, which copies the ring to a file some time after an event.
// An event that comes before the interval has passed since the last copy waits for that. Events that come
// meanwhile share a copy.
class RecordingDumps final : public EventWatcher {
 public:
  struct Options {
    bool on_exception = false, on_deadline = false, on_signal = false;  // SIGUSR1
    std::string folder = {};   // empty: that of the user's recordings
    std::string program = {};  // part of the files' names
    std::size_t most = 8;
    std::chrono::nanoseconds interval = std::chrono::seconds(10);
    std::function<void(const std::string&)> report = {};  // called by the thread
  };
  // The error is for people.
  static std::expected<std::shared_ptr<RecordingDumps>, std::string> begin(
      std::shared_ptr<const RecordingRing> ring, Options options);
  ~RecordingDumps() override;
  RecordingDumps(const RecordingDumps&) = delete;
  RecordingDumps& operator=(const RecordingDumps&) = delete;

  // Events for EventLog::watch().
  std::uint32_t events() const;
  // One system call at most.
  void noticed(LogEvent event) noexcept override;
  // Makes the copy for events that still wait, and ends the thread. Call once.
  void end();

 private:
  enum Reason : unsigned { exception = 1, deadline = 2, signal = 4 };

  RecordingDumps(std::shared_ptr<const RecordingRing> ring, Options options,
                 std::unique_ptr<os::SignalWait> signals);
  void run();
  void dump(unsigned reasons) noexcept;

  const std::shared_ptr<const RecordingRing> ring_;
  const Options options_;
  const std::unique_ptr<os::SignalWait> signals_;
  std::atomic<unsigned> pending_{0};  // Reasons
  std::atomic<bool> over_{false};
  os::Thread thread_;
};

}  // namespace takt::recorder
