// Copies of DynAnys that are made part by part.
#pragma once

#include <cstdint>

#include <takt/dynamic/dyn_any.h>

namespace takt::test {

using DynAnyRef = CORBA::object_reference<DynamicAny::DynAny>;

inline void copy_parts(const DynAnyRef& from, const DynAnyRef& to);

inline void copy_components(const DynAnyRef& from, const DynAnyRef& to) {
  const std::uint32_t count = from->component_count();
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto index = static_cast<std::int32_t>(i);
    if (!from->seek(index) || !to->seek(index)) throw DynamicAny::DynAny::InvalidValue();
    copy_parts(from->current_component(), to->current_component());
  }
}

inline void copy_union(const DynAnyRef& from, const DynAnyRef& to) {
  const auto source = IDL::traits<DynamicAny::DynUnion>::narrow(from);
  const auto target = IDL::traits<DynamicAny::DynUnion>::narrow(to);
  target->set_discriminator(source->get_discriminator());
  if (from->component_count() == 2) copy_parts(source->member(), target->member());
}

inline void copy_leaf(DynamicAny::DynAny& from, DynamicAny::DynAny& to) {
  using CORBA::TCKind;
  switch (from.type()->_unaliased().kind()) {
    case TCKind::tk_boolean:
      return to.insert_boolean(from.get_boolean());
    case TCKind::tk_octet:
      return to.insert_octet(from.get_octet());
    case TCKind::tk_char:
      return to.insert_char(from.get_char());
    case TCKind::tk_wchar:
      return to.insert_wchar(from.get_wchar());
    case TCKind::tk_short:
      return to.insert_short(from.get_short());
    case TCKind::tk_ushort:
      return to.insert_ushort(from.get_ushort());
    case TCKind::tk_long:
      return to.insert_long(from.get_long());
    case TCKind::tk_ulong:
      return to.insert_ulong(from.get_ulong());
    case TCKind::tk_longlong:
      return to.insert_longlong(from.get_longlong());
    case TCKind::tk_ulonglong:
      return to.insert_ulonglong(from.get_ulonglong());
    case TCKind::tk_float:
      return to.insert_float(from.get_float());
    case TCKind::tk_double:
      return to.insert_double(from.get_double());
    case TCKind::tk_longdouble:
      return to.insert_longdouble(from.get_longdouble());
    case TCKind::tk_string:
      return to.insert_string(from.get_string());
    case TCKind::tk_wstring:
      return to.insert_wstring(from.get_wstring());
    case TCKind::tk_any:
      return to.insert_any(from.get_any());
    case TCKind::tk_TypeCode:
      return to.insert_typecode(from.get_typecode());
    case TCKind::tk_objref:
      return to.insert_reference(from.get_reference());
    default:
      throw DynamicAny::DynAny::TypeMismatch();
  }
}

// `to` has the initial value of the same type.
inline void copy_parts(const DynAnyRef& from, const DynAnyRef& to) {
  using CORBA::TCKind;
  using namespace DynamicAny;
  switch (from->type()->_unaliased().kind()) {
    case TCKind::tk_struct:
    case TCKind::tk_except:
    case TCKind::tk_array:
      return copy_components(from, to);
    case TCKind::tk_sequence:
      IDL::traits<DynSequence>::narrow(to)->set_length(IDL::traits<DynSequence>::narrow(from)->get_length());
      return copy_components(from, to);
    case TCKind::tk_union:
      return copy_union(from, to);
    case TCKind::tk_enum:
      return IDL::traits<DynEnum>::narrow(to)->set_as_ulong(
          IDL::traits<DynEnum>::narrow(from)->get_as_ulong());
    case TCKind::tk_fixed:
      IDL::traits<DynFixed>::narrow(to)->set_value(IDL::traits<DynFixed>::narrow(from)->get_value());
      return;
    default:
      return copy_leaf(*from, *to);
  }
}

// The value of the Any, put together from its parts.
inline CORBA::Any rebuilt(const CORBA::Any& any) {
  DynamicAny::DynAnyFactory factory(nullptr);
  const DynAnyRef from = factory.create_dyn_any(any);
  const DynAnyRef to = factory.create_dyn_any_from_type_code(any.type());
  copy_parts(from, to);
  return to->to_any();
}

}  // namespace takt::test
