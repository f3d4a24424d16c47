// Reasons for which encoding or decoding a value fails.
#pragma once

#include <cstdint>

namespace takt::cdr {

enum class Error : std::uint8_t {
  none,
  underflow,         // fewer octets left than needed
  too_long,          // a string or sequence exceeds its bound or CDR's count
  bad_boolean,       // an octet that is neither 0 nor 1
  bad_enum,          // an ordinal beyond the enumerators
  bad_string,        // a string without its terminating NUL
  bad_value,         // invalid digits, discriminators and similar
  bad_typecode,      // a malformed TypeCode
  nesting,           // nested deeper than the limit
  indirection,       // an indirection to nothing, or too many of them
  no_factory,        // a valuetype without a factory
  unmappable,        // a character missing from the transmission code set
  no_wide_code_set,  // a wide character, but no wide code set was negotiated
  wide_in_giop_1_0,  // a wide character in GIOP 1.0
  local_object,      // a local object, which cannot be sent
  source_failed,     // the rest of the body did not arrive
  no_memory,         // beyond the memory budget of the connection or the server
  too_much_work,     // more steps than the octets allow (see MessageCosts)
  too_many_values,   // more values than the limit
  bad_chunks,        // chunks and tags of a value that do not fit together
};

// A static text for users.
const char* to_text(Error error);

}  // namespace takt::cdr
