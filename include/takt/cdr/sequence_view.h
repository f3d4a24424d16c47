// Sequences of numbers that are read in place instead of being copied out of the message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include <takt/base/octet_buffer.h>
#include <takt/cdr/block.h>
#include <takt/cdr/codec.h>
#include <takt/cdr/operation.h>

namespace takt::cdr {

// The elements that a view refers to: in the message, in a copy whose memory it keeps, or in octets held
// where they arrived.
template <class T>
class ViewedElements {
  static_assert(is_block_primitive<T>);

 public:
  operator std::span<const T>() const { return elements_; }

  bool is_of(std::span<const T> elements) const {
    return !elements.empty() && elements.data() == elements_.data() && elements.size() == elements_.size();
  }
  // Null if the elements are not a copy.
  std::vector<T>* copy() { return is_of(copy_) ? &copy_ : nullptr; }
  // Empty if no octets are held.
  HeldOctets& held() { return held_; }
  // Drops the elements, and keeps the copy's memory for reuse.
  void let_go() {
    elements_ = {};
    held_.release();
  }

 protected:
  std::span<const T> elements_;
  std::vector<T> copy_;
  HeldOctets held_;
};

// Refers to the elements in the message if they are present, aligned and in this machine's byte order. Octets
// may also be read in place from the sender's memory. Refers to a copy if neither is possible. Valid until
// the next read, until let_go() or until the message is freed. One thread at a time.
template <class T, std::uint32_t Bound = 0>
class SequenceView : public ViewedElements<T> {
  friend struct Codec<SequenceView>;
};

template <class T, std::uint32_t Bound>
struct Codec<SequenceView<T, Bound>> {
  static constexpr std::size_t min_size = 4;

  static void write(Encoder& encoder, std::span<const T> elements) {
    if (Bound != 0 && elements.size() > Bound) encoder.fail(Error::too_long);
    encoder.put_count(elements.size());
    encoder.put_array(elements.data(), elements.size());
  }
  static bool read(Decoder& decoder, SequenceView<T, Bound>& view) {
    view.let_go();
    std::uint32_t count;
    if (!decoder.get_count(count, sizeof(T))) return false;
    if (Bound != 0 && count > Bound) {
      decoder.fail(Error::too_long);
      return false;
    }
    if (is_in_place(decoder)) return read_in_message(decoder, view, count);
    if constexpr (std::is_same_v<T, std::uint8_t>) {
      if (count != 0) view.held_ = decoder.get_in_place(count);
      if (!view.held_.empty()) {
        view.elements_ = view.held_.octets();
        return true;
      }
    }
    if (!detail::read_block(decoder, view.copy_, count)) return false;
    view.elements_ = view.copy_;
    return true;
  }

 private:
  // Whether the elements need no joining with octets still to come, and no byte swapping.
  static bool is_in_place(const Decoder& decoder) {
    return decoder.all_present() && (sizeof(T) == 1 || !decoder.swaps());
  }
  // Elements that are not aligned in memory are copied.
  static bool read_in_message(Decoder& decoder, SequenceView<T, Bound>& view, std::uint32_t count) {
    if constexpr (sizeof(T) > 1)
      if (count != 0) decoder.align(sizeof(T));
    const ByteView octets = decoder.get_octets_view(count * sizeof(T));
    if (!decoder.ok()) return false;
    if (count == 0) return true;
    if (reinterpret_cast<std::uintptr_t>(octets.data()) % alignof(T) == 0) {
      view.elements_ = {reinterpret_cast<const T*>(octets.data()), count};
      return true;
    }
    if (count > view.copy_.capacity() && !decoder.charge(octets.size())) return false;
    view.copy_.resize(count);
    std::memcpy(view.copy_.data(), octets.data(), octets.size());
    view.elements_ = view.copy_;
    return true;
  }
};

}  // namespace takt::cdr

namespace takt {

// An operation's parameter of such a sequence type, with at most Bound elements (0: unbounded). Callers pass
// elements in their own memory; servants get a view for the length of the upcall.
template <class T, std::uint32_t Bound = 0>
struct InView {
  using Type = cdr::SequenceView<T, Bound>;
  using Pointer = const std::span<const T>*;
  static constexpr bool sent = true, returned = false;
};

namespace detail {
template <class T, std::uint32_t Bound>
struct ServantParameter<InView<T, Bound>> {
  using Type = std::span<const T>;
};
}  // namespace detail

}  // namespace takt
