// The value of an Any as text, in the form that <takt/cdr/mapping/output.h> gives values of compiled types.
#pragma once

#include <cstdint>

#include <takt/cdr/any.h>
#include <takt/cdr/mapping/value_text.h>

namespace takt::cdr {

// Reads a value whose type is known only at run time, and prints it. Ends early, with "...", at a depth of
// 8 types in types, and when the text is full. One use.
class AnyText {
 public:
  AnyText(Decoder& in, ValueText& out) : in_(in), out_(out) {}
  // The type's name and the value. Returns false if the value cannot be read to its end.
  bool print(const CORBA::typecode_reference& type);

 private:
  bool value(const CORBA::typecode_reference& type);
  bool value_of(const CORBA::TypeCode& type);
  bool text_of(const CORBA::TypeCode& type);
  bool content_of(const CORBA::TypeCode& type);
  bool reference_of(const CORBA::TypeCode& type);
  template <class T>
  bool number();
  bool fixed(const CORBA::TypeCode& type);
  bool enumerator(const CORBA::TypeCode& type);
  bool members(const CORBA::TypeCode& type);
  bool union_of(const CORBA::TypeCode& type);
  bool label(const CORBA::TypeCode& type, std::int64_t& value);
  bool elements(const CORBA::TypeCode& type, std::size_t count, char begin, char end);
  bool reference();
  bool valuetype(const CORBA::TypeCode* type);

  Decoder& in_;
  ValueText& out_;
  int depth_ = 0;
};

}  // namespace takt::cdr
