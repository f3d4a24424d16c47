#include "cdr/values/value_state.h"

#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>
#include <takt/cdr/typecode.h>

namespace takt::cdr {

void Encoder::drop_values() { delete values_; }
void Decoder::drop_values() {
  if (values_->cyclic) end_cycles(*values_);
  delete values_;
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
