// The streams that custom values marshal their state with (CORBA 3.0.3, 5.5.2).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <takt/cdr/any.h>
#include <takt/cdr/codec.h>
#include <takt/cdr/value.h>

namespace CORBA {

// One operation per IDL type, and one per sequence of it without its length. Once a stream has failed, every
// read gives zero or an empty value.
// clang-format off
#define TAKT_STREAMED_TYPES(X) \
  X(boolean, bool) X(char, char) X(wchar, wchar_t) X(octet, std::uint8_t) \
  X(short, std::int16_t) X(ushort, std::uint16_t) X(long, std::int32_t) X(ulong, std::uint32_t) \
  X(longlong, std::int64_t) X(ulonglong, std::uint64_t) X(float, float) X(double, double) \
  X(longdouble, long double)
// clang-format on

// Valid for one call of CustomMarshal::marshal.
class DataOutputStream {
 public:
  explicit DataOutputStream(takt::cdr::Encoder& encoder) : encoder_(encoder) {}
  DataOutputStream(const DataOutputStream&) = delete;
  DataOutputStream& operator=(const DataOutputStream&) = delete;

#define TAKT_WRITE(NAME, TYPE)                                             \
  void write_##NAME(TYPE value) { write(value); }                          \
  void write_##NAME##_array(std::span<const TYPE> elements) {              \
    takt::cdr::write_elements(encoder_, elements.data(), elements.size()); \
  }
  TAKT_STREAMED_TYPES(TAKT_WRITE)
#undef TAKT_WRITE
  void write_string(const std::string& value) { write(value); }
  void write_wstring(const std::wstring& value) { write(value); }
  void write_any(const Any& value) { write(value); }
  void write_TypeCode(const typecode_reference& value) { write(value); }
  void write_Value(const valuetype_reference<ValueBase>& value) { write(value); }

  // Any type of the mapping.
  template <class T>
  void write(const T& value) {
    takt::cdr::write(encoder_, value);
  }

 private:
  takt::cdr::Encoder& encoder_;
};

// Valid for one call of CustomMarshal::unmarshal.
class DataInputStream {
 public:
  explicit DataInputStream(takt::cdr::Decoder& decoder) : decoder_(decoder) {}
  DataInputStream(const DataInputStream&) = delete;
  DataInputStream& operator=(const DataInputStream&) = delete;

#define TAKT_READ(NAME, TYPE)                                                    \
  TYPE read_##NAME() { return read<TYPE>(); }                                    \
  bool read_##NAME##_array(std::span<TYPE> elements) {                           \
    return takt::cdr::read_elements(decoder_, elements.data(), elements.size()); \
  }
  TAKT_STREAMED_TYPES(TAKT_READ)
#undef TAKT_READ
  std::string read_string() { return read<std::string>(); }
  std::wstring read_wstring() { return read<std::wstring>(); }
  Any read_any() { return read<Any>(); }
  typecode_reference read_TypeCode() { return read<typecode_reference>(); }
  valuetype_reference<ValueBase> read_Value() { return read<valuetype_reference<ValueBase>>(); }

  // Any type of the mapping.
  template <class T>
  T read() {
    T value{};
    return takt::cdr::read(decoder_, value) ? value : T{};
  }

 private:
  takt::cdr::Decoder& decoder_;
};
#undef TAKT_STREAMED_TYPES

// Interface that the application implements for each of its custom valuetypes.
class CustomMarshal {
 public:
  virtual ~CustomMarshal() = default;
  virtual void marshal(DataOutputStream& to) const = 0;
  virtual void unmarshal(DataInputStream& from) = 0;

 protected:
  CustomMarshal() = default;
  CustomMarshal(const CustomMarshal&) = default;
  CustomMarshal& operator=(const CustomMarshal&) = default;
};

}  // namespace CORBA
