#include "os/process/random_number.h"

#include <pthread.h>
#include <sys/random.h>

#include <atomic>
#include <bit>
#include <ctime>

namespace takt::os {

namespace {

// Counts the forks that have led to this process.
std::atomic<std::uint32_t> generation{1};

// xoshiro256** (Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators", 2021).
struct Generator {
  std::uint64_t state[4];
  std::uint32_t of_generation;  // 0: it has no seed

  std::uint64_t next() noexcept {
    const std::uint64_t result = std::rotl(state[1] * 5, 7) * 9;
    const std::uint64_t shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = std::rotl(state[3], 45);
    return result;
  }
};

thread_local constinit Generator mine{};

[[gnu::cold, gnu::noinline]] void seed(Generator& generator) noexcept {
  static const int counts_forks =
      ::pthread_atfork(nullptr, nullptr, [] { generation.fetch_add(1, std::memory_order_relaxed); });
  static_cast<void>(counts_forks);
  if (::getrandom(generator.state, sizeof generator.state, 0) != sizeof generator.state) {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    const auto nanoseconds = static_cast<std::uint64_t>(now.tv_nsec);
    generator.state[0] ^= nanoseconds << 32 | static_cast<std::uint64_t>(now.tv_sec);
    generator.state[1] ^= reinterpret_cast<std::uintptr_t>(&generator);
  }
  generator.state[3] |= 1;  // all zeros is no state
  generator.of_generation = generation.load(std::memory_order_relaxed);
}

}  // namespace

std::uint64_t random_number() noexcept {
  if (mine.of_generation != generation.load(std::memory_order_relaxed)) [[unlikely]]
    seed(mine);
  return mine.next();
}

}  // namespace takt::os
