// The basic types of the classic IDL to C++ mapping. C++14.
#pragma once

#include <cstdint>

namespace takt {
namespace classic {
class Reference;  // incomplete: what a reference is in the runtime
class Writer;
class Reader;
}  // namespace classic
}  // namespace takt

namespace CORBA {
inline namespace takt_classic_ {

typedef bool Boolean;
typedef char Char;
typedef wchar_t WChar;
typedef unsigned char Octet;
typedef std::int16_t Short;
typedef std::uint16_t UShort;
typedef std::int32_t Long;
typedef std::uint32_t ULong;
typedef std::int64_t LongLong;
typedef std::uint64_t ULongLong;
typedef float Float;
typedef double Double;
typedef long double LongDouble;

typedef Boolean& Boolean_out;
typedef Char& Char_out;
typedef WChar& WChar_out;
typedef Octet& Octet_out;
typedef Short& Short_out;
typedef UShort& UShort_out;
typedef Long& Long_out;
typedef ULong& ULong_out;
typedef LongLong& LongLong_out;
typedef ULongLong& ULongLong_out;
typedef Float& Float_out;
typedef Double& Double_out;
typedef LongDouble& LongDouble_out;

}  // namespace takt_classic_
}  // namespace CORBA
