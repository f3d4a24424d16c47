// Structs whose memory layout equals their CDR encoding, which are copied as a block.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>

#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>

namespace takt::cdr {

namespace detail {
struct AnyVisitor {
  template <class... M>
  std::tuple<std::remove_cvref_t<M>...> operator()(M&...) const;
};
}  // namespace detail

// A generated class that exposes its members, in IDL order, by
//   template <class Self, class Visitor>
//   static constexpr decltype(auto) _fields(Self& self, Visitor&& visit) { return visit(self.a_, self.b_); }
template <class T>
concept HasFields = requires(T& value) { T::_fields(value, detail::AnyVisitor{}); };
template <class T>
using FieldTypes = decltype(T::_fields(std::declval<T&>(), detail::AnyVisitor{}));

// A number type whose values need no check, because every bit pattern is valid. A char qualifies only if the
// code set leaves it unchanged; that is checked at run time.
template <class T>
inline constexpr bool is_block_primitive =
    std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, wchar_t> &&
    !std::is_same_v<T, char> && !std::is_same_v<T, long double>;

namespace detail {

template <class T>
inline constexpr bool is_block_member = is_block_primitive<T> || std::is_same_v<T, char>;

// CDR layout of the members when the struct starts at a multiple of its largest alignment, and which octets
// between them are padding.
template <class T, class... M>
struct Layout {
  static constexpr std::size_t alignment = [] {
    std::size_t largest = 1;
    ((largest = largest < sizeof(M) ? sizeof(M) : largest), ...);
    return largest;
  }();
  static constexpr std::size_t first_alignment = std::array<std::size_t, sizeof...(M)>{sizeof(M)...}[0];
  static constexpr bool has_char = (std::is_same_v<M, char> || ...);

  static constexpr std::size_t end = [] {
    std::size_t at = 0;
    ((at = (at + sizeof(M) - 1) / sizeof(M) * sizeof(M) + sizeof(M)), ...);
    return at;
  }();
  // Array elements are contiguous only if the next element's first member aligns it where the array has it.
  static constexpr bool repeats =
      (end + first_alignment - 1) / first_alignment * first_alignment == sizeof(T) &&
      sizeof(T) % alignment == 0;
  // 0xff for octets of members, 0 for padding.
  static constexpr std::array<std::uint8_t, sizeof(T)> mask = [] {
    std::array<std::uint8_t, sizeof(T)> octets{};
    std::size_t at = 0;
    const auto member = [&](std::size_t size) {
      at = (at + size - 1) / size * size;
      for (std::size_t i = 0; i < size && at + i < octets.size(); ++i) octets[at + i] = 0xff;
      at += size;
    };
    (member(sizeof(M)), ...);
    return octets;
  }();
};

template <class T, class Tuple>
struct LayoutOf;
template <class T, class... M>
struct LayoutOf<T, std::tuple<M...>> : Layout<T, M...> {};

template <class T>
constexpr bool block_struct() {
  if constexpr (HasFields<T> && std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T>) {
    return []<class... M>(std::type_identity<std::tuple<M...>>) {
      if constexpr (sizeof...(M) > 0 && (is_block_member<M> && ...))
        return LayoutOf<T, std::tuple<M...>>::repeats &&
               alignof(T) == LayoutOf<T, std::tuple<M...>>::alignment;
      else
        return false;
    }(std::type_identity<FieldTypes<T>>{});
  } else {
    return false;
  }
}

}  // namespace detail

// A standard-layout class of numbers has its members in order at their natural alignment, as CDR does. This
// checks the rest: that elements follow each other in CDR as they do in an array.
template <class T>
inline constexpr bool is_block_struct = detail::block_struct<T>();

namespace detail {

template <class T>
using StructLayout = LayoutOf<T, FieldTypes<T>>;

template <class T>
bool block_now(const Format& format) {
  return format.order == native_order && (!StructLayout<T>::has_char || chars_unchanged(format));
}

// Copies the elements with their padding zeroed, so that no uninitialized memory leaves the process.
template <class T>
void copy_masked(std::uint8_t* to, const T* elements, std::size_t count) {
  constexpr auto& mask = StructLayout<T>::mask;
  if constexpr (sizeof(T) % 8 == 0) {
    std::array<std::uint64_t, sizeof(T) / 8> words;
    std::array<std::uint64_t, sizeof(T) / 8> masks;
    std::memcpy(masks.data(), mask.data(), sizeof masks);
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(words.data(), elements + i, sizeof words);
      for (std::size_t w = 0; w < words.size(); ++w) words[w] &= masks[w];
      std::memcpy(to + i * sizeof(T), words.data(), sizeof words);
    }
  } else {
    std::memcpy(to, elements, count * sizeof(T));
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t octet = 0; octet < sizeof(T); ++octet) to[i * sizeof(T) + octet] &= mask[octet];
  }
}

}  // namespace detail

// Writes elements one by one until the position has the struct's alignment, then all but the last as a block.
// The last is written alone because CDR does not write its trailing padding.
template <class T, class WriteOne>
void write_struct_block(Encoder& encoder, const T* elements, std::size_t count, WriteOne write_one) {
  using Layout = detail::StructLayout<T>;
  std::size_t done = 0;
  if (detail::block_now<T>(encoder.format())) {
    while (done < count && encoder.position() % Layout::alignment != 0 && done < 2) {
      write_one(encoder, elements[done++]);
      if (done < count) encoder.align(Layout::first_alignment);
    }
    if (count - done > 1 && encoder.position() % Layout::alignment == 0) {
      const std::size_t block = count - done - 1;
      GatherBuffer& buffer = encoder.buffer();
      buffer.ensure(block * sizeof(T));
      detail::copy_masked(buffer.cursor(), elements + done, block);
      buffer.advance_to(buffer.cursor() + block * sizeof(T));
      done += block;
    }
  }
  for (; done < count; ++done) write_one(encoder, elements[done]);
}

template <class T, class ReadOne>
bool read_struct_block(Decoder& decoder, T* elements, std::size_t count, ReadOne read_one) {
  using Layout = detail::StructLayout<T>;
  std::size_t done = 0;
  if (detail::block_now<T>(decoder.format())) {
    while (done < count && decoder.position() % Layout::alignment != 0 && done < 2) {
      if (!read_one(decoder, elements[done++])) return false;
      if (done < count) decoder.align(Layout::first_alignment);
    }
    if (count - done > 1 && decoder.position() % Layout::alignment == 0 &&
        decoder.indices_hold((count - done - 1) * sizeof(T))) {
      const std::size_t block = count - done - 1;
      if (!decoder.get_octets({reinterpret_cast<std::uint8_t*>(elements + done), block * sizeof(T)}))
        return false;
      done += block;
    }
  }
  for (; done < count; ++done)
    if (!read_one(decoder, elements[done])) return false;
  return decoder.ok();
}

}  // namespace takt::cdr
