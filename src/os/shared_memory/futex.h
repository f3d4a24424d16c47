// Sleeps until another thread, of this or another process, changes a word of memory.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace takt::os {

enum class FutexWait : std::uint8_t { woken, timed_out };

// Sleeps while `word` equals `expected`, until wake_futex() on it or the timeout (zero: none). May return
// spuriously, so check again. The word may be in shared memory. Allocates nothing; any thread.
FutexWait wait_on_futex(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                        std::chrono::nanoseconds timeout);
// Wakes one of the threads that sleep on the word.
void wake_futex(std::atomic<std::uint32_t>& word);

// Spin-wait hint, for between two reads of memory that another processor is about to write.
inline void relax_processor() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace takt::os
