#include "dynamic/any/values.h"

#include <takt/dynamic/dyn_any.h>

namespace takt::dynamic {

using CORBA::TCKind;

CORBA::Any retyped(const CORBA::Any& value, CORBA::typecode_reference type, cdr::Environment* environment) {
  auto content = std::make_shared<cdr::AnyContent>();
  content->octets = value._content().octets;
  content->values = value._content().values;
  return CORBA::Any(std::move(type), std::move(content),
                    value._environment() ? value._environment() : environment);
}

CORBA::typecode_reference behind_aliases(CORBA::typecode_reference type) {
  if (type->_is_recursion()) {
    auto meant = type->_resolved(type.shared());
    if (!meant)
      throw CORBA::BAD_TYPECODE(CORBA::omg_minor(1), CORBA::COMPLETED_NO, "a TypeCode that is not complete");
    type = CORBA::typecode_reference(std::move(meant));
  }
  while (type->_parts().kind == TCKind::tk_alias) type = type->content_type();
  return type;
}

namespace {

template <class T>
std::int64_t number_in(const CORBA::Any& any) {
  T value{};
  if (!read_as(any, value)) throw DynamicAny::DynAny::InvalidValue();
  if constexpr (std::is_same_v<T, char>)
    return static_cast<unsigned char>(value);
  else
    return static_cast<std::int64_t>(value);
}

}  // namespace

std::int64_t label_of(const CORBA::Any& discriminator) {
  switch (behind_aliases(discriminator.type())->_parts().kind) {
    case TCKind::tk_boolean:
      return number_in<bool>(discriminator);
    case TCKind::tk_char:
      return number_in<char>(discriminator);
    case TCKind::tk_octet:
      return number_in<std::uint8_t>(discriminator);
    case TCKind::tk_wchar:
      return number_in<wchar_t>(discriminator);
    case TCKind::tk_short:
      return number_in<std::int16_t>(discriminator);
    case TCKind::tk_ushort:
      return number_in<std::uint16_t>(discriminator);
    case TCKind::tk_long:
      return number_in<std::int32_t>(discriminator);
    case TCKind::tk_longlong:
    case TCKind::tk_ulonglong:
      return number_in<std::int64_t>(discriminator);
    default:
      return number_in<std::uint32_t>(discriminator);
  }
}

void check_kind(const CORBA::typecode_reference& type) {
  if (!type) throw CORBA::BAD_TYPECODE(0, CORBA::COMPLETED_NO, "a DynAny of no type");
  switch (behind_aliases(type)->_parts().kind) {
    case TCKind::tk_Principal:
    case TCKind::tk_native:
    case TCKind::tk_abstract_interface:
    case TCKind::tk_local_interface:
      throw DynamicAny::DynAnyFactory::InconsistentTypeCode();
    default:
      break;
  }
}

}  // namespace takt::dynamic
