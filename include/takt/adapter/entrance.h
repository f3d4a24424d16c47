// How upcalls enter objects: the turnstile of an object's slot, and the frame on the thread's stack.
#pragma once

#include <atomic>
#include <cstdint>

#include <takt/base/bytes.h>

namespace takt::adapter {

// Counts the users of a table slot, and closes it to new ones. One word per slot: from the top, a closing
// bit, the number of users, and a tag. The tag is odd while the slot is open, and then is its generation.
// Closing makes it even, so that no generation matches. A user that knows the current generation can enter an
// open slot. The contents do not change until the last user has left, which then owns them. Entering and
// leaving are one atomic addition each and never wait.
//
// All operations are seq_cst. So a thread that stores a flag and then reads users(), and a thread that enters
// and then reads the flag, cannot miss each other.
class Turnstile {
 public:
  // The current generation; after close(), the next one, which open() will make current.
  std::uint32_t generation() const { return tag_of(word_.load()) | 1; }
  std::uint32_t users() const { return static_cast<std::uint32_t>(word_.load() >> users_shift) & most_users; }
  bool is_open() const { return (tag_of(word_.load()) & 1) != 0; }
  // All generations are used up.
  bool spent() const { return tag_of(word_.load()) == 0; }

  // False: the slot is not open in that generation. Call leave() in either case.
  bool enter(std::uint32_t generation) {
    const std::uint32_t tag = tag_of(word_.fetch_add(one_user));
    return __builtin_expect(tag == generation, 1) && (generation & 1) != 0;
  }
  // The same for a generation that has been current. Takes a reference and reads it after the addition, so no
  // register has to hold it meanwhile.
  bool enter_known(const std::uint32_t& generation) {
    return tag_of(word_.fetch_add(one_user)) == generation;
  }
  // The same for any generation.
  bool enter_any() { return (tag_of(word_.fetch_add(one_user)) & 1) != 0; }
  // True: the slot was closed and this was its last user. The caller now owns the contents; after disposing
  // of them it may open() the next generation.
  bool leave() {
    if ((word_ -= one_user) >= 0) [[likely]]
      return false;
    return claim();
  }
  // Admits users. The caller must own the slot.
  void open() { word_.fetch_or(1); }
  // Stops admitting users. False if the slot was not open in this generation. If true, the caller counts as a
  // user and must leave().
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
  static constexpr std::int64_t closing = INT64_MIN;  // the sign bit, which leave() tests for free
  static constexpr std::uint32_t tag_of(std::int64_t word) { return static_cast<std::uint32_t>(word); }
  static constexpr std::int64_t with_tag(std::int64_t word, std::uint32_t tag) {
    return (word & ~std::int64_t{0xffffffff}) | tag;
  }
  // Called by a user that has left a closing slot. Claims it if no user is in it and no other thread has
  // claimed it. A user with a stale key may enter and leave meanwhile, and then tries to claim as well. So
  // the thread that empties the slot last claims it, possibly for a generation closed in between.
  bool claim() {
    std::int64_t word = word_.load();
    while (word < 0 && word == (closing | tag_of(word)))
      if (word_.compare_exchange_weak(word, tag_of(word))) return true;
    return false;
  }

  std::atomic<std::int64_t> word_{2};  // even: closed; not 0: not spent
};

// The base of an active object, by which upcalls enter it and refer to it.
struct Entrance {
  Turnstile turnstile;
};

// The upcalls that a thread is executing, for POACurrent: on its stack, innermost first. Only three words,
// because every request writes them; anything that the active object can supply is left out.
class UpcallFrame {
 public:
  // The ByteView object `key` itself must outlive the upcall. `object`: null if the servant is not in the
  // active object map; then this is an AnyUpcall.
  UpcallFrame(Entrance* object, const ByteView& key) : object_(object), key_(key), outer_(innermost_) {
    innermost_ = this;
  }
  ~UpcallFrame() { innermost_ = outer_; }
  UpcallFrame(const UpcallFrame&) = delete;
  UpcallFrame& operator=(const UpcallFrame&) = delete;

  static const UpcallFrame* innermost() { return innermost_; }
  const UpcallFrame* outer() const { return outer_; }
  // The active object's base; object_of() in the room has all of it.
  Entrance* object() const { return object_; }
  const ByteView& key() const { return key_; }

 private:
  Entrance* const object_;
  const ByteView& key_;
  const UpcallFrame* const outer_;
  static inline thread_local constinit const UpcallFrame* innermost_ = nullptr;
};

}  // namespace takt::adapter
