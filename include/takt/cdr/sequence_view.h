// Sequences of numbers that are read where they arrived, instead of being copied out of the message.
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

// What a sequence is a view of: its elements in the message, a copy of them, whose memory it keeps, or octets
// that are held where they arrived.
template <class T>
class ViewedElements {
  static_assert(is_block_primitive<T>);

 public:
  operator std::span<const T>() const { return elements_; }

  bool is_of(std::span<const T> elements) const {
    return !elements.empty() && elements.data() == elements_.data() && elements.size() == elements_.size();
  }
  // Null where there is none.
  std::vector<T>* copy() { return is_of(copy_) ? &copy_ : nullptr; }
  // Empty where there are none.
  HeldOctets& held() { return held_; }
  // They may go; what is kept is memory.
  void let_go() {
    elements_ = {};
    held_.release();
  }

 protected:
  std::span<const T> elements_;
  std::vector<T> copy_;
  HeldOctets held_;
};

// A view of the elements in the message, as long as they lie there as they do in memory: all present, of our
// byte order, aligned; of octets also beside it, where their sender's own memory can be read. Otherwise of a
// copy. The view is valid until the next read, until let_go() or until the message goes. One thread.
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
  // Nothing is joined any more to what has arrived, and elements are as they are in memory.
  static bool is_in_place(const Decoder& decoder) {
    return decoder.all_present() && (sizeof(T) == 1 || !decoder.swaps());
  }
  // Elements that are not aligned in the message are copied.
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
