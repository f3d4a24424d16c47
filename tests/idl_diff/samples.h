// Sample values of any type, written and read by TypeCode through takt's CDR.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <takt/cdr/typecode.h>

namespace takt::idl::diff {

// A value as a tree. Leaves have a text that says what the value means, and not only how it looks.
struct Sample {
  std::string label{};                 // of a member: its name; of an enum's value: its enumerator
  std::string text{};                  // of a leaf
  std::vector<std::string> spelled{};  // of an enum's value: all enumerators
  std::vector<Sample> parts{};
};

using Types = std::vector<CORBA::typecode_reference>;

// How many different values there are of each type: all ordinals and labels of small types are among them.
inline constexpr std::uint32_t sample_count = 12;

struct Written {
  std::vector<std::uint8_t> octets;
  Sample sample;
};
// The types in order, each with its value number `variant`.
Written write_samples(const Types& types, std::uint32_t variant);
// Nothing where the octets do not fit: too few, too many, a length beyond its bound, an ordinal or label
// that does not exist.
std::optional<Sample> read_samples(const Types& types, const std::vector<std::uint8_t>& octets);

// Whether the receiver understood what the sender meant: the same leaves in the same order, and no member or
// enumerator for another that it knows as well.
bool means_the_same(const Sample& sent, const Sample& received);

}  // namespace takt::idl::diff
