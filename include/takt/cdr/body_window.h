// The part of a message body that is still to be read: its octets in memory, and the source of the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/base/octet_buffer.h>

namespace takt {
class MemoryBudget;
}

namespace takt::cdr {

class MessageCosts;

// Supplies the octets of a body that follow those in memory.
class BodySource {
 public:
  // Reads the next octets into `into`. Returns false if they will not come.
  virtual bool read_exact(MutableBytes into) = 0;

  // Lends the next octets in place, if exactly that many lie in memory of their own. If it returns none, read
  // them.
  virtual HeldOctets read_in_place(std::size_t) { return {}; }

  // Moves the next octets into `into`, if exactly that many lie in a vector of their own. False: read them.
  virtual bool take_vector(std::vector<std::uint8_t>& /*into*/, std::size_t /*count*/) { return false; }

  // All octets that are still to be read, if they are in memory. They stay valid as long as the source.
  virtual ByteView in_memory() const { return {}; }

  // Size of a message that came in GIOP 1.1 fragments. Such a message is in memory as a whole, and its CDR
  // indices restart with each fragment. Returns 0 for other messages; read_exact() supplies their missing
  // octets.
  virtual std::size_t octets_in_parts() const { return 0; }
  // The rest of the fragment in which `missing` octets of the message remain.
  struct Part {
    ByteView octets;
    std::size_t first_index = 0;
  };
  virtual Part part(std::size_t /*missing*/) const { return {}; }

 protected:
  ~BodySource() = default;
};

// The result of reading from a window.
enum class BodyRead : std::uint8_t {
  ok,
  ends,    // the body or its limit ends first; nothing was read
  failed,  // the source did not supply octets that it had announced
  no_memory,
};

// Charges memory for octets that are joined. Passed by value.
struct JoinedMemory {
  MessageCosts& costs;
  MemoryBudget* budget;  // may be null
};

// One type for a body in one piece, in GIOP 1.1 fragments, or still arriving.
//
// Invariant: the octets that remain to be read are [cursor, block_end), which are in memory, followed by
// `to_come` octets from the source. The last `limit` of them are out of bounds for now (a chunk of a value
// ends before them). `end` is the end of the block, or of the octets within bounds if that comes first:
//
//   cursor <= end == block_end - max(0, limit - to_come),  limit <= remaining(),
//   to_come == 0 without a source
//
// Inline functions move only the cursor, and no further than `end`. Everything else is changed by functions
// in body_window.cpp. Each of them ends in show(), which sets `end` and checks the invariant in debug and
// sanitizer builds. One thread at a time.
class BodyWindow {
 public:
  // `first_index`: the CDR index of the first octet, which numbers are aligned to.
  BodyWindow(ByteView octets, std::size_t first_index)
      : cursor_(octets.data()),
        index_of_null_(first_index - reinterpret_cast<std::uintptr_t>(cursor_)),
        end_(cursor_ + octets.size()),
        block_end_(end_) {}
  // A copy ends with the octets in memory, because a stream can be read only once.
  BodyWindow(const BodyWindow& other);
  BodyWindow& operator=(const BodyWindow&) = delete;

  // `missing` more octets follow from `source`, which must outlive the window.
  void set_source(BodySource* source, std::size_t missing);

  // The present() octets from cursor() on can be read without waiting.
  const std::uint8_t* cursor() const { return cursor_; }
  std::size_t present() const { return static_cast<std::size_t>(end_ - cursor_); }
  void advance(std::size_t count) { cursor_ += count; }  // by no more than present()
  // The CDR index of the next octet.
  std::size_t position() const { return reinterpret_cast<std::uintptr_t>(cursor_) + index_of_null_; }

  // Octets up to the end of the body, and up to the limit.
  std::size_t remaining() const { return static_cast<std::size_t>(block_end_ - cursor_) + to_come_; }
  std::size_t readable() const { return remaining() - limit_; }
  // Octets of the message that have arrived, including its header and those already read.
  std::size_t arrived() const;
  // Whether all that remains can be read in place.
  bool is_whole() const { return to_come_ == 0 && limit_ == 0; }
  // Whether the CDR indices of the next `count` octets are consecutive from position() on.
  bool indices_hold(std::size_t count) const { return count <= present() || (limit_ == 0 && !in_parts()); }

  // Limits reading to the next `count` octets, at most remaining().
  void set_limit(std::size_t count);
  void lift_limit();
  // Ends the body here.
  void drop_rest();

  // Makes the next octets available in one piece. May wait for the source, but only for octets within the
  // body. Memory grows with what has arrived, and is charged first.
  BodyRead gather(std::size_t count, JoinedMemory memory);
  // Skips padding up to alignment `to`, a power of 2. Padding never spans fragments: at the end of a fragment
  // its rest is skipped, and the index restarts in the next.
  BodyRead align(std::size_t to);
  // Aligns to a number's size and gathers it, from the next fragment if this one has ended.
  BodyRead gather_number(std::size_t size);
  BodyRead copy(MutableBytes into);
  BodyRead skip(std::size_t count);
  // Takes the next octets in place. Returns none if they do not lie by themselves (see
  // BodySource::read_in_place).
  HeldOctets take_in_place(std::size_t count);
  // Moves the next octets into `into`. False: they do not lie by themselves (see BodySource::take_vector).
  bool take_vector(std::vector<std::uint8_t>& into, std::size_t count);

 private:
  bool in_parts() const;
  void show();
  void set_block(ByteView octets, std::size_t first_index);
  void taken_by_source(std::size_t count);
  void enter_part();
  void enter_memory();
  bool lie_apart(std::size_t count) const;
  BodyRead gather_few(std::size_t count);
  bool enter_whole(std::size_t count);
  BodyRead join_parts(std::size_t count);
  template <class Charge>
  BodyRead join_stream(std::size_t count, Charge charge);

  // Ordered so that the constructor takes few instructions.
  const std::uint8_t* cursor_;
  std::size_t index_of_null_;  // the CDR index that corresponds to address 0
  const std::uint8_t* end_;
  std::size_t to_come_ = 0;
  std::size_t limit_ = 0;
  const std::uint8_t* block_end_;
  BodySource* source_ = nullptr;
  std::unique_ptr<std::uint8_t[]> joined_;  // octets copied from both sides of a block boundary
};

}  // namespace takt::cdr
