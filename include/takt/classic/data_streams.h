// Custom valuetypes in the classic mapping: the streams with which they write and read their state (CORBA
// 3.0.3, 5.5.2). C++14.
//
// The OBV_ class of a custom valuetype is abstract: the application's class overrides marshal() and
// unmarshal(), and needs a factory.
#pragma once

#include <takt/classic/abstract.h>
#include <takt/classic/sequence.h>
#include <takt/classic/type_code.h>
#include <takt/classic/value.h>

namespace CORBA {
inline namespace takt_classic_ {

class DataOutputStream;
typedef DataOutputStream* DataOutputStream_ptr;
class DataInputStream;
typedef DataInputStream* DataInputStream_ptr;

// clang-format off: it never settles on one form.
#define TAKT_CLASSIC_STREAMED_TYPES(X) \
  X(boolean, Boolean, BooleanSeq) X(char, Char, CharSeq) X(wchar, WChar, WCharSeq) X(octet, Octet, OctetSeq) \
  X(short, Short, ShortSeq) X(ushort, UShort, UShortSeq) X(long, Long, LongSeq) X(ulong, ULong, ULongSeq) \
  X(longlong, LongLong, LongLongSeq) X(ulonglong, ULongLong, ULongLongSeq) X(float, Float, FloatSeq) \
  X(double, Double, DoubleSeq) X(longdouble, LongDouble, LongDoubleSeq)
// clang-format on

// Valid during one call of marshal(), for its thread. BAD_PARAM for null texts, and for elements that a
// sequence does not have. Arrays are written without their length.
class DataOutputStream {
 public:
  explicit DataOutputStream(takt::classic::Writer& out) : out_(out) {}
  DataOutputStream(const DataOutputStream&) = delete;
  DataOutputStream& operator=(const DataOutputStream&) = delete;

#define TAKT_CLASSIC_WRITE(NAME, TYPE, SEQUENCE)                                \
  void write_##NAME(TYPE value) { takt::classic::write(out_, value); }          \
  void write_##NAME##_array(const SEQUENCE& from, ULong offset, ULong length) { \
    check(offset, length, from.length());                                       \
    takt::classic::write_array(out_, from.get_buffer() + offset, length);       \
  }
  TAKT_CLASSIC_STREAMED_TYPES(TAKT_CLASSIC_WRITE)
#undef TAKT_CLASSIC_WRITE
  void write_any(const Any& value) { takt::classic::write(out_, value); }
  void write_any_array(const AnySeq& from, ULong offset, ULong length) {
    check(offset, length, from.length());
    for (ULong i = 0; i < length; ++i) write_any(from[offset + i]);
  }
  void write_string(const char* value) { takt::classic::write_string(out_, value); }
  void write_wstring(const wchar_t* value) { takt::classic::write_wstring(out_, value); }
  void write_Object(Object_ptr value) { takt::classic::Proxies<Object>::write(out_, value); }
  void write_Abstract(AbstractBase_ptr value) { takt::classic::Proxies<AbstractBase>::write(out_, value); }
  void write_Value(ValueBase* value) { takt::classic::write_value(out_, value); }
  void write_TypeCode(TypeCode_ptr value) { takt::classic::Proxies<TypeCode>::write(out_, value); }

 private:
  static void check(ULong offset, ULong length, ULong has);
  takt::classic::Writer& out_;
};

// Valid during one call of unmarshal(), for its thread. Once it has failed, every read gives zero, an empty
// text or null, and the call that the value belongs to raises MARSHAL. The caller owns texts and references.
// Arrays go to `into` from `offset` on; it grows as elements arrive, so a length from the message allocates
// no more than that.
class DataInputStream {
 public:
  explicit DataInputStream(takt::classic::Reader& in) : in_(in) {}
  DataInputStream(const DataInputStream&) = delete;
  DataInputStream& operator=(const DataInputStream&) = delete;

#define TAKT_CLASSIC_READ(NAME, TYPE, SEQUENCE)                                                           \
  TYPE read_##NAME() { return read<TYPE>(); }                                                             \
  void read_##NAME##_array(SEQUENCE& into, ULong offset, ULong length) {                                  \
    read_array(into, offset, length,                                                                      \
               [this](TYPE* elements, ULong count) { takt::classic::read_array(in_, elements, count); }); \
  }
  TAKT_CLASSIC_STREAMED_TYPES(TAKT_CLASSIC_READ)
#undef TAKT_CLASSIC_READ
  Any* read_any() {
    Any_var value = new Any;
    takt::classic::read(in_, value.inout());
    return value._retn();
  }
  void read_any_array(AnySeq& into, ULong offset, ULong length) {
    read_array(into, offset, length, [this](Any* elements, ULong count) {
      for (ULong i = 0; i < count; ++i) takt::classic::read(in_, elements[i]);
    });
  }
  char* read_string() {
    String_var text;
    takt::classic::read_string(in_, text.inout());
    return text._retn();
  }
  wchar_t* read_wstring() {
    WString_var text;
    takt::classic::read_wstring(in_, text.inout());
    return text._retn();
  }
  Object_ptr read_Object() { return takt::classic::Proxies<Object>::read(in_); }
  AbstractBase_ptr read_Abstract() { return takt::classic::Proxies<AbstractBase>::read(in_); }
  ValueBase* read_Value() { return takt::classic::read_value(in_, ""); }
  TypeCode_ptr read_TypeCode() { return takt::classic::Proxies<TypeCode>::read(in_); }

 private:
  template <class T>
  T read() {
    T value = T();
    takt::classic::read(in_, value);
    return value;
  }
  template <class Sequence, class Read>
  void read_array(Sequence& into, ULong offset, ULong length, const Read& read) {
    check(offset, length, into.length());
    const std::size_t bytes = sizeof(*into.get_buffer());
    for (ULong done = 0; done < length && takt::classic::good(in_);) {
      const ULong room = takt::classic::room_ahead(in_, length, done, bytes);
      if (into.length() < offset + done + room) into.length(offset + done + room);
      read(into.get_buffer() + offset + done, room);
      takt::classic::leave_room_ahead(in_, room * bytes);
      done += room;
    }
  }
  static void check(ULong offset, ULong length, ULong has);
  takt::classic::Reader& in_;
};
#undef TAKT_CLASSIC_STREAMED_TYPES

// The base of all custom valuetypes. Any thread that sends or receives the value calls both operations.
class CustomMarshal : public virtual ValueBase {
 public:
  virtual void marshal(DataOutputStream* to) = 0;
  virtual void unmarshal(DataInputStream* from) = 0;

 protected:
  CustomMarshal() {}
  ~CustomMarshal() override {}
};

}  // namespace takt_classic_
}  // namespace CORBA

namespace takt {
namespace classic {

// For generated code.
void write_custom(Writer& out, const CORBA::CustomMarshal& value);
void read_custom(Reader& in, CORBA::CustomMarshal& value);

}  // namespace classic
}  // namespace takt
