// A rule describes one kind of change between two versions of an IDL specification, and what the change
// breaks.
#pragma once

#include <cstdint>
#include <string_view>

namespace takt::idl::diff {

// Things that a change may break. An Effects is a set of them.
enum class Effect : std::uint8_t {
  wire = 1,       // calls from an old client to a new server
  wire_back = 2,  // calls from a new client to an old server
  any = 4,        // TypeCodes and repository ids, as in an Any
  source = 8,     // programs that use the generated C++
  layout = 16,    // code compiled against the generated classes: their size, alignment or virtual functions
};
using Effects = std::uint8_t;
constexpr Effects bit(Effect effect) { return static_cast<Effects>(effect); }
inline constexpr Effects all_effects = 31;

// The direction in which calls fail. `narrows`: a receiver accepts less than before, so old senders fail.
// `widens`: a receiver gets more than it knows, so new senders fail. Which side is the client depends on the
// direction of the data.
enum class Wire : std::uint8_t { none, both, old_client, new_client, narrows, widens };

// How the tests check the rule's claim about the wire.
enum class Proof : std::uint8_t {
  octets,      // samples encoded with one version's types are decoded with the other's, by takt's CDR
  operations,  // calls by name and repository id against the other version's operations
  exceptions,  // exceptions raised by one version, by repository id, against those the other knows
  argument,    // no test: the rule follows from the text of the standard or from how ORBs behave
};

// Flags for the other things that a rule's change breaks. `cpp11` and `classic` are the two C++ mappings.
inline constexpr std::uint8_t any = 1, cpp11 = 2, classic = 4, layout = 8;
inline constexpr std::uint8_t source = cpp11 | classic, everything = any | source | layout;

// The texts are sentences for users. Once released, a rule keeps its id and the meaning of its texts.
struct Rule {
  std::string_view id;
  Wire wire;
  std::uint8_t flags;
  Proof proof;
  std::string_view change;  // the change that was made
  std::string_view why;     // why that breaks something
  std::string_view remedy;  // how to stay compatible
};

// The directions in which operations carry a type.
struct Flow {
  bool in = false;   // from client to server
  bool out = false;  // from server to client
};

// The rule's effects for data with that flow. A type that no operation carries counts as flowing both ways.
Effects effects_of(const Rule& rule, Flow flow);

}  // namespace takt::idl::diff
