// classic_values.cpp sees the runtime and calls these functions in classic_values_read.cpp, which sees the
// classic mapping.
#pragma once

namespace takt {
namespace classic {
class Reader;
class Writer;
}  // namespace classic
}  // namespace takt

// The number of types that pass() knows.
unsigned types_to_pass();
// Reads a value of a type, and writes it. False if it could not be read or written.
bool pass(unsigned type, takt::classic::Reader& in, takt::classic::Writer& out);
// Reads an Any, and takes values of several types out of it.
void extract_all(takt::classic::Reader& in);
