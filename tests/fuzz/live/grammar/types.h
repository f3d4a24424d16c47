// Random IDL types, as TypeCodes and as values of them: what an Any carries.
#pragma once

#include <cstdint>
#include <vector>

#include "grammar/random.h"
#include "grammar/writer.h"

namespace takt::fuzz::live {

// Numbers of CORBA::TCKind.
enum Kind : std::uint32_t {
  tk_null,
  tk_void,
  tk_short,
  tk_long,
  tk_ushort,
  tk_ulong,
  tk_float,
  tk_double,
  tk_boolean,
  tk_char,
  tk_octet,
  tk_any,
  tk_TypeCode,
  tk_Principal,
  tk_objref,
  tk_struct,
  tk_union,
  tk_enum,
  tk_string,
  tk_sequence,
  tk_array,
  tk_alias,
  tk_except,
  tk_longlong,
  tk_ulonglong,
  tk_longdouble,
  tk_wchar,
  tk_wstring,
  tk_fixed,
  tk_value,
  tk_value_box,
  tk_native,
  tk_abstract_interface,
  tk_local_interface
};

struct Type {
  Kind kind = tk_null;
  std::vector<Type> parts;   // members, or the content of a sequence, array, alias or box
  std::uint32_t length = 0;  // of an array, or the bound of a string or sequence; of a union: its labels
};

Type random_type(Random& random, int depth);
void write_typecode(Writer& to, Random& random, const Type& type);
// `room`: about how many octets it may take.
void write_value(Writer& to, Random& random, const Type& type, std::size_t room);
void write_any(Writer& to, Random& random, int depth, std::size_t room);

// A reference to an object that there is not, or one that does not hold together.
void write_reference(Writer& to, Random& random);
void write_random_text(Writer& to, Random& random, std::uint32_t most);
void write_random_wide_text(Writer& to, Random& random, std::uint32_t most);

}  // namespace takt::fuzz::live
