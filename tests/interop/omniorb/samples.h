// The samples of idl/types.idl for omniORB; takt/samples.h has the same.
#pragma once

#include <cstring>
#include <limits>
#include <string>

#include "calls.hh"

// omniORB's mapping passes types in different ways, so each name comes with its way.
#define INTEROP_PLAIN(X)           \
  X(boolean, CORBA::Boolean)       \
  X(octet, CORBA::Octet)           \
  X(char, CORBA::Char)             \
  X(short, CORBA::Short)           \
  X(ushort, CORBA::UShort)         \
  X(long, CORBA::Long)             \
  X(ulong, CORBA::ULong)           \
  X(longlong, CORBA::LongLong)     \
  X(ulonglong, CORBA::ULongLong)   \
  X(float, CORBA::Float)           \
  X(double, CORBA::Double)         \
  X(longdouble, CORBA::LongDouble) \
  X(wchar, CORBA::WChar)           \
  X(colour, Interop::Colour)
#define INTEROP_TEXT(X) X(string) X(text) X(word)
#define INTEROP_FIXED_SIZE(X) X(record, Interop::Record) X(money, Interop::Money)
#define INTEROP_VARIABLE(X)      \
  X(variable, Interop::Variable) \
  X(octets, Interop::Octets)     \
  X(doubles, Interop::Doubles)   \
  X(flags, Interop::Flags)       \
  X(table, Interop::Table)       \
  X(records, Interop::Records)   \
  X(few, Interop::Few)           \
  X(choice, Interop::Choice)     \
  X(fallback, Interop::Choice)   \
  X(answer, Interop::Answer)     \
  X(shade, Interop::Shade)       \
  X(tree, Interop::Tree)         \
  X(any, CORBA::Any)

namespace interop {

template <class T>
struct Samples {
  T low, high;
};

template <class T>
Samples<T> bounds() {
  return {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max()};
}
inline Samples<CORBA::Boolean> boolean_samples() { return {false, true}; }
inline Samples<CORBA::Octet> octet_samples() { return bounds<CORBA::Octet>(); }
inline Samples<CORBA::Char> char_samples() { return {'\1', '~'}; }
inline Samples<CORBA::Short> short_samples() { return bounds<CORBA::Short>(); }
inline Samples<CORBA::UShort> ushort_samples() { return bounds<CORBA::UShort>(); }
inline Samples<CORBA::Long> long_samples() { return bounds<CORBA::Long>(); }
inline Samples<CORBA::ULong> ulong_samples() { return bounds<CORBA::ULong>(); }
inline Samples<CORBA::LongLong> longlong_samples() { return bounds<CORBA::LongLong>(); }
inline Samples<CORBA::ULongLong> ulonglong_samples() { return bounds<CORBA::ULongLong>(); }
inline Samples<CORBA::Float> float_samples() { return bounds<CORBA::Float>(); }
inline Samples<CORBA::Double> double_samples() { return bounds<CORBA::Double>(); }
inline Samples<CORBA::LongDouble> longdouble_samples() { return {-1.0L / 3, 0x1.8p+10000L}; }
inline Samples<CORBA::WChar> wchar_samples() { return {L'a', L'\u20ac'}; }
inline Samples<std::string> string_samples() { return {"", "a string"}; }
inline Samples<std::wstring> wstring_samples() {
  return {L"", L"Za\u017c\u00f3\u0142\u0107 \u65e5\u672c \u20ac"};
}
inline Samples<std::string> text_samples() {
  return {"Gr\u00fc\u00dfe", "Za\u017c\u00f3\u0142\u0107 \u65e5\u672c \u20ac"};
}
// Outside the basic multilingual plane: two units of UTF-16.
inline const std::wstring clef_wide = L"a\U0001d11eb";
inline const std::string clef_narrow = "a\U0001d11eb";
inline Samples<std::string> word_samples() { return {"", "words"}; }
inline Samples<Interop::Colour> colour_samples() { return {Interop::red, Interop::blue}; }
inline Samples<Interop::Money> money_samples() {
  return {Interop::Money("-99999999999999.9999"), Interop::Money("1234.5")};
}
inline Samples<Interop::Record> record_samples() {
  return {{0, -0.5, -1, -2, 'a', -3}, {255, 1e300, 32767, 9223372036854775807, 'z', 2147483647}};
}

template <class Sequence, class... Values>
Sequence sequence(const Values&... values) {
  Sequence sequence;
  sequence.length(sizeof...(values));
  CORBA::ULong at = 0;
  ((sequence[at++] = values), ...);
  return sequence;
}
inline Samples<Interop::Octets> octets_samples() {
  return {Interop::Octets(), sequence<Interop::Octets>(0, 1, 127, 128, 255)};
}
inline Samples<Interop::Doubles> doubles_samples() {
  return {Interop::Doubles(), sequence<Interop::Doubles>(0.25, -1e300, 3.0)};
}
inline Samples<Interop::Flags> flags_samples() {
  return {Interop::Flags(), sequence<Interop::Flags>(true, false, true)};
}
inline Samples<Interop::Table> table_samples() {
  return {Interop::Table(), sequence<Interop::Table>(sequence<Interop::Strings>("a", ""), Interop::Strings(),
                                                     sequence<Interop::Strings>("bcd"))};
}
inline Samples<Interop::Records> records_samples() {
  const auto record = record_samples();
  return {Interop::Records(), sequence<Interop::Records>(record.low, record.high, record.low)};
}
inline Samples<Interop::Few> few_samples() {
  return {Interop::Few(), sequence<Interop::Few>(-32768, 0, 32767)};
}
inline Samples<Interop::Variable> variable_samples() {
  return {{"", Interop::Octets(), Interop::red, Interop::Records(), false},
          {"variable", octets_samples().high, Interop::green, records_samples().high, true}};
}
inline Samples<Interop::Choice> choice_samples() {
  Samples<Interop::Choice> samples;
  samples.low.number(-5);
  samples.high.text("chosen");
  samples.high._d(3);
  return samples;
}
inline Samples<Interop::Choice> fallback_samples() {
  Samples<Interop::Choice> samples;
  samples.low.text("");
  samples.low._d(2);
  samples.high.rest(record_samples().high);
  samples.high._d(0);
  return samples;
}
inline Samples<Interop::Answer> answer_samples() {
  Samples<Interop::Answer> samples;
  samples.low._default();
  samples.high.lines(sequence<Interop::Strings>("yes", "indeed"));
  return samples;
}
inline Samples<Interop::Shade> shade_samples() {
  Samples<Interop::Shade> samples;
  samples.low.depth(7);
  samples.high.depths(sequence<Interop::Doubles>(0.5));
  return samples;
}
inline Interop::Tree tree(const char* name, const Interop::Trees& children = Interop::Trees()) {
  Interop::Tree made;
  made.name = name;
  made.children = children;
  return made;
}
inline Samples<Interop::Tree> tree_samples() {
  using Interop::Trees;
  return {tree("leaf"),
          tree("root", sequence<Trees>(tree("left", sequence<Trees>(tree("leaf"))), tree("right")))};
}
inline Samples<CORBA::Any> any_samples() {
  Samples<CORBA::Any> samples;
  samples.low <<= CORBA::Long(42);
  samples.high <<= variable_samples().high;
  return samples;
}
inline const Interop::Matrix matrix_low = {};
inline const Interop::Matrix matrix_high = {{-2147483647 - 1, -1, 0}, {1, 2, 2147483647}};

// Compares values by their encoding.
template <class T>
bool same(const T& a, const T& b) {
  if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string> ||
                std::is_same_v<T, std::wstring> || std::is_same_v<T, Interop::Money>) {
    return a == b;
  } else {
    cdrMemoryStream left(0, true), right(0, true);
    const_cast<T&>(a) >>= left;
    const_cast<T&>(b) >>= right;
    return left.bufSize() == right.bufSize() &&
           std::memcmp(left.bufPtr(), right.bufPtr(), left.bufSize()) == 0;
  }
}
inline bool same(const char* a, const std::string& b) { return b == a; }
inline bool same(const CORBA::WChar* a, const std::wstring& b) { return b == a; }
inline bool same_matrix(const Interop::Matrix_slice* a, const Interop::Matrix_slice* b) {
  return std::memcmp(a, b, sizeof(Interop::Matrix)) == 0;
}
inline bool same_names(const Interop::Names_slice* a, const char* first, const char* second) {
  return std::string(a[0]) == first && std::string(a[1]) == second;
}

// The second sample of the type of swap_NAME.
inline CORBA::Any sample_any(const std::string& type) {
  CORBA::Any any;
  if (type == "boolean")
    any <<= CORBA::Any::from_boolean(true);
  else if (type == "octet")
    any <<= CORBA::Any::from_octet(octet_samples().high);
  else if (type == "char")
    any <<= CORBA::Any::from_char(char_samples().high);
  else if (type == "wchar")
    any <<= CORBA::Any::from_wchar(wchar_samples().high);
  else if (type == "string")
    any <<= string_samples().high.c_str();
  else if (type == "text")
    any <<= text_samples().high.c_str();
  else if (type == "word")
    any <<= CORBA::Any::from_string(word_samples().high.c_str(), 5);
  else if (type == "wstring")
    any <<= CORBA::Any::from_wstring(const_cast<CORBA::WChar*>(wstring_samples().high.c_str()), 0);
  else if (type == "money")
    any <<= CORBA::Any::from_fixed(money_samples().high, 18, 4);
  else if (type == "short")
    any <<= short_samples().high;
  else if (type == "ushort")
    any <<= ushort_samples().high;
  else if (type == "long")
    any <<= long_samples().high;
  else if (type == "ulong")
    any <<= ulong_samples().high;
  else if (type == "longlong")
    any <<= longlong_samples().high;
  else if (type == "ulonglong")
    any <<= ulonglong_samples().high;
  else if (type == "float")
    any <<= float_samples().high;
  else if (type == "double")
    any <<= double_samples().high;
  else if (type == "longdouble")
    any <<= longdouble_samples().high;
  else if (type == "colour")
    any <<= colour_samples().high;
  else if (type == "record")
    any <<= record_samples().high;
  else if (type == "matrix")
    any <<= Interop::Matrix_forany(Interop::Matrix_dup(matrix_high));
  else if (type == "names") {
    Interop::Names names;
    names[0] = "first";
    names[1] = "second";
    any <<= Interop::Names_forany(Interop::Names_dup(names));
  }
#define INTEROP_TYPE(NAME, TYPE) else if (type == #NAME) any <<= NAME##_samples().high;
  INTEROP_VARIABLE(INTEROP_TYPE)
#undef INTEROP_TYPE
  return any;
}

// Whether both hold the same sample of an Any.
inline bool same(const CORBA::Any& a, const CORBA::Any& b) {
  CORBA::Long left = 0, right = 0;
  if (a >>= left) return (b >>= right) && left == right;
  const Interop::Variable *here = nullptr, *there = nullptr;
  return (a >>= here) && (b >>= there) && same(*here, *there);
}

// Whether the Any holds the second sample.
inline bool holds_sample(const std::string& type, const CORBA::Any& any) {
  const CORBA::Any sample = sample_any(type);
  CORBA::TypeCode_var here = sample.type(), there = any.type();
  if (!here->equivalent(there)) return false;
  if (type == "wstring") {
    const CORBA::WChar* value = nullptr;
    return (any >>= value) && same(value, wstring_samples().high);
  }
  if (type == "colour") {
    Interop::Colour value;
    return (any >>= value) && value == colour_samples().high;
  }
  if (type == "matrix") {
    Interop::Matrix_forany value;
    return (any >>= value) && same_matrix(value.in(), matrix_high);
  }
  if (type == "names") {
    Interop::Names_forany value;
    return (any >>= value) && same_names(value.in(), "first", "second");
  }
#define INTEROP_TYPE(NAME, TYPE)                                   \
  if (type == #NAME) {                                             \
    const TYPE* value = nullptr;                                   \
    return (any >>= value) && same(*value, NAME##_samples().high); \
  }
  INTEROP_TYPE(record, Interop::Record)
  INTEROP_VARIABLE(INTEROP_TYPE)
#undef INTEROP_TYPE
  cdrMemoryStream left(0, true), right(0, true);
  any >>= left;
  sample >>= right;
  return left.bufSize() == right.bufSize() && std::memcmp(left.bufPtr(), right.bufPtr(), left.bufSize()) == 0;
}

}  // namespace interop
