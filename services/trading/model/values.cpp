#include "trading/model/values.h"

#include <string>
#include <utility>

#include <takt/cdr/decoder.h>
#include <takt/dynamic/dyn_any.h>

#include "constraint/component.h"
#include "constraint/evaluation.h"
#include "constraint/real.h"

namespace takt::trading {
namespace {

using constraint::Integer;
using constraint::Value;
using CORBA::TCKind;

template <class T>
std::optional<Value> integer_in(cdr::Decoder& in) {
  T number{};
  if (!in.get(number)) return std::nullopt;
  return Integer(number);
}

template <class T>
std::optional<Value> real_in(cdr::Decoder& in) {
  T number{};
  if (!in.get(number)) return std::nullopt;
  return constraint::real_of(number);
}

template <class T>
std::optional<Value> read_as(cdr::Decoder& in) {
  T value{};
  if (!cdr::read(in, value)) return std::nullopt;
  return Value(std::move(value));
}

std::optional<Value> character_in(cdr::Decoder& in) {
  char character{};
  if (!cdr::read(in, character)) return std::nullopt;
  return std::string(1, character);
}

std::optional<Value> enumerator_in(cdr::Decoder& in, const CORBA::TypeCode& type) {
  std::uint32_t ordinal = 0;
  if (!in.get(ordinal) || ordinal >= type.member_count()) return std::nullopt;
  return constraint::Enumerator{type.member_name(ordinal), ordinal};
}

// Nothing for types with parts. `type` has no aliases.
std::optional<Value> read_basic(cdr::Decoder& in, const CORBA::TypeCode& type) {
  switch (type.kind()) {
    case TCKind::tk_boolean:
      return read_as<bool>(in);
    case TCKind::tk_octet:
      return integer_in<std::uint8_t>(in);
    case TCKind::tk_short:
      return integer_in<std::int16_t>(in);
    case TCKind::tk_ushort:
      return integer_in<std::uint16_t>(in);
    case TCKind::tk_long:
      return integer_in<std::int32_t>(in);
    case TCKind::tk_ulong:
      return integer_in<std::uint32_t>(in);
    case TCKind::tk_longlong:
      return integer_in<std::int64_t>(in);
    case TCKind::tk_ulonglong:
      return integer_in<std::uint64_t>(in);
    case TCKind::tk_float:
      return real_in<float>(in);
    case TCKind::tk_double:
      return real_in<double>(in);
    case TCKind::tk_char:
      return character_in(in);
    case TCKind::tk_string:
      return read_as<std::string>(in);
    case TCKind::tk_enum:
      return enumerator_in(in, type);
    default:
      return std::nullopt;
  }
}

constraint::Part part_of(const CORBA::Any& any, constraint::Budget& budget) {
  DynamicAny::DynAnyFactory factory(nullptr);
  return constraint::within(factory.create_dyn_any(any), budget);
}

// Types that the functions above do not read: those that Anys hold, and elements of such types.
std::optional<bool> contains_part(const CORBA::Any& any, const Value& wanted, constraint::Budget& budget) {
  const constraint::Part whole = part_of(any, budget);
  if (!whole) return std::nullopt;
  const TCKind kind = constraint::kind_of(whole);
  if (kind != TCKind::tk_sequence && kind != TCKind::tk_array) return std::nullopt;
  const std::uint32_t count = whole->component_count();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!budget.spend()) return std::nullopt;
    whole->seek(static_cast<std::int32_t>(i));
    const constraint::Part element = constraint::within(whole->current_component(), budget);
    if (element && constraint::equal(wanted, constraint::value_of(element))) return true;
  }
  return false;
}

bool is_basic(const CORBA::TypeCode& type) {
  const TCKind kind = type.kind();
  return (kind >= TCKind::tk_short && kind <= TCKind::tk_octet) || kind == TCKind::tk_enum ||
         kind == TCKind::tk_string || kind == TCKind::tk_longlong || kind == TCKind::tk_ulonglong;
}

}  // namespace

Value value_of(const CORBA::Any& any) {
  try {
    const auto with_aliases = any.type();
    const CORBA::TypeCode& type = with_aliases->_unaliased();
    if (is_basic(type)) {
      cdr::Decoder in(any._content().octets, 0, cdr::any_format());
      return read_basic(in, type).value_or(constraint::Compound{});
    }
    const TCKind kind = type.kind();
    if (kind != TCKind::tk_any && kind != TCKind::tk_fixed && kind != TCKind::tk_longdouble)
      return constraint::Compound{};
    constraint::Budget budget(100);  // Anys in Anys
    const constraint::Part part = part_of(any, budget);
    return part ? constraint::value_of(part) : constraint::Compound{};
  } catch (const CORBA::Exception&) {  // a type that DynAnys do not have
    return constraint::Compound{};
  }
}

std::optional<bool> contains(const CORBA::Any& any, const Value& wanted, constraint::Budget& budget) {
  try {
    const auto with_aliases = any.type();
    const CORBA::TypeCode& type = with_aliases->_unaliased();
    if (type.kind() != TCKind::tk_sequence && type.kind() != TCKind::tk_array)
      return type.kind() == TCKind::tk_any ? contains_part(any, wanted, budget) : std::nullopt;
    const auto content = type.content_type();
    const CORBA::TypeCode& element_type = content->_unaliased();
    if (!is_basic(element_type)) return contains_part(any, wanted, budget);
    cdr::Decoder in(any._content().octets, 0, cdr::any_format());
    std::uint32_t count = type.length();
    if (type.kind() == TCKind::tk_sequence && !in.get(count)) return std::nullopt;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!budget.spend()) return std::nullopt;
      const auto element = read_basic(in, element_type);
      if (!element) return std::nullopt;
      if (constraint::equal(wanted, *element)) return true;
    }
    return false;
  } catch (const CORBA::Exception&) {
    return std::nullopt;
  }
}

}  // namespace takt::trading
