// Sample values of any type, written and read with Takt's CDR according to a TypeCode.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <takt/cdr/typecode.h>

namespace takt::idl::diff {

// A value as a tree. The text of a leaf is the value's meaning, not only its encoding.
struct Sample {
  std::string label{};                 // member: its name; enum: the enumerator
  std::string text{};                  // for a leaf
  std::vector<std::string> spelled{};  // enum: all enumerators
  std::vector<Sample> parts{};
};

using Types = std::vector<CORBA::typecode_reference>;

// The number of different values per type: includes all ordinals and labels of small types.
inline constexpr std::uint32_t sample_count = 12;

struct Written {
  std::vector<std::uint8_t> octets;
  Sample sample;
};
// Writes the types in order, each with its value number `variant`.
Written write_samples(const Types& types, std::uint32_t variant);
// Empty if the octets do not fit: too few, too many, a length beyond its bound, or an invalid ordinal or
// label.
std::optional<Sample> read_samples(const Types& types, const std::vector<std::uint8_t>& octets);

// Whether the receiver understood what the sender meant: the same leaves in the same order, and no member or
// enumerator mistaken for another one that it knows too.
bool means_the_same(const Sample& sent, const Sample& received);

}  // namespace takt::idl::diff
