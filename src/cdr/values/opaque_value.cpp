#include "cdr/values/opaque_value.h"

#include "cdr/text/transcoder.h"

namespace takt::cdr {

OpaqueValue::OpaqueValue(CORBA::typecode_reference type) : type_(std::move(type)) {
  const CORBA::TypeCode* at = type_.get();
  ids_.push_back(at->_parts().id);
  while (at->_parts().modifier == CORBA::VM_TRUNCATABLE && at->_parts().content) {
    at = &at->_parts().content->_unaliased();
    if (at->_is_recursion()) break;
    ids_.push_back(at->_parts().id);
  }
  description_ = {ids_};
}

void OpaqueValue::_write_state(Encoder& encoder) const {
  Decoder from(state_.octets, 0, any_format());
  take_values_from(from, state_.values);
  if (!Transcoder(from, encoder).copy_state(*type_)) encoder.fail(from.error());
}

bool OpaqueValue::_read_state(Decoder& decoder) {
  GatherBuffer buffer(128);
  Encoder to(buffer, any_format());
  to.set_borrowing(false);
  ValueTable values;
  collect_values(to, values);
  if (!Transcoder(decoder, to).copy_state(*type_)) decoder.fail(to.error());
  if (!decoder.charge(buffer.owned_size() + values.size() * sizeof values[0])) return false;
  state_.values = std::move(values);  // replaces the previous ones
  state_.octets.assign(buffer.owned(), buffer.owned() + buffer.owned_size());
  return decoder.ok();
}

std::shared_ptr<CORBA::ValueBase> OpaqueValue::_new_value() const {
  return std::make_shared<OpaqueValue>(type_);
}

}  // namespace takt::cdr
