// Finds a thread of this process by its name.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace takt::os {

// The system's number of it; 0 if there is none.
inline pid_t thread_named(const std::string& name) {
  std::error_code gone;  // threads end meanwhile
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", gone)) {
    std::string found;
    std::getline(std::ifstream(entry.path() / "comm"), found);
    if (found == name) return std::stoi(entry.path().filename());
  }
  return 0;
}

// The real-time priority of the thread, as the system has it. Waits until there is one of that name, because
// a new thread has its creator's at first.
inline int priority_of_thread_named(const std::string& name) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  pid_t thread;
  while ((thread = thread_named(name)) == 0 && std::chrono::steady_clock::now() < end)
    std::this_thread::yield();
  sched_param parameters{};
  return thread != 0 && ::sched_getparam(thread, &parameters) == 0 ? parameters.sched_priority : -1;
}

}  // namespace takt::os
