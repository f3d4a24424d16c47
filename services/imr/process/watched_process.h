// A process whose end is noticed.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>

namespace takt::imr {

struct ProcessEnd {
  bool clean = false;  // by itself, with status 0
  std::string text{};  // "ended with exit status 3", "was ended by signal 9"
};

// A child of this process, or any other process of this machine. One thread at a time.
class WatchedProcess {
 public:
  // nullopt if there is no such process, or no descriptor left.
  static std::optional<WatchedProcess> open(pid_t pid);
  WatchedProcess(WatchedProcess&& from) noexcept
      : pid_(from.pid_), descriptor_(std::exchange(from.descriptor_, -1)) {}
  WatchedProcess& operator=(WatchedProcess&& from) noexcept {
    std::swap(pid_, from.pid_);
    std::swap(descriptor_, from.descriptor_);
    return *this;
  }
  ~WatchedProcess();

  pid_t pid() const { return pid_; }
  // Readable once the process has ended.
  int descriptor() const { return descriptor_; }
  bool has_ended() const;
  // To be called once it has ended. Takes a child's status from the system, and asks what is left of its
  // group to end.
  ProcessEnd end() const;
  // Sends the signal to the process.
  void signal(int number) const;
  // The same to the group of processes that it leads.
  void signal_group(int number) const;

 private:
  WatchedProcess(pid_t pid, int descriptor) : pid_(pid), descriptor_(descriptor) {}

  pid_t pid_;
  int descriptor_;
};

// Ends a child that cannot be watched, and waits for its end.
void end_unwatched(pid_t child);

}  // namespace takt::imr
