// Reading CDR (CORBA 3.0.3, 15.3), from whoever sent it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <takt/base/bytes.h>
#include <takt/base/octet_buffer.h>
#include <takt/cdr/encoder.h>
#include <takt/cdr/error.h>
#include <takt/cdr/format.h>
#include <takt/cdr/message_costs.h>
#include <takt/cdr/stack.h>

namespace takt::cdr {

struct ValueDecoding;

// Reads octets that it does not own. Every length is held against the octets that are there before any
// memory is set aside for it. The error sticks: after a failure every read gives zero or nothing, so that a
// caller may read a whole value and ask ok() once. One thread.
class Decoder {
 public:
  // The rest of a body that is still arriving.
  class Source {
   public:
    // The next octets, straight to where they belong. False: they will not come.
    virtual bool read_exact(MutableBytes into) = 0;
    // The next octets, in memory that is valid until the next call; at least that many, or none at all.
    virtual ByteView more(std::size_t at_least) = 0;

    // The next octets where they are, if just so many lie there by themselves. None: read them.
    virtual HeldOctets read_in_place(std::size_t) { return {}; }

    // A body whose indices begin anew in places, as the fragments of GIOP 1.1: all of it is in memory, and
    // this gives what follows where `missing` octets are left, up to the next such place. None: not so.
    struct Part {
      ByteView octets;
      std::size_t first_index = 0;
    };
    virtual Part part(std::size_t missing) const {
      (void)missing;
      return {};
    }

   protected:
    ~Source() = default;
  };

  // `first_index`: the CDR index of the first octet, by which numbers are aligned.
  Decoder(ByteView octets, std::size_t first_index, const Format& format)
      : cursor_(octets.data()),
        end_(cursor_ + octets.size()),
        origin_(first_index),
        begin_(cursor_),
        format_(format) {}
  Decoder(ByteView octets, std::size_t first_index = 0) : Decoder(octets, first_index, Format{}) {}
  ~Decoder() {
    if (values_) [[unlikely]]
      drop_values();
    if (own_costs_.has_taken()) [[unlikely]]
      own_costs_.give_back();
  }
  // A copy reads on by itself from the same place. It ends before this one, whose costs it adds to.
  Decoder(const Decoder& other)
      : cursor_(other.cursor_),
        end_(other.end_),
        origin_(other.origin_),
        begin_(other.begin_),
        format_(other.format_),
        source_(other.source_),
        missing_(other.missing_),
        error_(other.error_),
        depth_(other.depth_),
        shared_costs_(&other.costs()) {}
  Decoder& operator=(const Decoder&) = delete;

  void set_source(Source* source, std::size_t missing) {
    source_ = source;
    missing_ = missing;
  }

  const Format& format() const { return format_; }
  // This decoder reads a part of what `whole` reads, and ends before it: what it costs is added to the costs
  // of that.
  void share_costs(const Decoder& whole) { shared_costs_ = &whole.costs(); }
  // For what is read from now on; outlives the decoder.
  void set_environment(Environment* environment) { format_.environment = environment; }
  bool swaps() const { return format_.order != native_order; }
  std::size_t position() const { return origin_ + static_cast<std::size_t>(cursor_ - begin_); }
  // Octets that are still to be read, those that have yet to arrive included.
  std::size_t remaining() const { return present() + missing_; }
  // Octets that can be read without waiting.
  std::size_t present() const { return static_cast<std::size_t>(end_ - cursor_); }
  // None of them has yet to arrive.
  bool all_present() const { return missing_ == 0; }
  // Whether the index of each of the next octets follows from position().
  bool indices_hold(std::size_t count) const { return count <= present() || !in_parts(); }
  bool ok() const { return error_ == Error::none; }
  Error error() const { return error_; }
  void fail(Error error) {
    if (ok()) error_ = error;
    cursor_ = end_;
    missing_ = 0;
  }

  bool align(std::size_t to) {
    const std::size_t padding = (0 - position()) & (to - 1);
    if (padding >= present()) [[unlikely]]
      return align_beyond(to);
    cursor_ += padding;
    return true;
  }
  bool skip(std::size_t count) {
    if (!need(count)) return false;
    cursor_ += count;
    return true;
  }

  // Octets of memory that what is decoded takes. False, and failed with no_memory, if the budget of `format`
  // has no more.
  bool charge(std::size_t bytes) {
    MessageCosts& costs = this->costs();
    if (costs.bytes_ + bytes > costs.allowed_bytes_) [[unlikely]]
      return charge_more(bytes);
    costs.bytes_ += bytes;
    return true;
  }
  // Work that is no reading of octets. False, and failed with too_much_work, if the message's octets do not
  // allow so many steps.
  bool spend(std::size_t steps) {
    MessageCosts& costs = this->costs();
    costs.steps_ += steps;
    return costs.steps_ <= costs.allowed_steps_ || spend_more();
  }
  // Room for elements of a container: gives how many of the `count` elements, of which `done` have been read,
  // it may be made larger by. At least 1; they are charged. 0: failed. Then leave_room_ahead().
  std::size_t room_ahead(std::size_t count, std::size_t done, std::size_t element_bytes) {
    const std::size_t granted = take_room_ahead(count, done, element_bytes);
    return charge(granted * element_bytes) ? granted : 0;
  }
  // They have been read.
  void leave_room_ahead(std::size_t bytes) { costs().ahead_bytes_ -= bytes; }
  MessageCosts& costs() const { return shared_costs_ ? *shared_costs_ : own_costs_; }

  template <class T>
    requires Primitive<T> &&
             (!std::is_same_v<T, wchar_t> && !std::is_same_v<T, char> && !std::is_same_v<T, bool>)
  bool get(T& value) {
    std::size_t padding = 0;
    if constexpr (sizeof(T) > 1) padding = (0 - position()) & (sizeof(T) - 1);
    if (present() < padding + sizeof(T)) [[unlikely]] {
      if (!fetch_number(sizeof(T))) {
        value = T{};
        return false;
      }
      padding = 0;
    }
    cursor_ += padding;
    std::memcpy(&value, cursor_, sizeof value);
    cursor_ += sizeof value;
    if constexpr (sizeof(T) > 1)
      if (swaps()) value = detail::swapped(value);
    return true;
  }
  bool get(bool& value) {
    std::uint8_t octet = 0;
    get(octet);
    value = octet == 1;
    if (octet > 1) [[unlikely]]
      fail(Error::bad_boolean);
    return ok();
  }
  bool get(char& value) {
    std::uint8_t octet = 0;
    get(octet);
    value = static_cast<char>(octet);
    return octet < 0x80 ? ok() : convert(value);
  }
  bool get(wchar_t& value);
  bool get(long double& value);
  template <class T>
  T take() {
    T value{};
    get(value);
    return value;
  }
  std::uint8_t get_u8() { return take<std::uint8_t>(); }
  std::uint16_t get_u16() { return take<std::uint16_t>(); }
  std::uint32_t get_u32() { return take<std::uint32_t>(); }

  // From the transmission code set.
  bool get_string(std::string& text);
  bool get_wstring(std::wstring& text);
  // As it is; in the message.
  std::string_view get_raw_string_view();
  bool get_raw_string(std::string& text) {
    text = get_raw_string_view();
    return ok();
  }
  // A number of elements of which each takes at least that many octets.
  bool get_count(std::uint32_t& count, std::size_t min_octets_per_element) {
    get(count);
    if (count > remaining() / (min_octets_per_element ? min_octets_per_element : 1)) [[unlikely]] {
      fail(Error::underflow);
      count = 0;
    }
    return ok();
  }
  // The next octets, in the message.
  ByteView get_octets_view(std::size_t count) {
    if (!need(count)) return {};
    cursor_ += count;
    return {cursor_ - count, count};
  }
  // The next octets, if they lie by themselves where they can stay (Stream::read_in_place). None: get them.
  HeldOctets get_in_place(std::size_t count);
  // A fixed's digits, four bits each, and its sign (15.3.2.8), as long as `packed`. JacORB leaves leading
  // zeros out; they are put back, as nothing but the last octet has a sign.
  bool get_fixed(MutableBytes packed);
  // Elements without their count, to memory of the caller's.
  template <Primitive T>
    requires(!std::is_same_v<T, wchar_t> && !std::is_same_v<T, bool>)
  bool get_array(T* elements, std::size_t count) {
    if (count == 0) return ok();
    if constexpr (sizeof(T) > 1) align(sizeof(T));
    if (!get_octets({reinterpret_cast<std::uint8_t*>(elements), count * sizeof(T)})) return false;
    if constexpr (sizeof(T) > 1)
      if (swaps())
        for (std::size_t i = 0; i < count; ++i) elements[i] = detail::swapped(elements[i]);
    return true;
  }
  bool get_octets(MutableBytes into) {
    if (into.size() > present()) [[unlikely]]
      return get_beyond(into);
    if (!into.empty()) std::memcpy(into.data(), cursor_, into.size());
    cursor_ += into.size();
    return ok();
  }
  // Reads an encapsulation with a decoder of its own: read(Decoder&). False if it, or this, has failed.
  template <class Read>
  bool get_encapsulation(Read&& read) {
    std::uint32_t size;
    if (!get_count(size, 1)) return false;
    return open_encapsulation(get_octets_view(size), std::forward<Read>(read));
  }
  template <class Read>
  bool open_encapsulation(ByteView octets, Read&& read) {
    if (!ok()) return false;
    Format format = format_;
    const std::uint8_t order = octets.empty() ? 0xff : octets[0];
    if (order > 1) {
      fail(octets.empty() ? Error::underflow : Error::bad_boolean);
      return false;
    }
    format.order = static_cast<ByteOrder>(order);
    Decoder inner(octets, 0, format);
    inner.depth_ = depth_;
    inner.share_costs(*this);
    inner.skip(1);
    read(inner);
    if (!inner.ok()) fail(inner.error());
    return ok();
  }

 private:
  bool need(std::size_t count) { return count <= present() || fetch(count); }
  bool fetch(std::size_t count);
  bool in_parts() const;
  bool enter_part();
  bool join_parts(std::size_t count);
  // Beyond the octets that are present: there is more to come from the source, or in a value's next chunk.
  bool fetch_number(std::size_t size);
  bool align_beyond(std::size_t to);
  bool get_beyond(MutableBytes into);
  bool next_chunk();
  bool convert(char& value);
  void drop_values();
  bool charge_more(std::size_t bytes);
  bool spend_more();
  std::size_t take_room_ahead(std::size_t count, std::size_t done, std::size_t element_bytes);
  friend class ValueReader;

  const std::uint8_t* cursor_;
  const std::uint8_t* end_;
  std::size_t origin_;  // CDR index of begin_
  const std::uint8_t* begin_;
  Format format_;
  Source* source_ = nullptr;
  std::size_t missing_ =
      0;  // octets that source_ has yet to give; in a value's chunks, what follows the chunk
  ValueDecoding* values_ = nullptr;
  std::unique_ptr<std::uint8_t[]> joined_;  // octets from both sides of where the body had arrived to
  Error error_ = Error::none;
  std::uint32_t depth_ = 0;               // see Nesting
  MessageCosts* shared_costs_ = nullptr;  // of the decoder that this one reads a part of
  mutable MessageCosts own_costs_;
  friend class Nesting;
};

// While it lives, what is read is one level deeper. The decoder fails beyond the limit, and where the
// thread's stack is nearly used up.
class Nesting {
 public:
  static constexpr std::uint32_t unchecked_depth = 8;  // fits any stack

  explicit Nesting(Decoder& decoder) : decoder_(decoder) {
    if (++decoder_.depth_ > decoder_.format_.limits->nesting ||
        (decoder_.depth_ > unchecked_depth && stack_is_short())) [[unlikely]]
      decoder_.fail(Error::nesting);
  }
  ~Nesting() { --decoder_.depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  Decoder& decoder_;
};

// Reads what encapsulate() writes: read(Decoder&). False if it cannot be read.
template <class Read>
bool decapsulate(ByteView octets, Read&& read) {
  return Decoder{ByteView{}}.open_encapsulation(octets, std::forward<Read>(read));
}

}  // namespace takt::cdr
