// Who is in a slot of a table, and whether more may come.
#pragma once

#include <atomic>
#include <cstdint>

namespace takt::adapter {

// One word per slot: generation, open, closing, users. Whoever knows the present generation enters while the
// slot is open; the slot's contents stay as they are until the last user has left, and are then the last
// one's alone. Entering and leaving are one atomic addition each, whatever other threads do: nobody waits
// here.
//
// The order is that of all memory (seq_cst), so that somebody who stores a flag and then reads users(), and
// somebody who enters and then reads the flag, cannot miss each other.
class Turnstile {
 public:
  // Of a slot that nobody can enter and that has no users but late ones that turn round at once.
  std::uint32_t generation() const { return generation_of(word_.load()); }
  std::uint32_t users() const { return static_cast<std::uint32_t>(word_.load() & users_mask); }
  bool is_open(std::uint32_t generation) const { return word_.load() >> open_shift == wanted(generation); }

  // False: the slot is not (or no longer) of that generation; leave() all the same.
  bool enter(std::uint32_t generation) { return word_.fetch_add(1) >> open_shift == wanted(generation); }
  // True: the slot was closed and its last user has just left; its contents are the caller's now, and the
  // slot may be open()ed for the next generation when they are put away.
  bool leave() {
    const std::uint64_t before = word_.fetch_sub(1);
    if ((before & (closing_bit | users_mask)) != (closing_bit | 1)) [[likely]]
      return false;
    return claim(before - 1);
  }
  // Lets users in. Of a slot that is the caller's.
  void open() { word_.fetch_or(open_bit); }
  // Lets no more users in; false if it was not open in this generation. The caller becomes a user, and
  // leaves.
  bool close(std::uint32_t generation) {
    std::uint64_t word = word_.load();
    do {
      if (word >> open_shift != wanted(generation)) return false;
    } while (!word_.compare_exchange_weak(word, ((word & ~open_bit) | closing_bit) + 1));
    return true;
  }

 private:
  static constexpr unsigned open_shift = 31;
  static constexpr std::uint64_t open_bit = std::uint64_t{1} << open_shift;
  static constexpr std::uint64_t closing_bit = std::uint64_t{1} << 30;
  static constexpr std::uint64_t users_mask = closing_bit - 1;
  static constexpr std::uint64_t wanted(std::uint32_t generation) {
    return std::uint64_t{generation} << 1 | 1;
  }
  static constexpr std::uint32_t generation_of(std::uint64_t word) {
    return static_cast<std::uint32_t>(word >> 32);
  }
  // Somebody with a stale key may come and go in between, and takes over the claim if so.
  bool claim(std::uint64_t word) {
    const std::uint64_t next = std::uint64_t{generation_of(word) + 1} << 32;
    return word_.compare_exchange_strong(word, next);
  }

  std::atomic<std::uint64_t> word_{std::uint64_t{1} << 32};
};

}  // namespace takt::adapter
