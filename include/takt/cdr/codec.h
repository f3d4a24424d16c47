// Codec<T>: how a value of type T is written and read, for the types that stubs and skeletons carry.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <takt/cdr/block.h>
#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>

namespace takt::cdr {

// Each specialization has
//   static void write(Encoder&, const T&);
//   static bool read(Decoder&, T&);          // false: the decoder has failed, and T has an unspecified value
//   static constexpr std::size_t min_size;   // minimum octets of a value, for checking counts
// Reading into a vector or string reuses its memory, so a reused variable needs no allocation.
template <class T>
struct Codec;

template <class T>
void write(Encoder& encoder, const T& value) {
  Codec<T>::write(encoder, value);
}
template <class T>
bool read(Decoder& decoder, T& value) {
  return Codec<T>::read(decoder, value);
}

template <class T>
  requires std::is_arithmetic_v<T>
struct Codec<T> {
  static constexpr std::size_t min_size = sizeof(T) == sizeof(long double) ? 16
                                          : std::is_same_v<T, wchar_t>     ? 1
                                                                           : sizeof(T);
  static void write(Encoder& encoder, T value) { encoder.put(value); }
  static bool read(Decoder& decoder, T& value) { return decoder.get(value); }
};

template <>
struct Codec<std::string> {
  static constexpr std::size_t min_size = 4;
  static void write(Encoder& encoder, const std::string& value) { encoder.put_string(value); }
  static bool read(Decoder& decoder, std::string& value) { return decoder.get_string(value); }
};
template <>
struct Codec<std::wstring> {
  static constexpr std::size_t min_size = 4;
  static void write(Encoder& encoder, const std::wstring& value) { encoder.put_wstring(value); }
  static bool read(Decoder& decoder, std::wstring& value) { return decoder.get_wstring(value); }
};

// An enumerator is sent as an unsigned long: its place in the enum, or its own value (@value). Generated code
// gives one more than the greatest of these numbers and, if they are values, all of them in the enum's order:
// static constexpr std::uint32_t values[].
template <class E>
struct EnumSize;  // static constexpr std::uint32_t value
// The place of the enumerator that is sent as `number`; the number of enumerators or more if there is none.
template <class E>
constexpr std::uint32_t place_of_enumerator(std::uint32_t number) {
  if constexpr (requires { EnumSize<E>::values; }) {
    std::uint32_t place = 0;
    for (const std::uint32_t value : EnumSize<E>::values) {
      if (value == number) break;
      ++place;
    }
    return place;
  } else {
    return number;
  }
}
template <class E>
constexpr bool is_enumerator(std::uint32_t number) {
  if constexpr (requires { EnumSize<E>::values; })
    return place_of_enumerator<E>(number) < std::size(EnumSize<E>::values);
  else
    return number < EnumSize<E>::value;
}

template <class E>
  requires std::is_enum_v<E>
struct Codec<E> {
  static constexpr std::size_t min_size = 4;
  static void write(Encoder& encoder, E value) {
    if (!is_enumerator<E>(static_cast<std::uint32_t>(value))) encoder.fail(Error::bad_enum);
    encoder.put(static_cast<std::uint32_t>(value));
  }
  static bool read(Decoder& decoder, E& value) {
    const std::uint32_t number = decoder.get_u32();
    if (!is_enumerator<E>(number)) [[unlikely]] {
      decoder.fail(Error::bad_enum);
      value = E{};
      return false;
    }
    value = static_cast<E>(number);
    return decoder.ok();
  }
};

// Structs and exceptions: classes whose members are in order (see block.h for _fields).
template <class T>
  requires HasFields<T>
struct Codec<T> {
  static constexpr std::size_t min_size = [] {
    return []<class... M>(std::type_identity<std::tuple<M...>>) {
      return (std::size_t{0} + ... + Codec<M>::min_size);
    }(std::type_identity<FieldTypes<T>>{});
  }();
  static void write(Encoder& encoder, const T& value) {
    T::_fields(value, [&](const auto&... member) { (cdr::write(encoder, member), ...); });
  }
  static bool read(Decoder& decoder, T& value) {
    T::_fields(value, [&](auto&... member) { (void)(cdr::read(decoder, member) && ...); });
    return decoder.ok();
  }
};

// The elements of a sequence or array, as a block if their memory layout equals their encoding.
template <class T>
void write_elements(Encoder& encoder, const T* elements, std::size_t count) {
  if constexpr (is_block_primitive<T>) {
    encoder.put_array(elements, count);
  } else if constexpr (is_block_struct<T>) {
    write_struct_block(encoder, elements, count,
                       [](Encoder& out, const T& element) { Codec<T>::write(out, element); });
  } else {
    for (std::size_t i = 0; i < count; ++i) Codec<T>::write(encoder, elements[i]);
  }
}
template <class T>
bool read_elements(Decoder& decoder, T* elements, std::size_t count) {
  if constexpr (is_block_primitive<T>) {
    return decoder.get_array(elements, count);
  } else if constexpr (is_block_struct<T>) {
    return read_struct_block(decoder, elements, count,
                             [](Decoder& in, T& element) { return Codec<T>::read(in, element); });
  } else {
    const Nesting deeper(decoder);
    for (std::size_t i = 0; i < count; ++i)
      if (!Codec<T>::read(decoder, elements[i])) return false;
    return decoder.ok();
  }
}

namespace detail {

// Reads elements as a block. Memory for elements that have not arrived is taken in steps: 1 MiB at first,
// then as much again as has arrived.
template <class Vector>
bool read_block(Decoder& decoder, Vector& value, std::size_t count) {
  using T = typename Vector::value_type;
  constexpr std::size_t first_bytes = 1 << 20;
  if constexpr (std::is_same_v<Vector, std::vector<std::uint8_t>>)
    if (count > decoder.present() && decoder.take_octets(value, count)) [[unlikely]]
      return true;
  for (std::size_t done = 0;;) {
    std::size_t next = count;
    if (count * sizeof(T) > first_bytes) [[unlikely]]
      next = std::min(count, std::max({done + decoder.present() / Codec<T>::min_size, first_bytes / sizeof(T),
                                       2 * done, value.capacity()}));
    if (next > value.capacity() && !decoder.charge((next - value.capacity()) * sizeof(T))) return false;
    value.resize(next);
    if (!read_elements(decoder, value.data() + done, next - done)) return false;
    if (next == count) return true;
    done = next;
  }
}

// Reads elements one by one. The vector grows as Decoder::room_ahead allows. Elements of zero size cost
// steps, so that a large count cannot exhaust memory.
template <class Vector>
bool read_each(Decoder& decoder, Vector& value, std::size_t count) {
  using T = typename Vector::value_type;
  if constexpr (Codec<T>::min_size == 0)
    if (!decoder.spend(count * (1 + sizeof(T) / 8))) return false;
  const Nesting deeper(decoder);
  const bool has_room = count <= value.capacity();
  if (has_room) value.resize(count);
  for (std::size_t done = 0; done < count && decoder.ok();) {
    const std::size_t room = has_room ? count : decoder.room_ahead(count, done, sizeof(T));
    const std::size_t end = done + room;
    if (value.size() < end) value.resize(end);
    for (; done < end; ++done)
      if (!Codec<T>::read(decoder, value[done])) return false;
    if (!has_room) decoder.leave_room_ahead(room * sizeof(T));
  }
  return decoder.ok();
}

}  // namespace detail

template <class T, class Allocator>
struct Codec<std::vector<T, Allocator>> {
  static constexpr std::size_t min_size = 4;
  using Vector = std::vector<T, Allocator>;

  static void write(Encoder& encoder, const Vector& value) {
    encoder.put_count(value.size());
    write_elements(encoder, value.data(), value.size());
  }
  static bool read(Decoder& decoder, Vector& value) {
    std::uint32_t count;
    if (!decoder.get_count(count, element_size())) return false;
    if constexpr (is_block_primitive<T> || is_block_struct<T>)
      return detail::read_block(decoder, value, count);
    else
      return detail::read_each(decoder, value, count);
  }

 private:
  // A function, because T may be incomplete where a struct contains a sequence of itself. Zero-size elements
  // count as one octet, so that a large count cannot exhaust memory.
  static constexpr std::size_t element_size() { return Codec<T>::min_size ? Codec<T>::min_size : 1; }
};

template <class Allocator>
struct Codec<std::vector<bool, Allocator>> {
  static constexpr std::size_t min_size = 4;
  static void write(Encoder& encoder, const std::vector<bool, Allocator>& value) {
    encoder.put_count(value.size());
    for (const bool element : value) encoder.put(element);
  }
  static bool read(Decoder& decoder, std::vector<bool, Allocator>& value) {
    std::uint32_t count;
    value.clear();
    if (!decoder.get_count(count, 1) || !decoder.charge(count / 8)) return false;
    for (std::uint32_t i = 0; i < count && decoder.ok(); ++i) value.push_back(decoder.take<bool>());
    return decoder.ok();
  }
};

template <class T, std::size_t N>
struct Codec<std::array<T, N>> {
  static constexpr std::size_t min_size = N * Codec<T>::min_size;
  static void write(Encoder& encoder, const std::array<T, N>& value) {
    write_elements(encoder, value.data(), N);
  }
  static bool read(Decoder& decoder, std::array<T, N>& value) {
    return read_elements(decoder, value.data(), N);
  }
};

template <class K, class V, class Compare, class Allocator>
struct Codec<std::map<K, V, Compare, Allocator>> {
  static constexpr std::size_t min_size = 4;
  using Map = std::map<K, V, Compare, Allocator>;

  static void write(Encoder& encoder, const Map& value) {
    encoder.put_count(value.size());
    for (const auto& [key, element] : value) {
      Codec<K>::write(encoder, key);
      Codec<V>::write(encoder, element);
    }
  }
  static bool read(Decoder& decoder, Map& value) {
    std::uint32_t count;
    value.clear();
    if (!decoder.get_count(count, Codec<K>::min_size + Codec<V>::min_size)) return false;
    constexpr std::size_t node_bytes = 48;  // estimated overhead of a map node
    for (std::uint32_t i = 0; i < count; ++i) {
      K key{};
      V element{};
      if (!decoder.charge(node_bytes + sizeof(K) + sizeof(V))) return false;
      if (!Codec<K>::read(decoder, key) || !Codec<V>::read(decoder, element)) return false;
      value.insert_or_assign(std::move(key), std::move(element));
    }
    return decoder.ok();
  }
};

}  // namespace takt::cdr
