// A child process that is observed from outside.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace takt::fuzz::live {

class Process {
 public:
  // Standard error goes to `log`, and standard output to a pipe. Throws std::runtime_error.
  Process(const std::vector<std::string>& command, std::string log);
  ~Process();  // kills it
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  bool alive();
  // "ended with status 1", "was killed by signal 11"; valid after it has ended.
  std::string end() const;
  std::chrono::nanoseconds processor_time() const;
  // Whether one of its threads runs or is ready to run.
  bool runs() const;
  std::size_t resident_bytes() const;
  // The standard output since the last call; does not block.
  std::string said();
  // From standard error: the sanitizers' report if there is one, with the first frames of each stack.
  std::string last_words() const;

 private:
  pid_t id_ = -1;
  int output_ = -1;
  int status_ = 0;
  bool ended_ = false;
  const std::string log_;
};

// The time in which a process ran or had nothing to do. Time in which it waits for a processor does not
// count, however busy the machine is, nor does time in which this process is delayed.
class OwnTime {
 public:
  // Starts measuring. The process must outlive it.
  explicit OwnTime(const Process& process);
  // Must be called every few milliseconds: the time between two calls counts as a tenth of a second at most.
  std::chrono::nanoseconds passed();

 private:
  const Process& process_;
  const std::chrono::nanoseconds ran_before_;
  std::chrono::steady_clock::time_point looked_;
  std::chrono::nanoseconds idle_{};
};

}  // namespace takt::fuzz::live
