// The part of a message's body that is still to be read: what of it is in memory, and where the rest comes
// from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <takt/base/bytes.h>
#include <takt/base/octet_buffer.h>

namespace takt::cdr {

// Gives the octets of a body that follow those in memory.
class BodySource {
 public:
  // Reads the next octets straight to where they belong. False: they will not come.
  virtual bool read_exact(MutableBytes into) = 0;

  // Lends the next octets where they are, if exactly so many lie there by themselves. Empty: read them.
  virtual HeldOctets read_in_place(std::size_t) { return {}; }

  // A message that came in fragments of GIOP 1.1 is in memory as a whole, and its CDR indices begin anew with
  // each fragment. 0: it did not, and read_exact() gives what is missing of its body.
  virtual std::size_t octets_in_parts() const { return 0; }
  // What is left of the fragment in which `missing` octets are left of the message.
  struct Part {
    ByteView octets;
    std::size_t first_index = 0;
  };
  virtual Part part(std::size_t /*missing*/) const { return {}; }

 protected:
  ~BodySource() = default;
};

// How a read of a window went.
enum class BodyRead : std::uint8_t {
  ok,
  ends,    // the body, or its limit, ends before; nothing was read
  failed,  // the source did not give what it has announced
};

// One type for a body in one piece, one in the fragments of GIOP 1.1 and one that is still arriving.
//
// Invariant: the octets that remain to be read are [cursor, block_end), which are in memory, followed by
// `to_come` octets that the source gives; the last `limit` of them are out of bounds for now (a chunk of a
// value ends before them), and `end` is where the block ends, or the limit if that comes first:
//
//   cursor <= end == block_end - max(0, limit - to_come),  limit <= remaining(),  to_come == 0 without a
//   source
//
// The functions in line move the cursor as far as `end`. All else is moved by the functions of
// body_window.cpp, each of which ends in show(), which places `end` and checks the invariant in debug and
// sanitizer builds. One thread.
class BodyWindow {
 public:
  // `first_index`: the CDR index of the first octet, by which numbers are aligned.
  BodyWindow(ByteView octets, std::size_t first_index)
      : cursor_(octets.data()),
        index_of_null_(first_index - reinterpret_cast<std::uintptr_t>(cursor_)),
        end_(cursor_ + octets.size()),
        block_end_(end_) {}
  // A copy ends where the octets end that are in memory, as those of a stream can be read once only.
  BodyWindow(const BodyWindow& other);
  BodyWindow& operator=(const BodyWindow&) = delete;

  // `missing` octets follow, from a source that outlives the window.
  void set_source(BodySource* source, std::size_t missing);

  // The octets that can be read at once are the next present() from cursor() on.
  const std::uint8_t* cursor() const { return cursor_; }
  std::size_t present() const { return static_cast<std::size_t>(end_ - cursor_); }
  void advance(std::size_t count) { cursor_ += count; }  // by no more than present()
  // The CDR index of the next octet.
  std::size_t position() const { return reinterpret_cast<std::uintptr_t>(cursor_) + index_of_null_; }

  // Octets to the end of the body, and to the limit.
  std::size_t remaining() const { return static_cast<std::size_t>(block_end_ - cursor_) + to_come_; }
  std::size_t readable() const { return remaining() - limit_; }
  // Octets of the message that have arrived, those that have been read and its head included.
  std::size_t arrived() const;
  // All that remains can be read in place.
  bool is_whole() const { return to_come_ == 0 && limit_ == 0; }
  // Whether the index of each of the next octets follows from position().
  bool indices_hold(std::size_t count) const { return count <= present() || (limit_ == 0 && !in_parts()); }

  // Puts the next `count` octets, at most remaining(), within bounds, and no others.
  void set_limit(std::size_t count);
  void lift_limit();
  // Ends the body here.
  void drop_rest();

  // Makes the next octets present in one piece. May wait for the source, but only for octets that the body
  // has.
  BodyRead gather(std::size_t count);
  // Passes the padding before what is aligned to `to`, a power of 2. Padding is never divided between
  // fragments: what is left of a fragment is passed, and the index begins anew in the next.
  BodyRead align(std::size_t to);
  // Aligns to a number's size, and gathers it. It stands in the next fragment if this one is at its end.
  BodyRead gather_number(std::size_t size);
  BodyRead copy(MutableBytes into);
  BodyRead skip(std::size_t count);
  // Takes the next octets where they are; empty if they are not by themselves (BodySource::read_in_place).
  HeldOctets take_in_place(std::size_t count);

 private:
  bool in_parts() const;
  void show();
  void set_block(ByteView octets, std::size_t first_index);
  void passed_unseen(std::size_t count);
  void enter_part();
  BodyRead join_parts(std::size_t count);
  BodyRead join_stream(std::size_t count);

  // In an order in which the constructor takes few instructions.
  const std::uint8_t* cursor_;
  std::size_t index_of_null_;  // the CDR index that address 0 would have
  const std::uint8_t* end_;
  std::size_t to_come_ = 0;
  std::size_t limit_ = 0;
  const std::uint8_t* block_end_;
  BodySource* source_ = nullptr;
  std::unique_ptr<std::uint8_t[]> joined_;  // a block with octets from both sides of where a block ended
};

}  // namespace takt::cdr
