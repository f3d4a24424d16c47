#include <takt/classic/any.h>

#include "classic/bridge/failures.h"
#include "classic/bridge/types_bridge.h"

namespace takt {
namespace classic {

#define NODE(KIND) TypeNode(CORBA::KIND, nullptr, nullptr)
TypeNode basic_types[29] = {NODE(tk_null), NODE(tk_void), NODE(tk_short), NODE(tk_long), NODE(tk_ushort),
                            NODE(tk_ulong), NODE(tk_float), NODE(tk_double), NODE(tk_boolean), NODE(tk_char),
                            NODE(tk_octet), NODE(tk_any), NODE(tk_TypeCode), NODE(tk_Principal),
                            TypeNode(CORBA::tk_objref, "IDL:omg.org/CORBA/Object:1.0", "Object"),
                            // Kinds with parameters, which have no description of their own.
                            NODE(tk_null), NODE(tk_null), NODE(tk_null), NODE(tk_string), NODE(tk_null),
                            NODE(tk_null), NODE(tk_null), NODE(tk_null), NODE(tk_longlong),
                            NODE(tk_ulonglong), NODE(tk_longdouble), NODE(tk_wchar), NODE(tk_wstring),
                            NODE(tk_null)};
#undef NODE

CORBA::TypeCode_ptr make_type_code(TypeNode& node) {
  return CORBA::TypeCode::_takt_make(duplicate(&handle_of(node)));
}

void Proxies<CORBA::TypeCode>::write(Writer& out, CORBA::TypeCode_ptr type) {
  type_code::write(out, type ? type->_takt_handle() : nullptr);
}
CORBA::TypeCode_ptr Proxies<CORBA::TypeCode>::read(Reader& in) {
  return CORBA::TypeCode::_takt_make(type_code::read(in));
}

}  // namespace classic
}  // namespace takt

namespace CORBA {
inline namespace takt_classic_ {

namespace bridge = takt::classic::type_code;

TypeCode::~TypeCode() { takt::classic::release(handle_); }
TypeCode_ptr TypeCode::_takt_make(takt::classic::TypeCodeHandle* handle) {
  return handle ? new TypeCode(handle) : _nil();
}
TypeCode_ptr TypeCode::_duplicate(TypeCode_ptr type) {
  if (!type) return _nil();
  if (type->handle_) type->count_.fetch_add(1, std::memory_order_relaxed);
  return type;
}
TypeCode_ptr TypeCode::_nil() {
  static TypeCode* const nil = new TypeCode(nullptr);  // never destroyed: other static objects refer to it
  return nil;
}
Boolean is_nil(TypeCode_ptr type) { return !type || !type->_takt_handle(); }
void release(TypeCode_ptr type) {
  if (type && type->handle_ && type->count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete type;
}
takt::classic::TypeCodeHandle& TypeCode::handle() const {
  if (handle_) return *handle_;
  takt::classic::raise_system("IDL:omg.org/CORBA/INV_OBJREF:1.0", 0, COMPLETED_NO, "the TypeCode is nil");
}

namespace {

takt::classic::TypeCodeHandle& compared(TypeCode_ptr other) {
  if (!is_nil(other)) return *other->_takt_handle();
  takt::classic::raise_bad_param("a TypeCode was compared with nil", takt::classic::completed_no, 0x4f4d000d);
}

}  // namespace

Boolean TypeCode::equal(TypeCode_ptr other) const { return bridge::equal(handle(), compared(other)); }
Boolean TypeCode::equivalent(TypeCode_ptr other) const {
  return bridge::equivalent(handle(), compared(other));
}
TypeCode_ptr TypeCode::get_compact_typecode() const { return _takt_make(bridge::compact(handle())); }
TCKind TypeCode::kind() const { return static_cast<TCKind>(bridge::kind(handle())); }
const char* TypeCode::id() const { return bridge::id(handle()); }
const char* TypeCode::name() const { return bridge::name(handle()); }
ULong TypeCode::member_count() const { return bridge::member_count(handle()); }
const char* TypeCode::member_name(ULong index) const { return bridge::member_name(handle(), index); }
TypeCode_ptr TypeCode::member_type(ULong index) const {
  return _takt_make(bridge::member_type(handle(), index));
}
Any* TypeCode::member_label(ULong index) const {
  takt::classic::AnyHandle* const label = bridge::member_label(handle(), index);
  Any* const any = new Any;
  any->_takt_replace(label);
  return any;
}
TypeCode_ptr TypeCode::discriminator_type() const { return _takt_make(bridge::discriminator_type(handle())); }
Long TypeCode::default_index() const { return bridge::default_index(handle()); }
ULong TypeCode::length() const { return bridge::length(handle()); }
TypeCode_ptr TypeCode::content_type() const { return _takt_make(bridge::content_type(handle())); }
UShort TypeCode::fixed_digits() const { return bridge::fixed_digits(handle()); }
Short TypeCode::fixed_scale() const { return bridge::fixed_scale(handle()); }
Visibility TypeCode::member_visibility(ULong index) const {
  return bridge::member_visibility(handle(), index);
}
ValueModifier TypeCode::type_modifier() const { return bridge::type_modifier(handle()); }
TypeCode_ptr TypeCode::concrete_base_type() const { return _takt_make(bridge::concrete_base_type(handle())); }

#define TAKT_CLASSIC_DEFINE(NAME) \
  const TypeCode_ptr _tc_##NAME = takt::classic::make_type_code(takt::classic::basic_types[tk_##NAME]);
TAKT_CLASSIC_TYPE_CONSTANTS(TAKT_CLASSIC_DEFINE)
#undef TAKT_CLASSIC_DEFINE
const TypeCode_ptr _tc_Object = takt::classic::make_type_code(takt::classic::basic_types[tk_objref]);

#define TAKT_CLASSIC_DEFINE(NAME, ELEMENT)                                                                  \
  static takt::classic::TypeNode sequence_of_##NAME(tk_sequence, nullptr, nullptr, nullptr, 0,              \
                                                    &takt::classic::basic_types[tk_##ELEMENT]);             \
  takt::classic::TypeNode _takt_type_##NAME(tk_alias, "IDL:omg.org/CORBA/" #NAME ":1.0", #NAME, nullptr, 0, \
                                            &sequence_of_##NAME);                                           \
  const TypeCode_ptr _tc_##NAME = takt::classic::make_type_code(_takt_type_##NAME);
TAKT_CLASSIC_ORB_SEQUENCES(TAKT_CLASSIC_DEFINE)
#undef TAKT_CLASSIC_DEFINE

}  // namespace takt_classic_
}  // namespace CORBA
