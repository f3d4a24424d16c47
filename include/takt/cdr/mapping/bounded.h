// Bounded strings, sequences and maps. The mapping checks a bound when the value is marshaled, not when it is
// changed. The bound of a string counts characters (see text_bound.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <takt/cdr/codec.h>
#include <takt/cdr/mapping/output.h>
#include <takt/cdr/mapping/traits.h>
#include <takt/cdr/text_bound.h>

namespace IDL {

template <class C, std::uint32_t N>
class bounded_basic_string : public std::basic_string<C> {
 public:
  using std::basic_string<C>::basic_string;
  bounded_basic_string() = default;
  bounded_basic_string(const std::basic_string<C>& text) : std::basic_string<C>(text) {}
  bounded_basic_string(std::basic_string<C>&& text) noexcept : std::basic_string<C>(std::move(text)) {}
  using std::basic_string<C>::operator=;
};
template <std::uint32_t N>
using bounded_string = bounded_basic_string<char, N>;
template <std::uint32_t N>
using bounded_wstring = bounded_basic_string<wchar_t, N>;

template <class T, std::uint32_t N>
class bounded_vector : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  bounded_vector() = default;
  bounded_vector(const std::vector<T>& elements) : std::vector<T>(elements) {}
  bounded_vector(std::vector<T>&& elements) noexcept : std::vector<T>(std::move(elements)) {}
  using std::vector<T>::operator=;
};

template <class K, class V, std::uint32_t N>
class bounded_map : public std::map<K, V> {
 public:
  using std::map<K, V>::map;
  bounded_map() = default;
  bounded_map(const std::map<K, V>& elements) : std::map<K, V>(elements) {}
  bounded_map(std::map<K, V>&& elements) noexcept : std::map<K, V>(std::move(elements)) {}
  using std::map<K, V>::operator=;
};

namespace detail {
template <class T, std::uint32_t N>
struct bound_traits : common_traits<T> {
  using is_bounded = std::true_type;
  using bound = std::integral_constant<std::uint32_t, N>;
};
}  // namespace detail

template <class C, std::uint32_t N>
struct traits<bounded_basic_string<C, N>> : detail::bound_traits<bounded_basic_string<C, N>, N> {
  using element_traits = traits<C>;
};
template <class T, std::uint32_t N>
struct traits<bounded_vector<T, N>> : detail::bound_traits<bounded_vector<T, N>, N> {
  using element_traits = traits<T>;
};
template <class K, class V, std::uint32_t N>
struct traits<bounded_map<K, V, N>> : detail::bound_traits<bounded_map<K, V, N>, N> {
  using key_traits = traits<K>;
  using value_traits = traits<V>;
};

template <class C, std::uint32_t N, class Out>
struct formatter<bounded_basic_string<C, N>, Out> : formatter<std::basic_string<C>, Out> {};
template <class T, std::uint32_t N, class Out>
struct formatter<bounded_vector<T, N>, Out> : formatter<std::vector<T>, Out> {};
template <class K, class V, std::uint32_t N, class Out>
struct formatter<bounded_map<K, V, N>, Out> : formatter<std::map<K, V>, Out> {};

}  // namespace IDL

namespace takt::cdr {

// `Plain` with at most N elements.
template <class T, class Plain, std::uint32_t N>
struct BoundedCodec {
  static constexpr std::size_t min_size = 4;
  static void write(Encoder& encoder, const T& value) {
    if (exceeds(value)) encoder.fail(Error::too_long);
    Codec<Plain>::write(encoder, value);
  }
  static bool read(Decoder& decoder, T& value) {
    Plain& plain = value;
    if (!Codec<Plain>::read(decoder, plain)) return false;
    if (exceeds(value)) decoder.fail(Error::too_long);
    return decoder.ok();
  }

 private:
  static bool exceeds(const Plain& value) {
    if constexpr (std::is_same_v<Plain, std::string>)
      return is_beyond(value, N);
    else
      return value.size() > N;
  }
};

template <class C, std::uint32_t N>
struct Codec<IDL::bounded_basic_string<C, N>>
    : BoundedCodec<IDL::bounded_basic_string<C, N>, std::basic_string<C>, N> {};
template <class T, std::uint32_t N>
struct Codec<IDL::bounded_vector<T, N>> : BoundedCodec<IDL::bounded_vector<T, N>, std::vector<T>, N> {};
template <class K, class V, std::uint32_t N>
struct Codec<IDL::bounded_map<K, V, N>> : BoundedCodec<IDL::bounded_map<K, V, N>, std::map<K, V>, N> {};

}  // namespace takt::cdr
