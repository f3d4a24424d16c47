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

}  // namespace takt::fuzz::live
