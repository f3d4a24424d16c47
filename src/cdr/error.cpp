#include <takt/cdr/error.h>

#include <array>
#include <cstddef>

namespace takt::cdr {

namespace {

// In the order of enum Error.
constexpr std::array texts{
    "no error",                                                      // none
    "it ends before it is complete",                                 // underflow
    "a string or sequence is longer than its bound",                 // too_long
    "a boolean is neither 0 nor 1",                                  // bad_boolean
    "an enum value is not a member of its type",                     // bad_enum
    "a string does not end in NUL",                                  // bad_string
    "a value is not valid for its type",                             // bad_value
    "a TypeCode is malformed",                                       // bad_typecode
    "it is nested deeper than the limit",                            // nesting
    "an indirection has no valid target, or there are too many",     // indirection
    "no factory is registered for a valuetype",                      // no_factory
    "a character does not exist in the transmission code set",       // unmappable
    "it has wide characters, for which no code set was negotiated",  // no_wide_code_set
    "it has wide characters, which GIOP 1.0 does not have",          // wide_in_giop_1_0
    "a local object can't be sent",                                  // local_object
    "the rest of the message did not arrive",                        // source_failed
    "it takes more memory than is left for messages",                // no_memory
    "it takes more processor time than its octets allow",            // too_much_work
    "it has more values than the limit",                             // too_many_values
    "the chunks and tags of a valuetype do not fit together",        // bad_chunks
};
static_assert(texts.size() == static_cast<std::size_t>(Error::bad_chunks) + 1);

}  // namespace

const char* to_text(Error error) {
  const auto number = static_cast<std::size_t>(error);
  return number < texts.size() ? texts[number] : "an unknown error";
}

}  // namespace takt::cdr
