#include "cdr/values/collected_state.h"

#include <takt/cdr/any.h>

#include "cdr/values/value_state.h"

namespace takt::cdr {

CollectedState::CollectedState(const CORBA::ValueBase& value) {
  Encoder encoder(octets, any_format());
  encoder.set_borrowing(false);
  collect_values(encoder, values);
  value._write_state(encoder);
  error = encoder.error();
  environment = noted_environment(encoder);
  shared = noted_sharing(encoder);
}

Error CollectedState::give_to(CORBA::ValueBase& value) const {
  Decoder decoder({octets.owned(), octets.owned_size()}, 0, any_format(environment));
  take_values_from(decoder, values);
  value._read_state(decoder);
  return decoder.error();
}

}  // namespace takt::cdr
