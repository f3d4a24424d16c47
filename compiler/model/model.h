// What an IDL specification means, once names are resolved and constants computed: what back ends read.
//
// A Unit owns everything; pointers in it are valid as long as it is. Nothing changes after analysis.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace takt::idl {

// Wide enough for every integer of IDL and the sum of any two.
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

struct Location {
  std::uint32_t file = 0;  // index in Unit::files
  std::uint32_t line = 0;  // from 1
  std::uint32_t column = 0;
};

struct Declaration;

// The value of a constant expression, of the type it was declared with. Integers are wide enough for all of
// IDL's; fixed values are kept as their decimal digits.
struct FixedValue {
  Int128 digits = 0;  // the value times 10 to the scale
  int scale = 0;
};
struct Value {
  std::variant<std::monostate, bool, Int128, long double, char32_t, std::string, std::wstring, FixedValue,
               const Declaration*>  // an enumerator
      is;
};

enum class TypeKind : std::uint8_t {
  void_,
  boolean,
  char_,
  wchar,
  octet,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float_,
  double_,
  long_double,
  any,
  object,
  value_base,
  typecode,  // CORBA::TypeCode
  string,    // bound
  wstring,   // bound
  fixed,     // digits, scale; 0,0: any, of a constant
  sequence,  // element, bound
  map,       // key, element, bound
  array,     // element, dimensions: one at a time is bound; nested arrays nest
  named,     // declaration
};

// Types are shared; named ones point at their declaration, and arrays of several dimensions are arrays of
// arrays.
struct Type {
  TypeKind kind = TypeKind::void_;
  std::uint64_t bound = 0;  // of strings, sequences and maps: 0 for unbounded; of an array: its length
  std::uint16_t digits = 0, scale = 0;
  const Type* element = nullptr;
  const Type* key = nullptr;
  Declaration* declaration = nullptr;
  std::uint32_t nesting = 0;  // how deep it holds others by value; bounded, so that walkers may recurse

  // What typedefs stand for.
  const Type& resolved() const;
};

enum class DeclarationKind : std::uint8_t {
  module_,
  interface_,
  forward_,  // an interface, value, struct or union that is defined later, or never
  value,
  value_box,
  struct_,
  union_,
  enum_,
  enumerator,
  exception,
  typedef_,
  constant,
  native,
  bitset,
  bitmask,
  operation,
  attribute,
  member,       // of structs, exceptions, unions and values
  initializer,  // a factory of a value
  component,
  home,
  event,  // as value
  port_type,
  type_parameter,
};

struct AnnotationUse {
  std::string name;                                      // without the @
  std::vector<std::pair<std::string, Value>> arguments;  // an unnamed one has an empty name
  std::vector<Location> argument_places;                 // of their values
  Location at;
};
// The first of that name; null: there is none.
const AnnotationUse* find_annotation(const std::vector<AnnotationUse>& annotations, std::string_view name);

// Everything with a name. Which fields mean something depends on the kind, and stands beside them; one struct
// rather than twenty, so that back ends switch on the kind and read.
struct Declaration {
  DeclarationKind kind = DeclarationKind::module_;
  std::string name;              // without the escaping underscore
  Declaration* scope = nullptr;  // null for the global scope's
  Location at;
  bool in_main_file = true;  // else an included one
  std::string repository_id;
  std::vector<AnnotationUse> annotations;

  // module, interface, value, component: what is declared in it, in order; in structs, unions, exceptions and
  // values also the members (kind member); in enums the enumerators; in operations nothing.
  std::vector<Declaration*> contents;

  // typedef, constant, member, attribute, value_box, operation (result): the type. union: the
  // discriminator's.
  const Type* type = nullptr;

  // interface, value, struct, component, home: bases in order. A value's first may be concrete; a struct has
  // one.
  std::vector<Declaration*> bases;
  std::vector<Declaration*> supports;  // value, component
  bool is_abstract = false;            // interface, value
  bool is_local = false;               // interface; struct, union and exception: holds a local interface
  bool is_custom = false;              // value
  bool is_truncatable = false;         // value: to its concrete base
  Declaration* definition = nullptr;   // forward: what completes it, null if nothing does
  DeclarationKind forward_kind = DeclarationKind::interface_;  // forward: of what
  bool is_private = false;                                     // member of a value
  bool is_readonly = false;                                    // attribute

  // constant: its value. enumerator: its ordinal as an integer. bitmask's enumerators: the bit's position.
  Value value;

  // union members: their labels; default_label where `default:` is among them. Several labels, one member.
  std::vector<Value> labels;
  bool default_label = false;
  // union: no label for some value of the discriminator, and no default.
  bool has_implicit_default = false;

  // operation, initializer
  enum class Direction : std::uint8_t { in, out, inout };
  struct Parameter {
    Direction direction = Direction::in;
    const Type* type = nullptr;
    std::string name;
    Location at;
    std::vector<AnnotationUse> annotations;
  };
  std::vector<Parameter> parameters;
  bool is_oneway = false;
  std::vector<Declaration*> raises;      // operation, initializer; of an attribute: for reading it
  std::vector<Declaration*> set_raises;  // attribute: for writing it
  std::vector<std::string> contexts;     // operation

  // bitset: fields as members, with their width; type null if none was given. bitmask: bit_bound.
  std::uint32_t width = 0;

  // How deep it holds others by value or inherits; bounded, so that walkers may recurse.
  std::uint32_t nesting = 0;

  // "::M::S"
  std::string scoped_name() const;
  const AnnotationUse* find_annotation(std::string_view annotation) const;
  // Whether a base, at any distance, is `other`.
  bool derives_from(const Declaration& other) const;
};

struct File {
  std::string name;  // as it was opened
  bool is_main = false;
};

struct Unit {
  std::vector<File> files;  // the main file and all that it includes, at any distance
  Declaration root;         // the global scope, a module without a name
  std::set<std::string, std::less<>> own_annotations;  // that it defines (@annotation), without their scopes

  // Owned storage.
  std::deque<Declaration> declarations;
  std::deque<Type> types;

  // Interfaces' operations and attributes including inherited ones, each once, bases first.
  std::vector<Declaration*> all_operations(const Declaration& interface) const;
};

}  // namespace takt::idl
