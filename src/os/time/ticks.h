// The processor's tick counter: a clock that costs one instruction.
#pragma once

#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>

namespace takt::os {

// Where the processor has no counter for programs, it reads the steady clock.
inline std::uint64_t ticks() noexcept {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  std::uint64_t count;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

// Ticks since it was made. On the stack of its thread.
class PassedTicks {
 public:
#if defined(__x86_64__)
  // Keeps the halves as the processor gives them, which takes no register and no instruction to join them.
  PassedTicks() noexcept {
    asm volatile("rdtsc\n\tmov %%eax, %0\n\tmov %%edx, %1"
                 : "=m"(halves_[0]), "=m"(halves_[1])
                 :
                 : "eax", "edx");
  }
  std::uint64_t now() const noexcept { return ticks() - std::bit_cast<std::uint64_t>(halves_); }

 private:
  struct Halves {
    std::uint32_t part[2];
    std::uint32_t& operator[](int i) { return part[i]; }
  } halves_;
#else
  std::uint64_t now() const noexcept { return ticks() - begin_; }

 private:
  const std::uint64_t begin_ = ticks();
#endif
};

// Converts ticks to time, by how many have passed since it was made. Any thread.
class TickRate {
 public:
  using Clock = std::chrono::steady_clock;

  TickRate() : begin_(Clock::now()), ticks_(ticks()) {}

  Clock::time_point begin() const { return begin_; }
  // The nanoseconds of a tick. Constant from a second after this object was made, so that bounds in ticks do
  // not wander.
  double get() const {
    if (const double found = found_.load(std::memory_order_relaxed); found != 0) return found;
    const std::uint64_t passed = ticks() - ticks_;
    const std::chrono::duration<double, std::nano> time = Clock::now() - begin_;
    const double rate = passed == 0 ? 1 : time.count() / static_cast<double>(passed);
    double none = 0;
    if (time < std::chrono::seconds(1) || found_.compare_exchange_strong(none, rate)) return rate;
    return none;
  }

 private:
  const Clock::time_point begin_;
  const std::uint64_t ticks_;
  mutable std::atomic<double> found_{0};
};

}  // namespace takt::os
