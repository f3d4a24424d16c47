#include "giop/message/system_exception.h"

namespace takt::giop {

void write_system_exception(cdr::Encoder& encoder, const CORBA::SystemException& exception) {
  encoder.put_raw_string(exception._rep_id());
  encoder.put(static_cast<std::uint32_t>(exception.minor()));
  encoder.put(static_cast<std::uint32_t>(exception.completed()));
}

bool read_system_exception(cdr::Decoder& decoder, SystemExceptionBody& body) {
  body.id = decoder.get_raw_string_view();
  body.minor = decoder.get_u32();
  const std::uint32_t completed = decoder.get_u32();
  if (completed > static_cast<std::uint32_t>(CORBA::COMPLETED_MAYBE)) decoder.fail(cdr::Error::bad_enum);
  body.completed = static_cast<CORBA::CompletionStatus>(completed);
  return decoder.ok();
}

}  // namespace takt::giop
