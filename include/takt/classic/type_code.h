// CORBA::TypeCode in the classic mapping. C++14.
#pragma once

#include <takt/classic/sequence.h>
#include <takt/classic/type_node.h>

namespace CORBA {
inline namespace takt_classic_ {

enum TCKind {
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

typedef Short ValueModifier;
const ValueModifier VM_NONE = 0, VM_CUSTOM = 1, VM_ABSTRACT = 2, VM_TRUNCATABLE = 3;
typedef Short Visibility;
const Visibility PRIVATE_MEMBER = 0, PUBLIC_MEMBER = 1;

class Any;
typedef TypeCode* TypeCode_ptr;
typedef takt::classic::ObjectVar<TypeCode> TypeCode_var;
typedef takt::classic::ObjectOut<TypeCode> TypeCode_out;
typedef takt::classic::ObjectMember<TypeCode> TypeCode_member;

// A type as a value. Never changes; any thread. Texts that are returned live as long as the TypeCode;
// TypeCodes that are returned are the caller's. Operations that do not fit the kind throw BadKind, an index
// out of range throws Bounds, and nil throws INV_OBJREF.
class TypeCode {
 public:
  typedef TypeCode_ptr _ptr_type;
  typedef TypeCode_var _var_type;
  TAKT_CLASSIC_USER_EXCEPTION(BadKind)
  TAKT_CLASSIC_USER_EXCEPTION(Bounds)

  static TypeCode_ptr _duplicate(TypeCode_ptr type);
  static TypeCode_ptr _nil();

  // Whether all parts are the same. equivalent() ignores aliases and names.
  Boolean equal(TypeCode_ptr other) const;
  Boolean equivalent(TypeCode_ptr other) const;
  TypeCode_ptr get_compact_typecode() const;
  TCKind kind() const;
  const char* id() const;
  const char* name() const;
  ULong member_count() const;
  const char* member_name(ULong index) const;
  TypeCode_ptr member_type(ULong index) const;
  Any* member_label(ULong index) const;  // an octet 0 for default
  TypeCode_ptr discriminator_type() const;
  Long default_index() const;
  ULong length() const;
  TypeCode_ptr content_type() const;
  UShort fixed_digits() const;
  Short fixed_scale() const;
  Visibility member_visibility(ULong index) const;
  ValueModifier type_modifier() const;
  TypeCode_ptr concrete_base_type() const;

  takt::classic::TypeCodeHandle* _takt_handle() const { return handle_; }
  // Takes the handle over; nil for null.
  static TypeCode_ptr _takt_make(takt::classic::TypeCodeHandle* handle);

  TypeCode(const TypeCode&) = delete;
  TypeCode& operator=(const TypeCode&) = delete;

 private:
  explicit TypeCode(takt::classic::TypeCodeHandle* handle) : handle_(handle), count_(1) {}
  ~TypeCode();
  friend void release(TypeCode_ptr type);
  takt::classic::TypeCodeHandle& handle() const;

  takt::classic::TypeCodeHandle* handle_;  // owned; null for nil
  std::atomic<ULong> count_;
};

// clang-format off: it never settles on one form.
#define TAKT_CLASSIC_TYPE_CONSTANTS(X) \
  X(null) X(void) X(short) X(long) X(ushort) X(ulong) X(float) X(double) X(boolean) X(char) X(octet) X(any) \
  X(TypeCode) X(longlong) X(ulonglong) X(longdouble) X(wchar) X(string) X(wstring)
// clang-format on
#define TAKT_CLASSIC_DECLARE(NAME) extern const TypeCode_ptr _tc_##NAME;
TAKT_CLASSIC_TYPE_CONSTANTS(TAKT_CLASSIC_DECLARE)
TAKT_CLASSIC_DECLARE(Object)
#undef TAKT_CLASSIC_DECLARE

}  // namespace takt_classic_
}  // namespace CORBA

namespace takt {
namespace classic {

CORBA::TypeCode_ptr make_type_code(TypeNode& node);  // the caller's

template <>
struct Proxies<CORBA::TypeCode> {
  static void write(Writer& out, CORBA::TypeCode_ptr type);  // nil: BAD_PARAM
  static CORBA::TypeCode_ptr read(Reader& in);               // nil after a failure
};

}  // namespace classic
}  // namespace takt
