// Buffer for a message under construction: some octets are copied in, others are borrowed in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <takt/base/bytes.h>

namespace takt {

// An append-only list of octets: one contiguous owned block, with borrowed runs spliced in between. The owned
// block is kept from message to message, so a buffer in steady use does not allocate. One thread at a time.
// A borrowed run is not copied. Its owner keeps it alive and unchanged until clear(), or hands it over to
// keep().
class GatherBuffer {
 public:
  explicit GatherBuffer(std::size_t reserve_bytes = 1024);

  // Makes room at cursor() for `count` more owned octets. They belong to the message once advance_to() has
  // passed them.
  void ensure(std::size_t count) {
    if (static_cast<std::size_t>(limit_ - cursor_) < count) [[unlikely]]
      grow(count);
  }
  std::uint8_t* cursor() const { return cursor_; }
  std::uint8_t* limit() const { return limit_; }
  void advance_to(std::uint8_t* cursor) { cursor_ = cursor; }

  void append(const void* octets, std::size_t count) {
    if (count == 0) return;
    ensure(count);
    std::memcpy(cursor_, octets, count);
    cursor_ += count;
  }
  // Splices `octets` in here without copying them. May allocate the first few times.
  void borrow(ByteView octets);
  // Owns `value`, the memory behind borrowed runs, until clear(). Moving the value must not move its octets.
  // Only the value of the last call is kept. Allocates a small block.
  template <class Value>
    requires(!std::is_reference_v<Value>)
  void keep(Value&& value) {
    kept_ = std::make_shared<Value>(std::move(value));
  }

  // The first borrowed run, and its index in the message. Precondition: !contiguous().
  struct Borrowed {
    std::size_t index;
    ByteView octets;
  };
  Borrowed first_borrowed() const { return {runs_.front().owned_before, runs_.front().octets}; }
  // Inserts `count` zero octets at `index`, which must not lie behind the first borrowed run. May allocate.
  void insert(std::size_t index, std::size_t count);

  // All octets so far, owned and borrowed.
  std::size_t size() const { return owned_size() + borrowed_bytes_; }
  std::size_t owned_size() const { return static_cast<std::size_t>(cursor_ - block_.get()); }
  std::size_t borrowed_size() const { return borrowed_bytes_; }
  bool contiguous() const { return runs_.empty(); }
  // The owned octets; all of the message while contiguous(). For patching lengths written earlier.
  std::uint8_t* owned() const { return block_.get(); }

  // Empties the buffer and keeps its memory, up to `keep_bytes` of it.
  void clear(std::size_t keep_bytes = 256 * 1024) {
    if (!runs_.empty() || static_cast<std::size_t>(limit_ - block_.get()) > keep_bytes) [[unlikely]]
      drop(keep_bytes);
    cursor_ = block_.get();
  }

  // Like clear(), but only if the cleared buffer then holds `count` octets without growing. Returns false,
  // and changes nothing, if it does not.
  bool clear_with_room(std::size_t count, std::size_t keep_bytes = 256 * 1024) {
    const auto capacity = static_cast<std::size_t>(limit_ - block_.get());
    if (!runs_.empty() || capacity > keep_bytes || capacity < count) [[unlikely]]
      return false;
    cursor_ = block_.get();
    return true;
  }

  // The whole message in order, appended to `pieces`; valid until the next change of the buffer.
  void gather(std::vector<ByteView>& pieces) const;
  // A copy of the message from the octet `from` on.
  std::vector<std::uint8_t> copy(std::size_t from = 0) const;

 private:
  struct Run {
    std::size_t owned_before;  // owned octets that precede it
    ByteView octets;
  };
  void grow(std::size_t count);
  void drop(std::size_t keep_bytes);

  std::unique_ptr<std::uint8_t[]> block_;
  std::uint8_t* cursor_;
  std::uint8_t* limit_;
  std::size_t borrowed_bytes_ = 0;
  std::vector<Run> runs_;
  std::shared_ptr<const void> kept_;
};

}  // namespace takt
