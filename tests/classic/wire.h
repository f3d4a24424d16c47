// wire_test.cpp sees the runtime and calls these functions in wire_classic.cpp, which sees the classic
// mapping.
#pragma once

#include <cstddef>

namespace takt {
namespace classic {
class Reader;
class Writer;
}  // namespace classic
}  // namespace takt

// Read a sequence<Broad::Record>, and a sequence<sequence<octet, 1048576> >; the length of what was read.
std::size_t read_records(takt::classic::Reader& in);
std::size_t read_rows(takt::classic::Reader& in);
// Reads a reference of an abstract interface; whether it is nil.
bool read_abstract(takt::classic::Reader& in);
// Reads fixed<4, 2>, as text.
const char* read_fixed_number(takt::classic::Reader& in);
// Write and read a string<4>.
void write_word(takt::classic::Writer& out, const char* text);
const char* read_word(takt::classic::Reader& in);
// Write and read a sequence<long double> of `count` elements.
void write_long_doubles(takt::classic::Writer& out, const long double* elements, std::size_t count);
bool read_long_doubles(takt::classic::Reader& in, long double* elements, std::size_t count);
// Write and read an array of three string<5>, and one of wstring<2> in a struct, whose last elements are
// `last`. Writing is false after BAD_PARAM.
bool write_codes(takt::classic::Writer& out, const char* last);
void read_codes(takt::classic::Reader& in);
bool write_wide_codes(takt::classic::Writer& out, const wchar_t* last);
