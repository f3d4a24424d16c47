// A rule: a kind of change between two versions of an IDL specification, and what it breaks.
#pragma once

#include <cstdint>
#include <string_view>

namespace takt::idl::diff {

// What a change may break. A set of them is an Effects.
enum class Effect : std::uint8_t {
  wire = 1,       // an old client calls a new server
  wire_back = 2,  // a new client calls an old server
  any = 4,        // TypeCodes and repository ids, as in an Any
  source = 8,     // programs that use the generated C++
  layout = 16,  // what is compiled against the generated classes: their size, alignment or virtual functions
};
using Effects = std::uint8_t;
constexpr Effects bit(Effect effect) { return static_cast<Effects>(effect); }
inline constexpr Effects all_effects = 31;

// Whose calls fail. A receiver that accepts less than before fails old senders; one that gets more than it
// knows fails with new senders: which of the two is the client depends on the direction of the data.
enum class Wire : std::uint8_t { none, both, old_client, new_client, narrows, widens };

// How the tests hold the rule to what it says about the wire.
enum class Proof : std::uint8_t {
  octets,      // samples written by one version's types are read by the other's, through takt's CDR
  operations,  // calls by name and repository id against what the other version serves
  exceptions,  // what one version raises, by repository id, against what the other knows
  argument,    // none: the rule follows from the standard's text or from how ORBs behave
};

// Flags of a rule: what else it breaks. `cpp11` and `classic` are the two C++ mappings.
inline constexpr std::uint8_t any = 1, cpp11 = 2, classic = 4, layout = 8;
inline constexpr std::uint8_t source = cpp11 | classic, everything = any | source | layout;

// The texts are sentences for users. They never change their meaning once released; ids stay as they are.
struct Rule {
  std::string_view id;
  Wire wire;
  std::uint8_t flags;
  Proof proof;
  std::string_view change;  // what was done
  std::string_view why;     // why that breaks something
  std::string_view remedy;  // what would keep it compatible
};

// How a type travels, by the operations that carry it.
struct Flow {
  bool in = false;   // from client to server
  bool out = false;  // from server to client
};

// The rule's effects for data that flows so. A type that no operation carries may flow both ways elsewhere.
Effects effects_of(const Rule& rule, Flow flow);

}  // namespace takt::idl::diff
