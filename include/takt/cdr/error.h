// Why a value could not be encoded or decoded.
#pragma once

#include <cstdint>

namespace takt::cdr {

enum class Error : std::uint8_t {
  none,
  underflow,         // more octets are needed than there are
  too_long,          // a string or sequence longer than its bound, or than CDR can count
  bad_boolean,       // an octet that is neither 0 nor 1
  bad_enum,          // an ordinal that the enum does not have
  bad_string,        // a string without its terminating NUL
  bad_value,         // digits, discriminators and the like that the type does not have
  bad_typecode,      // a TypeCode that does not hold together
  nesting,           // deeper than the limit
  indirection,       // one that leads nowhere, or too many
  no_factory,        // a valuetype that nobody can make
  unmappable,        // a character that the transmission code set does not have
  no_wide_code_set,  // a wide character, and no code set was negotiated for it
  wide_in_giop_1_0,  // a wide character in GIOP 1.0
  local_object,      // a local object can't be sent
  source_failed,     // the rest of the body did not arrive
  no_memory,         // more memory than its connection, or its server, may take for messages
  too_much_work,     // more steps than its octets allow (see MessageCosts)
  too_many_values,   // more than the limit
};

// A static text for people.
const char* to_text(Error error);

}  // namespace takt::cdr
