#include <takt/cdr/error.h>

namespace takt::cdr {

const char* to_text(Error error) {
  switch (error) {
    case Error::none:
      return "no error";
    case Error::underflow:
      return "it ends before it is complete";
    case Error::too_long:
      return "a string or sequence is longer than its bound";
    case Error::bad_boolean:
      return "a boolean is neither 0 nor 1";
    case Error::bad_enum:
      return "an enum has an ordinal that its type does not have";
    case Error::bad_string:
      return "a string does not end in NUL";
    case Error::bad_value:
      return "a value is none that its type has";
    case Error::bad_typecode:
      return "a TypeCode does not hold together";
    case Error::nesting:
      return "it is nested deeper than the limit";
    case Error::indirection:
      return "an indirection leads nowhere, or there are too many";
    case Error::no_factory:
      return "no factory is registered for a valuetype";
    case Error::unmappable:
      return "a character does not exist in the transmission code set";
    case Error::no_wide_code_set:
      return "it has wide characters, for which no code set was negotiated";
    case Error::wide_in_giop_1_0:
      return "it has wide characters, which GIOP 1.0 does not have";
    case Error::local_object:
      return "a local object can't be sent";
    case Error::source_failed:
      return "the rest of the message did not arrive";
    case Error::no_memory:
      return "it takes more memory than is left for messages";
    case Error::too_much_work:
      return "it takes more processor time than its octets allow";
    case Error::too_many_values:
      return "it has more values than the limit";
  }
  return "an unknown error";
}

}  // namespace takt::cdr
