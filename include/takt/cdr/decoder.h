// Decoder of CDR (CORBA 3.0.3, 15.3) from untrusted peers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/base/octet_buffer.h>
#include <takt/cdr/body_window.h>
#include <takt/cdr/encoder.h>
#include <takt/cdr/error.h>
#include <takt/cdr/format.h>
#include <takt/cdr/message_costs.h>
#include <takt/cdr/stack.h>

namespace takt::cdr {

struct ValueDecoding;

// Reads octets that it does not own. Every length is checked against the octets that remain before memory is
// allocated for it. Errors are sticky: after a failure every read gives zero or nothing, so a caller may read
// a whole value and check ok() once. One thread at a time. It is large because each kind of value that
// generated code decodes has a function.
class Decoder {
 public:
  using Source = BodySource;

  // `first_index`: the CDR index of the first octet, which numbers are aligned to.
  Decoder(ByteView octets, std::size_t first_index, const Format& format)
      : window_(octets, first_index), format_(format) {}
  Decoder(ByteView octets, std::size_t first_index = 0) : Decoder(octets, first_index, Format{}) {}
  ~Decoder() {
    if (values_ || costs_) [[unlikely]]
      end();
  }
  // A copy reads on independently from the same position, but only through octets in memory: not into a
  // stream, nor beyond the chunk of a value. It must be destroyed before the original, to whose costs it
  // adds.
  Decoder(const Decoder& other)
      : window_(other.window_),
        format_(other.format_),
        error_(other.error_),
        depth_(other.depth_),
        costs_(other.costs_to_share()) {}
  Decoder& operator=(const Decoder&) = delete;

  // `missing` more octets follow those passed to the constructor.
  void set_source(Source* source, std::size_t missing) { window_.set_source(source, missing); }

  const Format& format() const { return format_; }
  // This decoder reads a part of what `whole` reads, and adds its costs to those of `whole`, which must
  // outlive it.
  void share_costs(const Decoder& whole) { costs_ = whole.costs_to_share(); }
  // Applies to the reads that follow. The environment must outlive the decoder.
  void set_environment(Environment* environment) { format_.environment = environment; }
  // Applies to the reads that follow.
  void set_encoding(ByteOrder order, std::uint8_t giop_minor) {
    format_.order = order;
    format_.giop_minor = giop_minor;
  }
  bool swaps() const { return format_.order != native_order; }
  std::size_t position() const { return window_.position(); }
  // Octets still to be read, including those that have not arrived.
  std::size_t remaining() const { return window_.remaining(); }
  // Octets that can be read without waiting.
  std::size_t present() const { return window_.present(); }
  // Whether all of them can be read in place: none has yet to arrive or lies beyond a chunk's end.
  bool all_present() const { return window_.is_whole(); }
  // Whether the CDR indices of the next `count` octets are consecutive from position() on.
  bool indices_hold(std::size_t count) const { return window_.indices_hold(count); }
  bool ok() const { return error_ == Error::none; }
  Error error() const { return error_; }
  // Makes the decoder fail: it has no more octets.
  void fail(Error error);

  bool align(std::size_t to) {
    const std::size_t padding = (0 - position()) & (to - 1);
    if (padding >= present()) [[unlikely]]
      return align_beyond(to);
    window_.advance(padding);
    return true;
  }
  bool skip(std::size_t count) {
    if (count > present()) [[unlikely]]
      return skip_beyond(count);
    window_.advance(count);
    return true;
  }

  // Charges memory for decoded data. Returns false, and fails with no_memory, if the budget of `format` is
  // used up.
  bool charge(std::size_t bytes) {
    MessageCosts& costs = this->costs();
    if (costs.bytes_ + bytes > costs.allowed_bytes_) [[unlikely]]
      return charge_more(bytes);
    costs.bytes_ += bytes;
    return true;
  }
  // Charges work other than reading octets. Returns false, and fails with too_much_work, if the message's
  // octets do not allow that many steps.
  bool spend(std::size_t steps) {
    MessageCosts& costs = this->costs();
    costs.steps_ += steps;
    return costs.steps_ <= costs.allowed_steps_ || spend_more();
  }
  // Room for elements of a container: returns by how many of the `count` elements, `done` of which have been
  // read, it may grow. At least 1, and they are charged; 0 if the decoder failed. Follow with
  // leave_room_ahead().
  std::size_t room_ahead(std::size_t count, std::size_t done, std::size_t element_bytes) {
    const std::size_t granted = take_room_ahead(count, done, element_bytes);
    return charge(granted * element_bytes) ? granted : 0;
  }
  // Follows room_ahead() when the elements have been read.
  void leave_room_ahead(std::size_t bytes) { costs().ahead_bytes_ -= bytes; }
  MessageCosts& costs() const {
    if (!costs_) costs_ = std::construct_at(&own_costs_);
    return *costs_;
  }

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
    window_.advance(padding);
    std::memcpy(&value, window_.cursor(), sizeof value);
    window_.advance(sizeof value);
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

  // Converts from the transmission code set.
  bool get_string(std::string& text);
  bool get_wstring(std::wstring& text);
  // Reads a string without conversion. The view points into the message.
  std::string_view get_raw_string_view();
  bool get_raw_string(std::string& text) {
    const std::string_view octets = get_raw_string_view();
    if (octets.size() > text.capacity() && !charge(octets.size())) return false;
    text = octets;
    return ok();
  }
  // The count of a container whose elements take at least `min_octets_per_element` octets each.
  bool get_count(std::uint32_t& count, std::size_t min_octets_per_element) {
    get(count);
    if (count > remaining() / (min_octets_per_element ? min_octets_per_element : 1)) [[unlikely]] {
      fail(Error::underflow);
      count = 0;
    }
    return ok();
  }
  // The next octets, as a view into the message.
  ByteView get_octets_view(std::size_t count) {
    if (!need(count)) return {};
    window_.advance(count);
    return {window_.cursor() - count, count};
  }
  // Takes the next octets in place, if they lie in memory of their own (see Stream::read_in_place). If it
  // returns none, copy them.
  HeldOctets get_in_place(std::size_t count) { return ok() ? window_.take_in_place(count) : HeldOctets(); }
  // Moves the next octets, of which not all are present, into `into`, if they lie in a vector of their own.
  // False: read them, unless the decoder has failed.
  bool take_octets(std::vector<std::uint8_t>& into, std::size_t count);
  // The packed digits of a fixed, four bits each, and its sign (15.3.2.8); fills `packed`. Leading zeros that
  // JacORB omits are restored: only the last octet has a sign.
  bool get_fixed(MutableBytes packed);
  // Reads elements without a count into the caller's memory.
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
    if (!into.empty()) std::memcpy(into.data(), window_.cursor(), into.size());
    window_.advance(into.size());
    return ok();
  }
  // Reads an encapsulation with a nested decoder passed to `read`. Returns false if either decoder has
  // failed.
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
  std::string_view raw_string_of(std::uint32_t length);

  // Slow paths beyond the octets present: the rest comes from the source or a value's next chunk.
  bool done(BodyRead read);
  bool fetch(std::size_t count);
  bool fetch_number(std::size_t size);
  bool align_beyond(std::size_t to);
  bool skip_beyond(std::size_t count);
  bool get_beyond(MutableBytes into);
  bool enter_chunk();
  bool convert(char& value);
  void drop_values();
  void end();
  MessageCosts* costs_to_share() const {
    MessageCosts& costs = this->costs();
    if (costs.arrived_octets_ < window_.arrived()) costs.arrived_octets_ = window_.arrived();
    return &costs;
  }
  bool charge_more(std::size_t bytes);
  bool spend_more();
  std::size_t take_room_ahead(std::size_t count, std::size_t done, std::size_t element_bytes);
  friend class Chunks;
  friend class ValueReader;

  BodyWindow window_;
  Format format_;
  ValueDecoding* values_ = nullptr;
  Error error_ = Error::none;
  std::uint32_t depth_ = 0;  // see Nesting
  // The decoder's own costs or those of an enclosing one; null until they are needed.
  mutable MessageCosts* costs_ = nullptr;
  union {
    mutable MessageCosts own_costs_;
  };
  friend class Nesting;
};

// Marks one nesting level for its lifetime. Fails the decoder beyond the limit, or if the thread's stack is
// nearly used up.
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

// Decodes an encapsulation that encapsulate() wrote. Returns false if it cannot be read.
template <class Read>
bool decapsulate(ByteView octets, Read&& read) {
  return Decoder{ByteView{}}.open_encapsulation(octets, std::forward<Read>(read));
}

}  // namespace takt::cdr
