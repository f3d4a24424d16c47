// The body of a Reply with status SYSTEM_EXCEPTION (CORBA 3.0.3, 15.4.3.2).
#pragma once

#include <cstdint>
#include <string>

#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>
#include <takt/cdr/exception.h>

namespace takt::giop {

struct SystemExceptionBody {
  std::string id;  // a copy: reading on may move the octets of a message in parts
  std::uint32_t minor = 0;
  CORBA::CompletionStatus completed = CORBA::COMPLETED_MAYBE;
};

void write_system_exception(cdr::Encoder& encoder, const CORBA::SystemException& exception);
// Returns false if the body is malformed.
bool read_system_exception(cdr::Decoder& decoder, SystemExceptionBody& body);

}  // namespace takt::giop
