#include "cdr/values/value_state.h"

#include <iterator>

#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>
#include <takt/cdr/typecode.h>

namespace takt::cdr {

void Encoder::drop_values() { delete values_; }
void Decoder::drop_values() {
  values_->end();
  delete values_;
}

void ValueDecoding::end() noexcept {
  try {
    LaterValues made_later;
    if (later) {
      const std::lock_guard lock(later->mutex);
      made_later.values.swap(later->values);
      made_later.contents.swap(later->contents);
    }
    if (!cyclic && made_later.values.empty()) return;
    ValueTable& all = made_later.values;
    for (const auto& [position, known] : values) all.push_back(known.value);
    std::move(contents.begin(), contents.end(), std::back_inserter(made_later.contents));
    values = {};
    contents.clear();
    if (const auto whole = message.lock()) {
      const std::lock_guard lock(whole->mutex);
      std::move(all.begin(), all.end(), std::back_inserter(whole->values));
      std::move(made_later.contents.begin(), made_later.contents.end(), std::back_inserter(whole->contents));
      return;
    }
    break_cycles(all, made_later.contents);
  } catch (...) {  // no memory: the cycles leak, and nothing else is affected
  }
}

}  // namespace takt::cdr

namespace CORBA {

void throw_nil_value() { throw BAD_PARAM(0, COMPLETED_NO, "a nil value reference was dereferenced"); }

ValueBase::~ValueBase() = default;
ValueFactoryBase::~ValueFactoryBase() = default;

typecode_reference ValueBase::_type_code() {
  takt::cdr::TypeCodeParts parts;
  parts.kind = TCKind::tk_value;
  parts.id = "IDL:omg.org/CORBA/ValueBase:1.0";
  parts.name = "ValueBase";
  static const typecode_reference type = takt::cdr::make_typecode(std::move(parts));
  return type;
}

std::shared_ptr<ValueBase> ValueBase::_new_value() const {
  if (!make_)
    throw NO_IMPLEMENT(0, COMPLETED_NO,
                       std::string(_value_type().id()) +
                           " can't be copied: its class has no default constructor, or CORBA::make_reference "
                           "has not made it");
  return make_();
}

}  // namespace CORBA
