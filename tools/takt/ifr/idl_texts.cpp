#include "ifr/idl_texts.h"

#include <cctype>

#include <takt/corba.h>
#include <takt/dynamic/dyn_any.h>

#include "ifr/model/type_text.h"
#include "types/idl_types.h"

namespace takt::command {
namespace {

using idl::TypeKind;
using Takt::Reflection::PrimitiveKind;

PrimitiveKind primitive_of(TypeKind kind) {
  switch (kind) {
    case TypeKind::void_:
      return PrimitiveKind::pk_void;
    case TypeKind::boolean:
      return PrimitiveKind::pk_boolean;
    case TypeKind::char_:
      return PrimitiveKind::pk_char;
    case TypeKind::wchar:
      return PrimitiveKind::pk_wchar;
    case TypeKind::octet:
    case TypeKind::int8:
    case TypeKind::uint8:
      return PrimitiveKind::pk_octet;
    case TypeKind::int16:
      return PrimitiveKind::pk_short;
    case TypeKind::uint16:
      return PrimitiveKind::pk_ushort;
    case TypeKind::int32:
      return PrimitiveKind::pk_long;
    case TypeKind::uint32:
      return PrimitiveKind::pk_ulong;
    case TypeKind::int64:
      return PrimitiveKind::pk_longlong;
    case TypeKind::uint64:
      return PrimitiveKind::pk_ulonglong;
    case TypeKind::float_:
      return PrimitiveKind::pk_float;
    case TypeKind::double_:
      return PrimitiveKind::pk_double;
    case TypeKind::long_double:
      return PrimitiveKind::pk_longdouble;
    case TypeKind::any:
      return PrimitiveKind::pk_any;
    case TypeKind::object:
      return PrimitiveKind::pk_objref;
    case TypeKind::value_base:
      return PrimitiveKind::pk_value_base;
    case TypeKind::typecode:
      return PrimitiveKind::pk_TypeCode;
    default:
      return PrimitiveKind::pk_null;
  }
}

// Without a sign; at least one digit, and one more than the scale.
std::string digits_of(const idl::FixedValue& value) {
  std::string digits;
  for (idl::Int128 rest = value.digits < 0 ? -value.digits : value.digits; rest != 0; rest /= 10)
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
  const auto scale = static_cast<std::size_t>(value.scale);
  if (digits.size() <= scale) digits.insert(0, scale + 1 - digits.size(), '0');
  return digits;
}

CORBA::Any fixed_any(const idl::FixedValue& value, const CORBA::typecode_reference& type) {
  std::string digits = digits_of(value);
  if (value.scale != 0) digits.insert(digits.size() - static_cast<std::size_t>(value.scale), ".");
  DynamicAny::DynAnyFactory factory(nullptr);
  const auto fixed = IDL::traits<DynamicAny::DynFixed>::narrow(factory.create_dyn_any_from_type_code(type));
  fixed->set_value((value.digits < 0 ? "-" : "") + digits);
  return fixed->to_any();
}

template <class T>
CORBA::Any any_of(const T& value, const CORBA::typecode_reference& type) {
  CORBA::Any any;
  any <<= value;
  any.type(type);
  return any;
}

}  // namespace

std::string type_text_of(const idl::Type& type,
                         const std::function<ifr::Number(const idl::Declaration&)>& number_of) {
  const auto bound = static_cast<std::uint32_t>(type.bound);
  switch (type.kind) {
    case TypeKind::string:
    case TypeKind::wstring:
      return ifr::string_text(bound, type.kind == TypeKind::wstring);
    case TypeKind::fixed:
      return ifr::fixed_text(type.digits, static_cast<std::int16_t>(type.scale));
    case TypeKind::sequence:
      return ifr::sequence_text(bound, type_text_of(*type.element, number_of));
    case TypeKind::array:
      return ifr::array_text(bound, type_text_of(*type.element, number_of));
    case TypeKind::map:
      throw NoForm("the standard's interface repository has no maps");
    case TypeKind::named:
      return ifr::definition_text(number_of(idl::defined(*type.declaration)));
    default:
      return ifr::primitive_text(primitive_of(type.kind));
  }
}

std::string holder_text_of(const idl::Declaration& declaration) {
  IdlTypes types;
  const auto kind = types.of(declaration)->kind();
  return ifr::primitive_text(kind == CORBA::TCKind::tk_octet    ? PrimitiveKind::pk_octet
                             : kind == CORBA::TCKind::tk_ushort ? PrimitiveKind::pk_ushort
                             : kind == CORBA::TCKind::tk_ulong  ? PrimitiveKind::pk_ulong
                                                                : PrimitiveKind::pk_ulonglong);
}

std::string constant_type_of(const idl::Declaration& constant,
                             const std::function<ifr::Number(const idl::Declaration&)>& number_of) {
  const auto* fixed = std::get_if<idl::FixedValue>(&constant.value.is);
  if (!fixed || constant.type->kind != TypeKind::fixed) return type_text_of(*constant.type, number_of);
  const auto digits = digits_of(*fixed).size();
  const bool only_fraction = fixed->scale > 0 && digits == static_cast<std::size_t>(fixed->scale) + 1 &&
                             digits_of(*fixed).front() == '0';
  return ifr::fixed_text(static_cast<std::uint16_t>(only_fraction ? digits - 1 : digits),
                         static_cast<std::int16_t>(fixed->scale));
}

CORBA::Any constant_of(const idl::Value& value, const idl::Type& idl_type,
                       const CORBA::typecode_reference& type) {
  // The type may have a bound.
  const auto text_any = [&](auto insert) {
    const auto text = DynamicAny::DynAnyFactory(nullptr).create_dyn_any_from_type_code(type);
    insert(*text);
    return text->to_any();
  };
  if (const auto* text = std::get_if<std::string>(&value.is))
    return text_any([&](DynamicAny::DynAny& any) { any.insert_string(*text); });
  if (const auto* text = std::get_if<std::wstring>(&value.is))
    return text_any([&](DynamicAny::DynAny& any) { any.insert_wstring(*text); });
  if (const auto* fixed = std::get_if<idl::FixedValue>(&value.is)) return fixed_any(*fixed, type);
  const TypeKind kind = idl_type.resolved().kind;
  if (const auto* real = std::get_if<long double>(&value.is))
    return kind == TypeKind::float_    ? any_of(static_cast<float>(*real), type)
           : kind == TypeKind::double_ ? any_of(static_cast<double>(*real), type)
                                       : any_of(*real, type);
  return cdr::label_any(type, label_of(value, kind));
}

std::string version_in(const std::string& id) {
  const std::size_t colon = id.rfind(':');
  if (!id.starts_with("IDL:") || colon < 4) return "1.0";
  const std::string version = id.substr(colon + 1);
  return !version.empty() && std::isdigit(static_cast<unsigned char>(version.front())) ? version : "1.0";
}

}  // namespace takt::command
