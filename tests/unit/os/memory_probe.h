// The system's data about memory: page faults and locked memory.
#pragma once

#include <sys/mman.h>
#include <sys/resource.h>

#include <cstddef>
#include <fstream>
#include <string>

namespace takt::os {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool own_memory = false;  // sanitizers lock no memory, and keep variables elsewhere
#else
inline constexpr bool own_memory = true;
#endif
#define REQUIRE_OWN_MEMORY() \
  if (!takt::os::own_memory) GTEST_SKIP() << "the sanitizer has memory of its own"

inline constexpr std::size_t page = 4096, deep = 48 * page;

inline char use_stack() {
  volatile char room[deep];
  for (std::size_t at = 0; at < deep; at += page) room[at] = 1;
  return room[0];
}

inline long faults_of_this_thread() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt;
}

// The page faults of using `deep` octets of stack. In functions of their own, because a stack frame may be
// touched when it is created.
[[gnu::noinline]] inline long faults_of_deep_use() {
  char (*volatile use)() = use_stack;
  const long before = faults_of_this_thread();
  use();
  return faults_of_this_thread() - before;
}

inline long locked_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (long kib = 0; word == "VmLck:" && status >> kib) return kib;
  return -1;
}

}  // namespace takt::os
