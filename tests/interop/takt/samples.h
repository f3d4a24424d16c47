// The samples of idl/types.idl: two values of each type, at its bounds where it has any.
#pragma once

#include <limits>
#include <string>

#include <takt/corba.h>

#include "typesC.h"

// Each type's name in swap_NAME, and its C++ type.
#define INTEROP_TYPES(X)         \
  X(boolean, bool)               \
  X(octet, uint8_t)              \
  X(char, char)                  \
  X(short, int16_t)              \
  X(ushort, uint16_t)            \
  X(long, int32_t)               \
  X(ulong, uint32_t)             \
  X(longlong, int64_t)           \
  X(ulonglong, uint64_t)         \
  X(float, float)                \
  X(double, double)              \
  X(longdouble, long double)     \
  X(wchar, wchar_t)              \
  X(string, std::string)         \
  X(wstring, std::wstring)       \
  X(text, std::string)           \
  X(word, Interop::Word)         \
  X(money, Interop::Money)       \
  X(colour, Interop::Colour)     \
  X(record, Interop::Record)     \
  X(variable, Interop::Variable) \
  X(octets, Interop::Octets)     \
  X(doubles, Interop::Doubles)   \
  X(flags, Interop::Flags)       \
  X(table, Interop::Table)       \
  X(records, Interop::Records)   \
  X(few, Interop::Few)           \
  X(matrix, Interop::Matrix)     \
  X(names, Interop::Names)       \
  X(choice, Interop::Choice)     \
  X(fallback, Interop::Choice)   \
  X(answer, Interop::Answer)     \
  X(shade, Interop::Shade)       \
  X(tree, Interop::Tree)         \
  X(any, CORBA::Any)

namespace interop {

template <class T>
struct Samples {
  T low{}, high{};
};

template <class T>
Samples<T> bounds() {
  return {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max()};
}
inline Samples<bool> boolean_samples() { return {false, true}; }
inline Samples<uint8_t> octet_samples() { return bounds<uint8_t>(); }
inline Samples<char> char_samples() { return {'\1', '~'}; }
inline Samples<int16_t> short_samples() { return bounds<int16_t>(); }
inline Samples<uint16_t> ushort_samples() { return bounds<uint16_t>(); }
inline Samples<int32_t> long_samples() { return bounds<int32_t>(); }
inline Samples<uint32_t> ulong_samples() { return bounds<uint32_t>(); }
inline Samples<int64_t> longlong_samples() { return bounds<int64_t>(); }
inline Samples<uint64_t> ulonglong_samples() { return bounds<uint64_t>(); }
inline Samples<float> float_samples() { return bounds<float>(); }
inline Samples<double> double_samples() { return bounds<double>(); }
inline Samples<long double> longdouble_samples() { return {-1.0L / 3, 0x1.8p+10000L}; }
inline Samples<wchar_t> wchar_samples() { return {L'a', L'\u20ac'}; }
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
inline Samples<Interop::Word> word_samples() { return {Interop::Word(""), Interop::Word("words")}; }
inline Samples<Interop::Money> money_samples() {
  return {Interop::Money("-99999999999999.9999"), Interop::Money("1234.5")};
}
inline Samples<Interop::Colour> colour_samples() { return {Interop::Colour::red, Interop::Colour::blue}; }
inline Samples<Interop::Record> record_samples() {
  return {{0, -0.5, -1, -2, 'a', -3}, {255, 1e300, 32767, 9223372036854775807, 'z', 2147483647}};
}
inline Samples<Interop::Octets> octets_samples() { return {{}, {0, 1, 127, 128, 255}}; }
inline Samples<Interop::Doubles> doubles_samples() { return {{}, {0.25, -1e300, 3}}; }
inline Samples<Interop::Flags> flags_samples() { return {{}, {true, false, true}}; }
inline Samples<Interop::Table> table_samples() { return {{}, {{"a", ""}, {}, {"bcd"}}}; }
inline Samples<Interop::Records> records_samples() {
  return {{}, {record_samples().low, record_samples().high, record_samples().low}};
}
inline Samples<Interop::Few> few_samples() {
  Samples<Interop::Few> samples;
  for (const int16_t value : {-32768, 0, 32767}) samples.high.push_back(value);
  return samples;
}
inline Samples<Interop::Variable> variable_samples() {
  return {{"", {}, Interop::Colour::red, {}, false},
          {"variable", octets_samples().high, Interop::Colour::green, records_samples().high, true}};
}
inline Samples<Interop::Matrix> matrix_samples() {
  return {{}, {{{-2147483647 - 1, -1, 0}, {1, 2, 2147483647}}}};
}
inline Samples<Interop::Names> names_samples() { return {{}, {"first", "second"}}; }
inline Samples<Interop::Choice> choice_samples() {
  Samples<Interop::Choice> samples;
  samples.low.number(-5);
  samples.high.text("chosen", 3);
  return samples;
}
inline Samples<Interop::Choice> fallback_samples() {
  Samples<Interop::Choice> samples;
  samples.low.text("", 2);
  samples.high.rest(record_samples().high, 0);
  return samples;
}
inline Samples<Interop::Answer> answer_samples() {
  Samples<Interop::Answer> samples;
  samples.low._default();
  samples.high.lines({"yes", "indeed"});
  return samples;
}
inline Samples<Interop::Shade> shade_samples() {
  Samples<Interop::Shade> samples;
  samples.low.depth(7);
  samples.high.depths({0.5});
  return samples;
}
inline Samples<Interop::Tree> tree_samples() {
  return {{"leaf", {}}, {"root", {{"left", {{"leaf", {}}}}, {"right", {}}}}};
}
inline Samples<CORBA::Any> any_samples() {
  Samples<CORBA::Any> samples;
  samples.low <<= int32_t{42};
  samples.high <<= variable_samples().high;
  return samples;
}

// Types and values.
template <class T>
bool same(const T& a, const T& b) {
  CORBA::Any left, right;
  left <<= a;
  right <<= b;
  return left == right;
}

// The second sample of the type of swap_NAME.
inline CORBA::Any sample_any(const std::string& type) {
  CORBA::Any any;
#define INTEROP_TYPE(NAME, TYPE) \
  if (type == #NAME) any <<= NAME##_samples().high;
  INTEROP_TYPES(INTEROP_TYPE)
#undef INTEROP_TYPE
  return any;
}

// Whether the Any holds that sample.
inline bool holds_sample(const std::string& type, const CORBA::Any& any) {
#define INTEROP_TYPE(NAME, TYPE)                                  \
  if (type == #NAME) {                                            \
    TYPE value{};                                                 \
    return (any >>= value) && same(value, NAME##_samples().high); \
  }
  INTEROP_TYPES(INTEROP_TYPE)
#undef INTEROP_TYPE
  return false;
}

}  // namespace interop
