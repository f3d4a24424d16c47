#include "trading/model/values.h"

#include <takt/cdr/decoder.h>
#include <takt/dynamic/dyn_any.h>

#include "constraint/component.h"
#include "constraint/evaluation.h"
#include "constraint/plain_value.h"

namespace takt::trading {
namespace {

using constraint::Value;
using CORBA::TCKind;

constraint::Part part_of(const CORBA::Any& any, constraint::Budget& budget) {
  DynamicAny::DynAnyFactory factory(nullptr);
  return constraint::within(factory.create_dyn_any(any), budget);
}

// Types that the functions above do not read: those that Anys hold, and elements of such types.
std::optional<bool> contains_part(const CORBA::Any& any, const Value& wanted, constraint::Budget& budget) {
  const constraint::Part whole = part_of(any, budget);
  return whole ? constraint::contains(whole, wanted, budget) : std::nullopt;
}

}  // namespace

Value value_of(const CORBA::Any& any) {
  try {
    const auto with_aliases = any.type();
    const CORBA::TypeCode& type = with_aliases->_unaliased();
    if (constraint::is_plain(type)) {
      cdr::Decoder in(any._content().octets, 0, cdr::any_format());
      return constraint::read_plain(in, type).value_or(constraint::Compound{});
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
    if (!constraint::is_plain(element_type)) return contains_part(any, wanted, budget);
    cdr::Decoder in(any._content().octets, 0, cdr::any_format());
    std::uint32_t count = type.length();
    if (type.kind() == TCKind::tk_sequence && !in.get(count)) return std::nullopt;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!budget.spend()) return std::nullopt;
      const auto element = constraint::read_plain(in, element_type);
      if (!element) return std::nullopt;
      if (constraint::equal(wanted, *element)) return true;
    }
    return false;
  } catch (const CORBA::Exception&) {
    return std::nullopt;
  }
}

}  // namespace takt::trading
