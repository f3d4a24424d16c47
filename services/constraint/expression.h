// A constraint in memory, as its parser leaves it.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace takt::constraint {

__extension__ using Integer = __int128;  // every integer of IDL, and their sums

// An enumerator: the text that IDL calls it by, and its number.
struct Enumerator {
  std::string label;
  std::uint32_t ordinal = 0;
};
// A value that no operator takes: a struct, a sequence, a null.
struct Compound {};
using Value = std::variant<Compound, bool, Integer, long double, std::string, Enumerator>;

enum class Operator : unsigned char {
  disjunction,
  conjunction,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  is_element,  // left in path
  is_part,     // left ~ right
  add,
  subtract,
  multiply,
  divide,
  opposite,  // not left
  negative,  // -left
  literal,
  component,   // the value at path
  exists,      // exist path
  is_default,  // default path
};

// One step from a value to a part of it.
struct Step {
  enum class Kind : unsigned char {
    member,         // .name
    position,       // .3
    element,        // [3]
    named,          // (name), in a list of names and values
    label,          // .(3) and .('blue'): a union's member, if it is the one that is there
    default_label,  // .()
    length,         // ._length
    discriminator,  // ._d
    type_id,        // ._type_id
    repository_id,  // ._repos_id
  };
  Kind kind;
  std::string name = {};
  std::int64_t number = 0;
};

// Leads to a part of an event. Without a variable it starts at the event itself.
struct Path {
  std::string variable;
  std::vector<Step> steps;
};

struct Node {
  Operator action;
  std::uint32_t left = 0, right = 0;  // indexes of nodes
  std::uint32_t path = 0;             // index
  Value literal = {};
};

struct Expression {
  std::vector<Node> nodes;
  std::vector<Path> paths;
  std::uint32_t root = 0;
};

}  // namespace takt::constraint
