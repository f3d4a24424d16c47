// bitmask and bitset (IDL 4.2, 7.4.13.4): classes that wrap an unsigned number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <takt/cdr/codec.h>
#include <takt/cdr/mapping/description.h>
#include <takt/cdr/mapping/output.h>

namespace takt::cdr {

// The smallest unsigned type with at least that many bits.
template <unsigned Bits>
using BitHolder =
    std::conditional_t<(Bits <= 8), std::uint8_t,
                       std::conditional_t<(Bits <= 16), std::uint16_t,
                                          std::conditional_t<(Bits <= 32), std::uint32_t, std::uint64_t>>>;

// Base of a generated bit mask Mask, whose enum is Mask::_flags.
template <class Mask, unsigned Bits>
class BitMask {
 public:
  using _passed_by_value = void;
  using _underlying_type = BitHolder<Bits>;
  static constexpr std::uint8_t _bit_bound = Bits;

  constexpr BitMask() = default;
  constexpr BitMask(_underlying_type bits) : bits_(bits) {}  // NOLINT: meant to convert

  constexpr operator _underlying_type() const { return bits_; }  // NOLINT
  constexpr Mask& operator|=(_underlying_type bits) { return set(bits_ | bits); }
  constexpr Mask& operator&=(_underlying_type bits) { return set(bits_ & bits); }
  constexpr Mask& operator^=(_underlying_type bits) { return set(bits_ ^ bits); }
  template <class Out>
  void _write_to(Out& out) const {
    out << +bits_;
  }

 private:
  constexpr Mask& set(std::uint64_t bits) {
    bits_ = static_cast<_underlying_type>(bits);
    return static_cast<Mask&>(*this);
  }
  _underlying_type bits_ = 0;
};

// Base of a generated bit set. The first field is in the lowest bits.
template <class Set, unsigned Bits>
class BitSet {
 public:
  using _passed_by_value = void;
  using _underlying_type = BitHolder<Bits>;
  static constexpr std::uint8_t _bit_bound = Bits;

  constexpr _underlying_type _bits() const { return bits_; }
  constexpr void _bits(_underlying_type bits) { bits_ = bits; }
  friend constexpr bool operator==(const BitSet&, const BitSet&) = default;

 protected:
  // A field of type T, `Width` bits from bit `From`. Values that do not fit lose their high bits.
  template <class T, unsigned From, unsigned Width>
  constexpr T get() const {
    const std::uint64_t field = std::uint64_t{bits_} >> From & mask<Width>;
    if constexpr (std::is_signed_v<T> && !std::is_same_v<T, bool>) {
      constexpr std::uint64_t sign = std::uint64_t{1} << (Width - 1);
      return static_cast<T>(static_cast<std::int64_t>((field ^ sign) - sign));
    } else {
      return static_cast<T>(field);
    }
  }
  template <class T, unsigned From, unsigned Width>
  constexpr void set(T value) {
    const std::uint64_t field = static_cast<std::uint64_t>(value) & mask<Width>;
    bits_ = static_cast<_underlying_type>((std::uint64_t{bits_} & ~(mask<Width> << From)) | field << From);
  }

 private:
  template <unsigned Width>
  static constexpr std::uint64_t mask = Width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << Width) - 1;
  _underlying_type bits_ = 0;
};

// Prints a bit set's fields, which `description` names, like a struct's members.
template <class Out, std::size_t Count, class... Field>
void write_bit_set(Out& out, const Description<Count>& description, const Field&... field) {
  out << description.scoped << '{';
  [[maybe_unused]] std::size_t index = 0;
  const auto write_field = [&](const auto& one) {
    out << (index == 0 ? "" : ",") << description.members[index] << '=';
    ++index;
    IDL::write(out, one);
  };
  (write_field(field), ...);
  (void)write_field;
  out << '}';
}

template <class T>
concept IsBitMask = requires { typename T::_flags; } && std::is_base_of_v<BitMask<T, T::_bit_bound>, T>;
template <class T>
concept IsBitSet = requires(const T& value) { value._bits(); };

template <class T>
  requires IsBitMask<T> || IsBitSet<T>
struct Codec<T> {
  using Bits = typename T::_underlying_type;
  static constexpr std::size_t min_size = sizeof(Bits);
  static void write(Encoder& encoder, const T& value) {
    if constexpr (IsBitSet<T>)
      encoder.put(value._bits());
    else
      encoder.put(static_cast<Bits>(value));
  }
  static bool read(Decoder& decoder, T& value) {
    if constexpr (IsBitSet<T>)
      value._bits(decoder.take<Bits>());
    else
      value = T(decoder.take<Bits>());
    return decoder.ok();
  }
};

}  // namespace takt::cdr
