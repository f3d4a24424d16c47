#include "cdr/values/collected_state.h"

namespace takt::cdr {

CollectedState::CollectedState(const CORBA::ValueBase& value, Anys how) {
  Encoder encoder(octets, any_format());
  encoder.set_borrowing(false);
  collect_values(encoder, values);
  if (how == Anys::by_reference) collect_anys(encoder, anys);
  value._write_state(encoder);
  error = encoder.error();
  environment = noted_environment(encoder);
}

Error CollectedState::give_to(CORBA::ValueBase& value) const {
  Decoder decoder({octets.owned(), octets.owned_size()}, 0, any_format(environment));
  take_values_from(decoder, values);
  if (!anys.empty()) take_anys_from(decoder, anys);
  value._read_state(decoder);
  return decoder.error();
}

}  // namespace takt::cdr
