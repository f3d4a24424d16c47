// Random IDL types, written as TypeCodes and as values, as in an Any.
#pragma once

#include <cstdint>
#include <vector>

#include "grammar/random.h"
#include "grammar/writer.h"

namespace takt::fuzz::live {

// The values of CORBA::TCKind.
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
  std::uint32_t length = 0;  // array: the length; string or sequence: the bound; union: the number of labels
};

Type random_type(Random& random, int depth);
void write_typecode(Writer& to, Random& random, const Type& type);
// `room`: approximate limit in octets.
void write_value(Writer& to, Random& random, const Type& type, std::size_t room);
void write_any(Writer& to, Random& random, int depth, std::size_t room);

// A reference to an object that does not exist, or an invalid reference.
void write_reference(Writer& to, Random& random);
void write_random_text(Writer& to, Random& random, std::uint32_t most);
void write_random_wide_text(Writer& to, Random& random, std::uint32_t most);

}  // namespace takt::fuzz::live
