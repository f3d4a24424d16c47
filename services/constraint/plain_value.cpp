#include "constraint/plain_value.h"

#include <string>
#include <utility>

#include "constraint/evaluation.h"
#include "constraint/real.h"

namespace takt::constraint {
namespace {

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
  return real_of(number);
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
  return Enumerator{type.member_name(ordinal), ordinal};
}

// The octets of each value of a kind, which is also its alignment; 0 if they differ in size.
std::size_t size_of(TCKind kind) {
  switch (kind) {
    case TCKind::tk_boolean:
    case TCKind::tk_octet:
    case TCKind::tk_char:
      return 1;
    case TCKind::tk_short:
    case TCKind::tk_ushort:
      return 2;
    case TCKind::tk_long:
    case TCKind::tk_ulong:
    case TCKind::tk_float:
    case TCKind::tk_enum:
      return 4;
    case TCKind::tk_longlong:
    case TCKind::tk_ulonglong:
    case TCKind::tk_double:
      return 8;
    default:
      return 0;
  }
}

}  // namespace

bool is_plain(const CORBA::TypeCode& type) {
  const TCKind kind = type.kind();
  return size_of(kind) != 0 || kind == TCKind::tk_string;
}

std::optional<Value> read_plain(cdr::Decoder& in, const CORBA::TypeCode& type) {
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

std::optional<PlainElements> PlainElements::of(const Part& list) {
  const auto with_aliases = list->type();
  const CORBA::TypeCode& type = with_aliases->_unaliased();
  if (type.kind() != TCKind::tk_sequence && type.kind() != TCKind::tk_array) return std::nullopt;
  const CORBA::TypeCode& element = type._parts().content->_unaliased();
  const std::size_t size = size_of(element.kind());
  if (size == 0) return std::nullopt;
  PlainElements elements(list->to_any(), element, size);
  cdr::Decoder in(elements.list_._content().octets, 0, cdr::any_format());
  elements.count_ = type.length();
  if (type.kind() == TCKind::tk_sequence && !in.get(elements.count_)) return std::nullopt;
  elements.first_ = (in.position() + size - 1) / size * size;
  return elements;
}

std::optional<Value> PlainElements::at(std::uint32_t index) const {
  cdr::Decoder in(list_._content().octets, 0, cdr::any_format());
  in.skip(first_ + index * size_);
  return index < count_ ? read_plain(in, element_) : std::nullopt;
}

namespace {

std::optional<bool> contains_plain(const PlainElements& elements, const Value& wanted, Budget& budget) {
  for (std::uint32_t i = 0; i < elements.count(); ++i) {
    if (!budget.spend()) return std::nullopt;
    if (const auto value = elements.at(i); value && equal(wanted, *value)) return true;
  }
  return false;
}

}  // namespace

std::optional<bool> contains(const Part& list, const Value& wanted, Budget& budget) {
  const TCKind kind = kind_of(list);
  if (kind != TCKind::tk_sequence && kind != TCKind::tk_array) return std::nullopt;
  if (const auto elements = PlainElements::of(list)) return contains_plain(*elements, wanted, budget);
  const std::uint32_t count = list->component_count();
  if (!budget.spend(count)) return std::nullopt;
  for (std::uint32_t i = 0; i < count; ++i) {
    list->seek(static_cast<std::int32_t>(i));
    const Part element = paid_within(list->current_component(), budget);
    const auto value = element ? value_of(element, budget) : std::nullopt;
    if (value && equal(wanted, *value)) return true;
  }
  return budget.exhausted() ? std::nullopt : std::optional(false);
}

}  // namespace takt::constraint
