// same_octets_test.cpp sees the runtime and calls these functions in octets_classic.cpp, which sees the
// classic mapping.
#pragma once

namespace takt {
namespace classic {
class Reader;
class Writer;
}  // namespace classic
}  // namespace takt

// Read a value of the type with that name in module Broad, and write it. False if there is no such type.
bool pass_in_classic(const char* type, takt::classic::Reader& in, takt::classic::Writer& out);
