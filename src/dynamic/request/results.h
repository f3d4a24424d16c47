// Values of requests, written and read by their TypeCodes.
#pragma once

#include <takt/dynamic/named_values.h>

namespace takt::dynamic {

// As write_any_value(), but for numbers, and what is sent as it is kept, without looking at each part.
void write_value(cdr::Encoder& out, const CORBA::Any& value);

// Reads values in place of those before.
class Results {
 public:
  // Of the type that the value has. Takes no memory for numbers and enums where nobody else has the last
  // value.
  static void read(cdr::Decoder& in, CORBA::NamedValue& into);

 private:
  template <class T>
  static void read_number(cdr::Decoder& in, CORBA::NamedValue& into);
  static bool read_basic(cdr::Decoder& in, CORBA::NamedValue& into, CORBA::TCKind kind);
};

// An exception of that type whose id has been read and whose members follow. False: the decoder has failed.
bool read_exception(cdr::Decoder& in, const CORBA::typecode_reference& type, CORBA::Any& exception);
// Its members alone.
void write_exception_members(cdr::Encoder& out, const CORBA::Any& exception);

}  // namespace takt::dynamic
