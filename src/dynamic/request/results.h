// Writes and reads the values of requests by their TypeCodes.
#pragma once

#include <takt/dynamic/named_values.h>

namespace takt::dynamic {

// Like write_any_value(), with fast paths for numbers and for values whose stored octets can be sent
// unchanged.
void write_value(cdr::Encoder& out, const CORBA::Any& value);

// Reads values into the memory of earlier ones.
class Results {
 public:
  // Reads a value of the type that `into` has. Numbers and enums need no allocation if the last value has no
  // other reference.
  static void read(cdr::Decoder& in, CORBA::NamedValue& into);

 private:
  template <class T>
  static void read_number(cdr::Decoder& in, CORBA::NamedValue& into);
  static bool read_basic(cdr::Decoder& in, CORBA::NamedValue& into, CORBA::TCKind kind);
};

// Reads an exception's members; its id has been read. Returns false if the decoder has failed.
bool read_exception(cdr::Decoder& in, const CORBA::typecode_reference& type, CORBA::Any& exception);
// Writes only the members.
void write_exception_members(cdr::Encoder& out, const CORBA::Any& exception);

}  // namespace takt::dynamic
