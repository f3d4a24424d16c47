// @optional members: a boolean for whether there is a value, then the value.
#pragma once

#include <cstddef>
#include <optional>

#include <takt/cdr/codec.h>

namespace IDL {
template <class T>
using optional = std::optional<T>;
}  // namespace IDL

template <class T>
struct takt::cdr::Codec<std::optional<T>> {
  static constexpr std::size_t min_size = 1;
  static void write(Encoder& encoder, const std::optional<T>& value) {
    encoder.put(value.has_value());
    if (value) Codec<T>::write(encoder, *value);
  }
  static bool read(Decoder& decoder, std::optional<T>& value) {
    if (!decoder.take<bool>() || !decoder.ok()) {
      value.reset();
      return decoder.ok();
    }
    return Codec<T>::read(decoder, value ? *value : value.emplace());
  }
};
