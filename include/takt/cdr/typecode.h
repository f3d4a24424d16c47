// CORBA::TypeCode: a type as a value (CORBA 3.0.3, 4.11).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <takt/cdr/codec.h>
#include <takt/cdr/exception.h>

namespace CORBA {

class Any;
class TypeCode;

enum class TCKind : std::uint32_t {
  tk_null,
  tk_void,
  tk_short,
  tk_long,
  tk_ushort,
  tk_ulong,
  tk_float,
  tk_double,
  tk_boolean,
  tk_char,
  tk_octet,
  tk_any,
  tk_TypeCode,
  tk_Principal,
  tk_objref,
  tk_struct,
  tk_union,
  tk_enum,
  tk_string,
  tk_sequence,
  tk_array,
  tk_alias,
  tk_except,
  tk_longlong,
  tk_ulonglong,
  tk_longdouble,
  tk_wchar,
  tk_wstring,
  tk_fixed,
  tk_value,
  tk_value_box,
  tk_native,
  tk_abstract_interface,
  tk_local_interface,
  tk_component,
  tk_home,
  tk_event
};

using ValueModifier = std::int16_t;
inline constexpr ValueModifier VM_NONE = 0, VM_CUSTOM = 1, VM_ABSTRACT = 2, VM_TRUNCATABLE = 3;
using Visibility = std::int16_t;
inline constexpr Visibility PRIVATE_MEMBER = 0, PUBLIC_MEMBER = 1;

// A reference to a TypeCode, nil by default. A complete TypeCode never changes, so any thread may use it.
// Dereferencing nil throws BAD_PARAM.
class typecode_reference {
 public:
  using element_type = const TypeCode;

  constexpr typecode_reference() noexcept = default;
  constexpr typecode_reference(std::nullptr_t) noexcept {}
  explicit typecode_reference(std::shared_ptr<const TypeCode> type) noexcept : type_(std::move(type)) {}

  const TypeCode* operator->() const {
    if (!type_) [[unlikely]]
      throw_nil();
    return type_.get();
  }
  const TypeCode& operator*() const { return *operator->(); }
  const TypeCode* get() const noexcept { return type_.get(); }
  explicit operator bool() const noexcept { return static_cast<bool>(type_); }
  void reset() noexcept { type_.reset(); }
  void swap(typecode_reference& other) noexcept { type_.swap(other.type_); }
  const std::shared_ptr<const TypeCode>& shared() const noexcept { return type_; }
  // Whether both are nil, or TypeCode::equal.
  friend bool operator==(const typecode_reference& a, const typecode_reference& b) { return a.is_equal(b); }

  template <class Out>
  void _write_to(Out& out) const;

 private:
  [[noreturn]] static void throw_nil();
  bool is_equal(const typecode_reference& other) const;

  std::shared_ptr<const TypeCode> type_;
};

}  // namespace CORBA

namespace takt::cdr {

// The word for a kind of type: "unsigned long", "struct".
std::string_view name_of(CORBA::TCKind kind);

// A member of a struct, union, exception or value; those of an enum have only names.
struct TypeCodeMember {
  std::string name{};
  CORBA::typecode_reference type{};
  std::int64_t label = 0;                                // unions: the discriminator's bits; 0 for default
  CORBA::Visibility visibility = CORBA::PRIVATE_MEMBER;  // values
};

// The parts of a TypeCode. Its kind determines which of them have a meaning.
struct TypeCodeParts {
  CORBA::TCKind kind = CORBA::TCKind::tk_null;
  std::string id{}, name{};
  std::vector<TypeCodeMember> members{};
  CORBA::typecode_reference
      content{};  // sequence, array, alias, value box: content; value: concrete base or nil
  CORBA::typecode_reference discriminator{};  // union
  std::int32_t default_index = -1;            // union: index of the default member
  std::uint32_t length = 0;                   // array: length; string, sequence: bound, 0 for none
  std::uint16_t digits = 0;
  std::int16_t scale = 0;                          // fixed
  CORBA::ValueModifier modifier = CORBA::VM_NONE;  // value
};

}  // namespace takt::cdr

namespace CORBA {

// Accessors that do not fit the kind throw BadKind; an index out of range throws Bounds. A part of a
// recursive type that an accessor returns keeps that type alive. A placeholder throws BAD_TYPECODE minor 1
// until its enclosing type has been made, and after that type has ended.
class TypeCode : public std::enable_shared_from_this<TypeCode> {
 public:
  class BadKind final : public UserException {
   public:
    const char* _rep_id() const noexcept override { return "IDL:omg.org/CORBA/TypeCode/BadKind:1.0"; }
    const char* _name() const noexcept override { return "BadKind"; }
    const char* what() const noexcept override {
      return "CORBA::TypeCode::BadKind: types of this kind do not have that property";
    }
    [[noreturn]] void _raise() const override { throw *this; }
  };
  class Bounds final : public UserException {
   public:
    const char* _rep_id() const noexcept override { return "IDL:omg.org/CORBA/TypeCode/Bounds:1.0"; }
    const char* _name() const noexcept override { return "Bounds"; }
    const char* what() const noexcept override {
      return "CORBA::TypeCode::Bounds: the type has no member with that index";
    }
    [[noreturn]] void _raise() const override { throw *this; }
  };

  // Whether all parts are the same. equivalent() ignores aliases, names, and ids if one is empty. Both throw
  // BAD_PARAM (OMG minor 13) for nil.
  bool equal(const typecode_reference& other) const;
  bool equivalent(const typecode_reference& other) const;
  // Without member names, and without the type's name unless there are only names.
  typecode_reference get_compact_typecode() const;

  TCKind kind() const { return meant().parts_.kind; }
  const std::string& id() const;
  const std::string& name() const;
  std::uint32_t member_count() const;
  const std::string& member_name(std::uint32_t index) const;
  typecode_reference member_type(std::uint32_t index) const;
  Any member_label(std::uint32_t index) const;  // an octet 0 for default
  Visibility member_visibility(std::uint32_t index) const;
  typecode_reference discriminator_type() const;
  std::int32_t default_index() const;
  std::uint32_t length() const;
  typecode_reference content_type() const;
  std::uint16_t fixed_digits() const;
  std::int16_t fixed_scale() const;
  ValueModifier type_modifier() const;
  typecode_reference concrete_base_type() const;  // nil if there is none

  // For marshaling: the parts, with recursion resolved.
  const takt::cdr::TypeCodeParts& _parts() const { return parts_; }
  // The type itself, or the enclosing type that a recursion stands for. Null if that is incomplete or gone.
  std::shared_ptr<const TypeCode> _resolved(const std::shared_ptr<const TypeCode>& self) const;
  bool _is_recursion() const { return recursion_; }
  // The type behind all aliases and recursions. A recursion if the type that it stands for is incomplete or
  // gone. Valid while the outermost type lives.
  const TypeCode& _unaliased() const;
  // A reference that also keeps the type around this one, to which recursions inside it refer. Nil for a
  // recursion whose type is incomplete or gone.
  typecode_reference _kept() const;
  // The union member that a label selects, else the default member, else null.
  const takt::cdr::TypeCodeMember* _member_with_label(std::int64_t label) const;

 private:
  friend class takt_typecode_maker;
  TypeCode() = default;
  const TypeCode& meant() const { return recursion_ ? recursion_target() : *this; }
  const TypeCode& recursion_target() const;

  takt::cdr::TypeCodeParts parts_;
  std::vector<std::pair<std::int64_t, std::uint32_t>>
      labels_;                 // a union's labels with member indices, sorted
  bool recursion_ = false;     // stands for the enclosing type with parts_.id
  std::uint32_t height_ = 1;   // height of the tree of parts
  mutable bool open_ = false;  // a part stands for an enclosing type that does not exist yet
  // A recursion: the type that it stands for. Other types that are around a recursion: a type around them,
  // whose parts own this one.
  mutable std::weak_ptr<const TypeCode> enclosing_;
};

template <class Out>
void typecode_reference::_write_to(Out& out) const {
  if (!type_)
    out << "nil";
  else if (type_->_parts().id.empty())
    out << "typecode " << std::string(takt::cdr::name_of(type_->_parts().kind));
  else
    out << "typecode " << type_->_parts().id;
}

}  // namespace CORBA

namespace takt::cdr {

// A type without parameters, or an unbounded string or wstring. Always the same object.
const CORBA::typecode_reference& basic_typecode(CORBA::TCKind kind);
// Makes any other type. Throws BAD_TYPECODE minor 2 for an illegal member type, minor 3 for inconsistent
// parameters; BAD_PARAM minor 18 for a duplicate label. Recursions inside it with its id now stand for it.
CORBA::typecode_reference make_typecode(TypeCodeParts parts);
// A placeholder for the enclosing type with this id.
CORBA::typecode_reference make_recursion(std::string id);

// Makes tk_alias and similar kinds in one call, for generated code.
CORBA::typecode_reference make_alias(std::string_view id, std::string_view name,
                                     CORBA::typecode_reference type);
CORBA::typecode_reference make_named(CORBA::TCKind kind, std::string_view id, std::string_view name);

// The encoding of CORBA 3.0.3, 15.3.5.1. Repeated types are written again, up to a size. Recursion is written
// as an indirection, as is a repeated type that refers to a type around it.
void write_typecode(Encoder& encoder, const CORBA::typecode_reference& type);
// Returns null, and fails the decoder, if the TypeCode is malformed.
CORBA::typecode_reference read_typecode(Decoder& decoder);

template <>
struct Codec<CORBA::typecode_reference> {
  static constexpr std::size_t min_size = 4;
  static void write(Encoder& encoder, const CORBA::typecode_reference& type) {
    write_typecode(encoder, type);
  }
  static bool read(Decoder& decoder, CORBA::typecode_reference& type) {
    type = read_typecode(decoder);
    return decoder.ok();
  }
};

}  // namespace takt::cdr
