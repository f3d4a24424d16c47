// Encoding and decoding for generated code of the classic IDL to C++ mapping. C++14.
//
// These are compiled functions of the library takt_classic over the runtime's encoder and decoder. One thread
// at a time. Errors are sticky: after one, reads give zero, and the call that owns the stream raises MARSHAL
// or the exception that fits the error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace takt {
namespace classic {

class Writer;  // incomplete: the runtime's encoder
class Reader;  // incomplete: the runtime's decoder

#define TAKT_CLASSIC_BASIC_TYPES(X) \
  X(bool)                           \
  X(char)                           \
  X(unsigned char)                  \
  X(wchar_t)                        \
  X(std::int16_t)                   \
  X(std::uint16_t)                  \
  X(std::int32_t) X(std::uint32_t) X(std::int64_t) X(std::uint64_t) X(float) X(double) X(long double)

// The array forms write and read elements without a count, in one call.
#define TAKT_CLASSIC_DECLARE(TYPE)                                        \
  void write(Writer& out, TYPE value);                                    \
  void read(Reader& in, TYPE& value);                                     \
  void write_array(Writer& out, const TYPE* elements, std::size_t count); \
  void read_array(Reader& in, TYPE* elements, std::size_t count);
TAKT_CLASSIC_BASIC_TYPES(TAKT_CLASSIC_DECLARE)
#undef TAKT_CLASSIC_DECLARE

// `bound` 0: unbounded. Writing throws BAD_PARAM for a null text and for one beyond the bound.
void write_string(Writer& out, const char* text, std::uint32_t bound = 0);
// Replaces `text`, which string_free() gets. It is never null afterwards. Allocates.
void read_string(Reader& in, char*& text, std::uint32_t bound = 0);
void write_wstring(Writer& out, const wchar_t* text, std::uint32_t bound = 0);
void read_wstring(Reader& in, wchar_t*& text, std::uint32_t bound = 0);

void write_count(Writer& out, std::uint32_t count);
// A sequence's count, at most `bound` unless that is 0, and at most the octets that are left. 0 after a
// failure.
std::uint32_t read_count(Reader& in, std::uint32_t bound);
// By how many of its `count` elements, `done` of which have been read, a sequence may grow: at least 1. Their
// memory, `bytes` each, is charged to the connection's budget, and follows what has arrived. 0 after a
// failure. Follow with leave_room_ahead(), of all these bytes, when they have been read.
std::uint32_t room_ahead(Reader& in, std::uint32_t count, std::uint32_t done, std::size_t bytes);
void leave_room_ahead(Reader& in, std::size_t bytes);

bool good(const Reader& in);
// One level of nesting for its lifetime. Beyond the runtime's limit the reader fails.
class Nested {
 public:
  explicit Nested(Reader& in);
  ~Nested();
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;

 private:
  alignas(8) unsigned char memory_[8];
};
// An enumerator or discriminator that the type does not have: the call raises MARSHAL.
void refuse_value(Reader& in);

// The number of an enum's enumerators; generated for each.
template <class E>
struct EnumCount;

template <class E>
typename std::enable_if<std::is_enum<E>::value>::type write(Writer& out, E value) {
  write(out, static_cast<std::uint32_t>(value));
}
template <class E>
typename std::enable_if<std::is_enum<E>::value>::type read(Reader& in, E& value) {
  std::uint32_t ordinal = 0;
  read(in, ordinal);
  if (ordinal >= EnumCount<E>::value) {
    refuse_value(in);
    ordinal = 0;
  }
  value = static_cast<E>(ordinal);
}

// Structs, unions, sequences and managed members write and read themselves.
template <class T>
auto write(Writer& out, const T& value) -> decltype(value._takt_write(out)) {
  return value._takt_write(out);
}
template <class T>
auto read(Reader& in, T& value) -> decltype(value._takt_read(in)) {
  return value._takt_read(in);
}

// Types whose arrays are one call.
template <class T>
struct IsBasic : std::false_type {};
#define TAKT_CLASSIC_BASIC(TYPE) \
  template <>                    \
  struct IsBasic<TYPE> : std::true_type {};
TAKT_CLASSIC_BASIC_TYPES(TAKT_CLASSIC_BASIC)
#undef TAKT_CLASSIC_BASIC

template <class T>
typename std::enable_if<!IsBasic<T>::value>::type write_array(Writer& out, const T* elements,
                                                              std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) write(out, elements[i]);
}
template <class T>
typename std::enable_if<!IsBasic<T>::value>::type read_array(Reader& in, T* elements, std::size_t count) {
  const Nested nested(in);
  for (std::size_t i = 0; i < count && good(in); ++i) read(in, elements[i]);
}

// Arrays of one and more dimensions. They take precedence over the element-wise forms by partial ordering.
template <class T, std::size_t N>
void write(Writer& out, const T (&elements)[N]) {
  write_array(out, elements, N);
}
template <class T, std::size_t N>
void read(Reader& in, T (&elements)[N]) {
  read_array(in, elements, N);
}

}  // namespace classic
}  // namespace takt
