// Sequences of numbers that are read where they arrived, instead of being copied out of the message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <takt/cdr/block.h>
#include <takt/cdr/codec.h>
#include <takt/cdr/operation.h>

namespace takt::cdr {

// A view of the elements in the message, as long as they lie there as they do in memory: all present, of our
// byte order, aligned. Otherwise of a copy, which it owns and whose memory it keeps. The view is valid until
// the next read or until the message goes. One thread.
template <class T, std::uint32_t Bound = 0>
class SequenceView {
  static_assert(is_block_primitive<T>);

 public:
  operator std::span<const T>() const { return elements_; }

  // The copy, if that is what those elements are; null otherwise.
  std::vector<T>* copy_of(std::span<const T> elements) {
    const bool is_copy =
        !elements.empty() && elements.data() == copy_.data() && elements.size() == copy_.size();
    return is_copy ? &copy_ : nullptr;
  }

 private:
  friend struct Codec<SequenceView>;
  std::span<const T> elements_;
  std::vector<T> copy_;
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
    view.elements_ = {};
    std::uint32_t count;
    if (!decoder.get_count(count, sizeof(T))) return false;
    if (Bound != 0 && count > Bound) {
      decoder.fail(Error::too_long);
      return false;
    }
    if (is_in_place(decoder)) {
      if constexpr (sizeof(T) > 1)
        if (count != 0) decoder.align(sizeof(T));
      const ByteView octets = decoder.get_octets_view(count * sizeof(T));
      if (!decoder.ok()) return false;
      if (count == 0) return true;
      if (reinterpret_cast<std::uintptr_t>(octets.data()) % alignof(T) == 0) {
        view.elements_ = {reinterpret_cast<const T*>(octets.data()), count};
      } else {
        view.copy_.resize(count);
        std::memcpy(view.copy_.data(), octets.data(), octets.size());
        view.elements_ = view.copy_;
      }
      return true;
    }
    view.copy_.resize(count);
    if (!decoder.get_array(view.copy_.data(), count)) return false;
    view.elements_ = view.copy_;
    return true;
  }

 private:
  // Nothing is joined any more to what has arrived, and elements are as they are in memory.
  static bool is_in_place(const Decoder& decoder) {
    return decoder.all_present() && (sizeof(T) == 1 || !decoder.swaps());
  }
};

}  // namespace takt::cdr

namespace takt {

// The parameter of an operation that is such a sequence, with at most Bound elements; 0: any number. Callers
// pass elements of any memory of theirs, servants get the view, for the length of the upcall.
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
