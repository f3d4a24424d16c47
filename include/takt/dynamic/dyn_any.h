// Module DynamicAny: values whose types a program learns at run time, taken apart and put together
// (CORBA 3.0.3, chapter 9; IDL to C++11 mapping).
//
//   const auto factory = IDL::traits<DynamicAny::DynAnyFactory>::narrow(
//       orb->resolve_initial_references("DynAnyFactory"));
//   const auto point =
//   IDL::traits<DynamicAny::DynStruct>::narrow(factory->create_dyn_any_from_type_code(type));
//   point->insert_long(3);
//   point->next();
//   point->insert_long(4);
//   const CORBA::Any any = point->to_any();
//
// All of these are local objects. One thread at a time uses a DynAny and its components. Only
// insert_reference may block, because it may ask the object for its type. All functions allocate.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <takt/cdr/any.h>
#include <takt/reference/abstract_base.h>
#include <takt/reference/local_object.h>
#include <takt/reference/orb_types.h>

namespace DynamicAny {

#define TAKT_DYNAMIC_EXCEPTION(NAME, SCOPE, WHY)                                                    \
  class NAME final : public CORBA::UserException {                                                  \
   public:                                                                                          \
    const char* _rep_id() const noexcept override {                                                 \
      return "IDL:omg.org/DynamicAny/" SCOPE "/" #NAME ":1.0";                                      \
    }                                                                                               \
    const char* _name() const noexcept override { return #NAME; }                                   \
    const char* what() const noexcept override { return "DynamicAny::" SCOPE "::" #NAME ": " WHY; } \
    [[noreturn]] void _raise() const override { throw *this; }                                      \
  };
#define TAKT_DYNAMIC_INTERFACE(NAME, ...)                                    \
 public:                                                                     \
  using _traits_type = IDL::traits<NAME>;                                    \
  using _ref_type = CORBA::object_reference<NAME>;                           \
  static const std::string& _interface_repository_id() {                     \
    static const std::string id = "IDL:omg.org/DynamicAny/" #NAME ":1.0";    \
    return id;                                                               \
  }                                                                          \
  bool _is_a_local(const std::string& id) const override {                   \
    return id == _interface_repository_id() || __VA_ARGS__::_is_a_local(id); \
  }

// The basic types with operations of their own, and with operations for sequences: name, type, kind.
#define TAKT_DYNAMIC_BASIC_TYPES(X)         \
  X(boolean, bool, tk_boolean)              \
  X(octet, std::uint8_t, tk_octet)          \
  X(char, char, tk_char)                    \
  X(short, std::int16_t, tk_short)          \
  X(ushort, std::uint16_t, tk_ushort)       \
  X(long, std::int32_t, tk_long)            \
  X(ulong, std::uint32_t, tk_ulong)         \
  X(float, float, tk_float)                 \
  X(double, double, tk_double)              \
  X(longlong, std::int64_t, tk_longlong)    \
  X(ulonglong, std::uint64_t, tk_ulonglong) \
  X(longdouble, long double, tk_longdouble) \
  X(wchar, wchar_t, tk_wchar)

// A value of any type. If it has components, insert_* and get_* access the current one.
//
// The operations of Object throw NO_IMPLEMENT, and sending a DynAny throws MARSHAL (OMG minor 4). After
// destroy() of the outermost DynAny, it and all its components throw OBJECT_NOT_EXIST.
class DynAny : public virtual CORBA::LocalObject {
  TAKT_DYNAMIC_INTERFACE(DynAny, CORBA::LocalObject)
  TAKT_DYNAMIC_EXCEPTION(InvalidValue, "DynAny", "there is no value, or the type does not have this one")
  TAKT_DYNAMIC_EXCEPTION(TypeMismatch, "DynAny", "the types differ")
  using DynAnySeq = std::vector<CORBA::object_reference<DynAny>>;

  // The type of the value, with its aliases.
  virtual CORBA::typecode_reference type() = 0;
  // Copies the other's value. Throws TypeMismatch unless the types are equivalent. In this header, a comment
  // that begins with an exception's name states when it is thrown.
  virtual void assign(const CORBA::object_reference<DynAny>& other) = 0;
  virtual void from_any(const CORBA::Any& value) = 0;
  // A copy of the value, of this type.
  virtual CORBA::Any to_any() = 0;
  // Whether the types are equivalent and the values are equal. False for nil.
  virtual bool equal(const CORBA::object_reference<DynAny>& other) = 0;
  // Has no effect on a component.
  virtual void destroy() = 0;
  // Another DynAny of the same type and value, at its first component.
  virtual CORBA::object_reference<DynAny> copy() = 0;

  // Makes the component at `index` the current one. False if there is none; the position is then -1.
  virtual bool seek(std::int32_t index) = 0;
  void rewind() { seek(0); }
  virtual bool next() = 0;
  virtual std::uint32_t component_count() = 0;
  // Changes to the component change this value. Nil at position -1. TypeMismatch if values of the type have
  // no components.
  virtual CORBA::object_reference<DynAny> current_component() = 0;

#define TAKT_DYNAMIC_ACCESS(NAME, T, KIND)                                    \
  void insert_##NAME(T value) { insert_as(CORBA::TCKind::KIND, value); }      \
  T get_##NAME() { return get_as<T>(CORBA::TCKind::KIND); }                   \
  void insert_##NAME##_seq(const std::vector<T>& value) {                     \
    CORBA::Any any;                                                           \
    any <<= value;                                                            \
    insert_sequence(CORBA::TCKind::KIND, any);                                \
  }                                                                           \
  std::vector<T> get_##NAME##_seq() {                                         \
    return taken_from<std::vector<T>>(extract_sequence(CORBA::TCKind::KIND)); \
  }
  TAKT_DYNAMIC_BASIC_TYPES(TAKT_DYNAMIC_ACCESS)
#undef TAKT_DYNAMIC_ACCESS

  // InvalidValue if the text is longer than the type's bound.
  void insert_string(const std::string& value) { insert_as(CORBA::TCKind::tk_string, value); }
  std::string get_string() { return get_as<std::string>(CORBA::TCKind::tk_string); }
  void insert_wstring(const std::wstring& value) { insert_as(CORBA::TCKind::tk_wstring, value); }
  std::wstring get_wstring() { return get_as<std::wstring>(CORBA::TCKind::tk_wstring); }
  // The object must have the type's interface, or be nil. It may be asked for its interface.
  void insert_reference(const CORBA::object_reference<CORBA::Object>& value) {
    insert_as(CORBA::TCKind::tk_objref, value);
  }
  CORBA::object_reference<CORBA::Object> get_reference() {
    return get_as<CORBA::object_reference<CORBA::Object>>(CORBA::TCKind::tk_objref);
  }
  // InvalidValue for nil.
  void insert_typecode(const CORBA::typecode_reference& value) {
    if (!value) throw InvalidValue();
    insert_as(CORBA::TCKind::tk_TypeCode, value);
  }
  CORBA::typecode_reference get_typecode() {
    return get_as<CORBA::typecode_reference>(CORBA::TCKind::tk_TypeCode);
  }
  // Insert into and extract from a value of type any.
  void insert_any(const CORBA::Any& value) { insert_as(CORBA::TCKind::tk_any, value); }
  CORBA::Any get_any() { return get_as<CORBA::Any>(CORBA::TCKind::tk_any); }
  void insert_dyn_any(const CORBA::object_reference<DynAny>& value) { insert_any(value->to_any()); }
  virtual CORBA::object_reference<DynAny> get_dyn_any() = 0;
  // The value must have exactly the valuetype, or be null. Extracting a value whose factory is missing throws
  // MARSHAL (OMG minor 1).
  void insert_val(const CORBA::valuetype_reference<CORBA::ValueBase>& value) {
    insert_as(CORBA::TCKind::tk_value, value);
  }
  CORBA::valuetype_reference<CORBA::ValueBase> get_val() {
    return get_as<CORBA::valuetype_reference<CORBA::ValueBase>>(CORBA::TCKind::tk_value);
  }
  void insert_abstract(const CORBA::abstractbase_reference<CORBA::AbstractBase>& value) {
    insert_as(CORBA::TCKind::tk_abstract_interface, value);
  }
  CORBA::abstractbase_reference<CORBA::AbstractBase> get_abstract() {
    return get_as<CORBA::abstractbase_reference<CORBA::AbstractBase>>(CORBA::TCKind::tk_abstract_interface);
  }

 protected:
  DynAny() = default;

 private:
  // The Any holds a value of the C++ type of `kind`, or a sequence of values of the C++ type of `element`.
  virtual void insert_basic(CORBA::TCKind kind, const CORBA::Any& value) = 0;
  virtual CORBA::Any extract_basic(CORBA::TCKind kind) = 0;
  virtual void insert_sequence(CORBA::TCKind element, const CORBA::Any& value) = 0;
  virtual CORBA::Any extract_sequence(CORBA::TCKind element) = 0;

  template <class T>
  void insert_as(CORBA::TCKind kind, const T& value) {
    CORBA::Any any;
    any <<= value;
    insert_basic(kind, any);
  }
  template <class T>
  T get_as(CORBA::TCKind kind) {
    return taken_from<T>(extract_basic(kind));
  }
  template <class T>
  static T taken_from(const CORBA::Any& any) {
    T value{};
    if (!(any >>= value)) throw InvalidValue();  // the type has been checked
    return value;
  }
};
using DynAnySeq = DynAny::DynAnySeq;
using AnySeq = CORBA::AnySeq;

class DynFixed : public virtual DynAny {
  TAKT_DYNAMIC_INTERFACE(DynFixed, DynAny)
  virtual std::string get_value() = 0;
  // Takes a fixed literal of IDL; the final d may be missing. False: digits beyond the scale were cut off.
  // TypeMismatch if the text is not a number, InvalidValue if it has too many digits before the point.
  virtual bool set_value(const std::string& value) = 0;
};

class DynEnum : public virtual DynAny {
  TAKT_DYNAMIC_INTERFACE(DynEnum, DynAny)
  virtual std::string get_as_string() = 0;
  // InvalidValue if the type has no enumerator with that name.
  virtual void set_as_string(const std::string& name) = 0;
  virtual std::uint32_t get_as_ulong() = 0;
  virtual void set_as_ulong(std::uint32_t ordinal) = 0;
};

using FieldName = std::string;

// A member's name, which may be empty, and its value.
template <class Value>
class NamedMember {
 public:
  NamedMember() = default;
  NamedMember(FieldName id, Value value) : id_(std::move(id)), value_(std::move(value)) {}
  const FieldName& id() const { return id_; }
  void id(FieldName id) { id_ = std::move(id); }
  const Value& value() const { return value_; }
  void value(Value value) { value_ = std::move(value); }

 private:
  FieldName id_;
  Value value_;
};
using NameValuePair = NamedMember<CORBA::Any>;
using NameDynAnyPair = NamedMember<CORBA::object_reference<DynAny>>;
using NameValuePairSeq = std::vector<NameValuePair>;
using NameDynAnyPairSeq = std::vector<NameDynAnyPair>;

// The common part of structs, exceptions and values. current_member_* throws TypeMismatch if there are no
// members, and InvalidValue at position -1. A wrong number of members in set_members* throws
// InvalidValue; wrong names or types throw TypeMismatch.
class DynMembers : public virtual DynAny {
 public:
  virtual FieldName current_member_name() = 0;
  virtual CORBA::TCKind current_member_kind() = 0;
  virtual NameValuePairSeq get_members() = 0;
  virtual void set_members(const NameValuePairSeq& members) = 0;
  virtual NameDynAnyPairSeq get_members_as_dyn_any() = 0;
  virtual void set_members_as_dyn_any(const NameDynAnyPairSeq& members) = 0;
};

class DynStruct : public virtual DynMembers {
  TAKT_DYNAMIC_INTERFACE(DynStruct, DynAny)
};

class DynUnion : public virtual DynAny {
  TAKT_DYNAMIC_INTERFACE(DynUnion, DynAny)
  virtual CORBA::object_reference<DynAny> get_discriminator() = 0;
  // A member that stays active keeps its value; a newly active one has its type's initial value.
  virtual void set_discriminator(const CORBA::object_reference<DynAny>& discriminator) = 0;
  // TypeMismatch unless the type has a default case.
  virtual void set_to_default_member() = 0;
  // TypeMismatch if every value of the discriminator makes some member active.
  virtual void set_to_no_active_member() = 0;
  virtual bool has_no_active_member() = 0;
  virtual CORBA::TCKind discriminator_kind() = 0;
  // InvalidValue if no member is active.
  virtual CORBA::object_reference<DynAny> member() = 0;
  virtual FieldName member_name() = 0;
  virtual CORBA::TCKind member_kind() = 0;
};

// The common part of sequences and arrays. set_elements* throws InvalidValue for a wrong number of elements,
// or more than the bound, and TypeMismatch for wrong types.
class DynElements : public virtual DynAny {
 public:
  virtual AnySeq get_elements() = 0;
  virtual void set_elements(const AnySeq& elements) = 0;
  virtual DynAnySeq get_elements_as_dyn_any() = 0;
  virtual void set_elements_as_dyn_any(const DynAnySeq& elements) = 0;
};

class DynSequence : public virtual DynElements {
  TAKT_DYNAMIC_INTERFACE(DynSequence, DynAny)
  virtual std::uint32_t get_length() = 0;
  // New elements have their type's initial value. InvalidValue beyond the bound.
  virtual void set_length(std::uint32_t length) = 0;
};

class DynArray : public virtual DynElements {
  TAKT_DYNAMIC_INTERFACE(DynArray, DynAny)
};

class DynValueCommon : public virtual DynAny {
  TAKT_DYNAMIC_INTERFACE(DynValueCommon, DynAny)
  virtual bool is_null() = 0;
  virtual void set_to_null() = 0;
  // If it was null, makes a value whose members have their types' initial values.
  virtual void set_to_value() = 0;
};

// The members of the base come first; private members are included. get_members*: InvalidValue for null.
// Setting the members of null makes it a value. A change makes a new value: other references still lead to
// the old one. Accessing the components of custom values, which marshal themselves, throws NO_IMPLEMENT.
class DynValue : public virtual DynMembers, public virtual DynValueCommon {
  TAKT_DYNAMIC_INTERFACE(DynValue, DynValueCommon)
};

// get_*: InvalidValue for null. set_*: TypeMismatch unless the type is the boxed one.
class DynValueBox : public virtual DynValueCommon {
  TAKT_DYNAMIC_INTERFACE(DynValueBox, DynValueCommon)
  virtual CORBA::Any get_boxed_value() = 0;
  virtual void set_boxed_value(const CORBA::Any& boxed) = 0;
  virtual CORBA::object_reference<DynAny> get_boxed_value_as_dyn_any() = 0;
  virtual void set_boxed_value_as_dyn_any(const CORBA::object_reference<DynAny>& boxed) = 0;
};

// The initial reference "DynAnyFactory" of programs that use this class. Any thread.
class DynAnyFactory : public virtual CORBA::LocalObject {
  TAKT_DYNAMIC_INTERFACE(DynAnyFactory, CORBA::LocalObject)
  // Thrown for Principals, natives, and abstract and local interfaces.
  TAKT_DYNAMIC_EXCEPTION(InconsistentTypeCode, "DynAnyFactory", "no DynAny is made for values of this type")
  // Thrown if a value has a type derived from the one that its Any names.
  TAKT_DYNAMIC_EXCEPTION(MustTruncate, "DynAnyFactory",
                         "the value is of a type derived from the one that its Any names")

  // For the ORB only. `environment` makes the references in values; null: values cannot have references.
  explicit DynAnyFactory(takt::cdr::Environment* environment);
  ~DynAnyFactory() override;

  CORBA::object_reference<DynAny> create_dyn_any(const CORBA::Any& value);
  // Makes the type's initial value. BAD_TYPECODE for nil. IMP_LIMIT if that value has more than a million
  // elements, or more than 200 levels of nesting.
  CORBA::object_reference<DynAny> create_dyn_any_from_type_code(const CORBA::typecode_reference& type);
  CORBA::object_reference<DynAny> create_dyn_any_without_truncation(const CORBA::Any& value);
  DynAnySeq create_multiple_dyn_anys(const AnySeq& values, bool allow_truncate);
  AnySeq create_multiple_anys(const DynAnySeq& values);

 private:
  const std::shared_ptr<takt::cdr::Environment> environment_;
};

#undef TAKT_DYNAMIC_INTERFACE
#undef TAKT_DYNAMIC_EXCEPTION

}  // namespace DynamicAny
