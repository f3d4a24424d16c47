// A program that is watched from outside.
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
  // "ended with status 1", "was killed by signal 11"; once it is not alive.
  std::string end() const;
  std::chrono::nanoseconds processor_time() const;
  // Whether a thread of it runs, or would if there were a processor for it.
  bool runs() const;
  std::size_t resident_bytes() const;
  // What it has written to its standard output since the last call; does not wait.
  std::string said();
  // What standard error has: the sanitizers' words where there are some, with the first frames of each stack.
  std::string last_words() const;

 private:
  pid_t id_ = -1;
  int output_ = -1;
  int status_ = 0;
  bool ended_ = false;
  const std::string log_;
};

// Time that a process has had: in which it ran, or had nothing to do. The time that it waits for a processor
// does not count, however busy the machine is, nor does the time in which this process is kept from looking.
class OwnTime {
 public:
  // From now on. The process outlives it.
  explicit OwnTime(const Process& process);
  // To be called every few milliseconds: the time between two calls counts for a tenth of a second at most.
  std::chrono::nanoseconds passed();

 private:
  const Process& process_;
  const std::chrono::nanoseconds ran_before_;
  std::chrono::steady_clock::time_point looked_;
  std::chrono::nanoseconds idle_{};
};

}  // namespace takt::fuzz::live
