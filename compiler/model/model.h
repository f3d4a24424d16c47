// The model of an IDL specification after names are resolved and constants computed. Back ends read it.
//
// A Unit owns everything; pointers in it are valid as long as the Unit. It does not change after analysis.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
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

// The value of a constant expression, with the type of the constant's declaration. Integers hold the full
// range of every IDL type; fixed-point values are kept as decimal digits.
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
  fixed,     // digits, scale; both 0: any fixed-point constant
  sequence,  // element, bound
  map,       // key, element, bound
  array,     // element; `bound` is the length of one dimension, so arrays of several dimensions nest
  named,     // declaration
};

// Types are shared. A named type points to its declaration; an array of several dimensions is an array of
// arrays.
struct Type {
  TypeKind kind = TypeKind::void_;
  std::uint64_t bound = 0;  // string, sequence, map: 0 for unbounded; array: the length
  std::uint16_t digits = 0, scale = 0;
  const Type* element = nullptr;
  const Type* key = nullptr;
  Declaration* declaration = nullptr;
  // How deep the type nests others by value; bounded, so that visitors may recurse.
  std::uint32_t nesting = 0;

  // The type with all typedefs replaced by their types.
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
  member,       // struct, exception, union, value
  initializer,  // a factory of a value
  component,
  home,
  event,  // as value
  port_type,
  type_parameter,
  template_module,  // kept by the parser, which makes modules of it
};

struct AnnotationUse {
  std::string name;                                      // without the @
  std::vector<std::pair<std::string, Value>> arguments;  // the name of an unnamed argument is empty
  std::vector<Location> argument_places;                 // places of the arguments' values
  Location at;
};
// The first annotation with the name; null if there is none.
const AnnotationUse* find_annotation(const std::vector<AnnotationUse>& annotations, std::string_view name);
// Whether a boolean annotation, such as @optional, is given with the value TRUE, which it has without an
// argument. `use` may be null.
bool is_set(const AnnotationUse* use);

// A declaration of any kind. The comments beside the fields say for which kinds they are meaningful. One
// struct serves all kinds, so that back ends can switch on the kind. It is large because it has the fields of
// all kinds.
struct Declaration {
  DeclarationKind kind = DeclarationKind::module_;
  std::string name;              // without the escaping underscore
  Declaration* scope = nullptr;  // null in the global scope
  Location at;
  bool in_main_file = true;  // false: in an included file
  std::string repository_id;
  std::vector<AnnotationUse> annotations;

  // module, interface, value, component: the nested declarations in order. struct, union, exception, value:
  // also the members (kind member). enum: the enumerators. Empty for operations.
  std::vector<Declaration*> contents;

  // typedef, constant, member, attribute, value_box: the type. operation: the result's type. union: the
  // discriminator's type.
  const Type* type = nullptr;

  // interface, value, struct, component, home: bases in order. Only a value's first base may be concrete; a
  // struct has at most one.
  std::vector<Declaration*> bases;
  std::vector<Declaration*> supports;  // value, component
  bool is_abstract = false;            // interface, value
  bool is_local = false;        // interface; for struct, union and exception: contains a local interface
  bool is_custom = false;       // value
  bool is_truncatable = false;  // value: truncatable to its concrete base
  Declaration* definition = nullptr;  // forward: the definition; null if there is none
  DeclarationKind forward_kind = DeclarationKind::interface_;  // forward: the kind declared
  bool is_private = false;                                     // value's member
  bool is_readonly = false;                                    // attribute
  bool is_optional = false;                                    // member of a struct or exception

  // constant: its value. enumerator: its ordinal as an integer. Enumerators of a bitmask: the bit position.
  Value value;

  // Members of a union: the labels; `default:` sets default_label. A member may have several labels.
  std::vector<Value> labels;
  bool default_label = false;
  // union: without default, and some discriminator value has no label.
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
  std::vector<Declaration*> raises;      // operation, initializer; attribute: when read
  std::vector<Declaration*> set_raises;  // attribute: when written
  std::vector<std::string> contexts;     // operation

  // bitset: fields are members with their width, and their type is null if none was given. bitmask:
  // bit_bound.
  std::uint32_t width = 0;
  std::uint32_t first_bit = 0;  // bitset field: counted from the lowest bit of the outermost base

  // How deep the declaration nests others by value or inheritance; bounded, so that visitors may recurse.
  std::uint32_t nesting = 0;

  // "::M::S"
  std::string scoped_name() const;
  const AnnotationUse* find_annotation(std::string_view annotation) const;
  // Whether `other` is a direct or indirect base.
  bool derives_from(const Declaration& other) const;
};

// The definition of a forward declaration, if there is one; else the declaration itself.
const Declaration& defined(const Declaration& declaration);

// An asynchronous call of an interface: of an operation, or of the get or set of an attribute.
struct AsynchronousCall {
  const Declaration* declaration = nullptr;  // the operation or attribute
  bool sets = false;                         // the attribute is written
  std::string send;                          // the name of what sends it: sendc_op
  std::string start;                         // the name of what returns the pending call: async_op
  std::string reply, exception;              // the handler's operations
  std::string poll;                          // the name of what returns a poller: sendp_op
  std::string outcome;                       // the poller's operation
};
struct AsynchronousInterface {
  Declaration* handler = nullptr;
  Declaration* poller = nullptr;
  std::vector<AsynchronousCall> calls;  // in the order of the interface's own operations and attributes
};

struct File {
  std::string name;  // as it was opened
  bool is_main = false;
};

struct Unit {
  std::vector<File> files;  // the main file, and all files included directly or indirectly
  Declaration root;         // the global scope, a module without a name
  // Defined by @annotation in the unit, without their scopes.
  std::set<std::string, std::less<>> own_annotations;

  // The interfaces that #pragma corba_ami names, without leading colons, and the places of the pragmas.
  std::map<std::string, Location> ami_pragmas;
  // The interfaces with asynchronous calls (sema/ami.h).
  std::map<const Declaration*, AsynchronousInterface> asynchronous;

  // The places where names are used, one for each part of a scoped name. Empty unless keeps_uses is set
  // before parsing.
  struct Use {
    Location at;
    const Declaration* found;
  };
  bool keeps_uses = false;
  std::vector<Use> uses;

  // #pragma prefix in a module precedes the names of all modules in repository ids, as with TAO. Set before
  // parsing.
  bool prefixes_whole_names = false;

  // Owned storage.
  std::deque<Declaration> declarations;
  std::deque<Type> types;

  // The operations and attributes of an interface, including inherited ones, each once; bases first.
  std::vector<Declaration*> all_operations(const Declaration& interface) const;
  // These and, of a valuetype, also the state members.
  std::vector<Declaration*> all_features(const Declaration& interface) const;
};

}  // namespace takt::idl
