// Who is in a slot of a table, and whether more may come.
#pragma once

#include <atomic>
#include <cstdint>

namespace takt::adapter {

// One word per slot: from the top, whether it is closing, how many users it has, and its tag. The tag is odd
// while the slot is open, and is then its generation; closing makes it even, so that no generation fits.
// Whoever knows the present generation enters while the slot is open; the slot's contents stay as they are
// until the last user has left, and are then the last one's alone. Entering and leaving are one atomic
// addition each, whatever other threads do: nobody waits here.
//
// The order is that of all memory (seq_cst), so that somebody who stores a flag and then reads users(), and
// somebody who enters and then reads the flag, cannot miss each other.
class Turnstile {
 public:
  // What open() makes current, or has made current; after close(), of the one to come.
  std::uint32_t generation() const { return tag_of(word_.load()) | 1; }
  std::uint32_t users() const { return static_cast<std::uint32_t>(word_.load() >> users_shift) & most_users; }
  bool is_open() const { return (tag_of(word_.load()) & 1) != 0; }
  // All generations have been.
  bool spent() const { return tag_of(word_.load()) == 0; }

  // False: the slot is not (or no longer) of that generation; leave() all the same.
  bool enter(std::uint32_t generation) {
    const std::uint32_t tag = tag_of(word_.fetch_add(one_user));
    return __builtin_expect(tag == generation, 1) && (generation & 1) != 0;
  }
  // The same for a generation that has been current; read afterwards, so that it need not be kept meanwhile.
  bool enter_known(const std::uint32_t& generation) {
    return tag_of(word_.fetch_add(one_user)) == generation;
  }
  // The same for whatever generation it is.
  bool enter_any() { return (tag_of(word_.fetch_add(one_user)) & 1) != 0; }
  // True: the slot was closed and its last user has just left; its contents are the caller's now, and the
  // slot may be open()ed for the next generation when they are put away.
  bool leave() {
    if ((word_ -= one_user) >= 0) [[likely]]
      return false;
    return claim();
  }
  // Lets users in. Of a slot that is the caller's.
  void open() { word_.fetch_or(1); }
  // Lets no more users in; false if it was not open in this generation. The caller becomes a user, and
  // leaves.
  bool close(std::uint32_t generation) {
    std::int64_t word = word_.load();
    do {
      if (tag_of(word) != generation || (generation & 1) == 0) return false;
    } while (!word_.compare_exchange_weak(word, with_tag(word, generation + 1) + one_user + closing));
    return true;
  }

 private:
  static constexpr unsigned users_shift = 32;
  static constexpr std::uint32_t most_users = 0x7fffffff;
  static constexpr std::int64_t one_user = std::int64_t{1} << users_shift;
  static constexpr std::int64_t closing = INT64_MIN;  // the sign, so that leave() sees it for nothing
  static constexpr std::uint32_t tag_of(std::int64_t word) { return static_cast<std::uint32_t>(word); }
  static constexpr std::int64_t with_tag(std::int64_t word, std::uint32_t tag) {
    return (word & ~std::int64_t{0xffffffff}) | tag;
  }
  // Of whoever has left a closing slot: takes it, if nobody is in it and nobody else has taken it. Somebody
  // with a stale key may come and go in between, and claims for himself then. So whoever has emptied the
  // slot last claims, be it for a generation that was closed meanwhile.
  bool claim() {
    std::int64_t word = word_.load();
    while (word < 0 && word == (closing | tag_of(word)))
      if (word_.compare_exchange_weak(word, tag_of(word))) return true;
    return false;
  }

  std::atomic<std::int64_t> word_{2};  // even and not spent
};

}  // namespace takt::adapter
