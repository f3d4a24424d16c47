// Sleeping until another thread, of this process or another, changes a word of memory.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace takt::os {

enum class FutexWait : std::uint8_t { woken, timed_out };

// Sleeps while `word` is `expected`, until a wake_futex() on it, the timeout (zero: none) or for no reason:
// the caller looks again. The word may lie in memory that processes share. Allocates nothing; any thread.
FutexWait wait_on_futex(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                        std::chrono::nanoseconds timeout);
// Wakes one of those that sleep on the word.
void wake_futex(std::atomic<std::uint32_t>& word);

// Between two looks at memory that another processor is about to write.
inline void relax_processor() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace takt::os
