// Copies a value of a type that is known only at run time from one stream to another.
#pragma once

#include <takt/cdr/any.h>

namespace takt::cdr {

// Each element and member costs `in` a step (see MessageCosts): a type without octets must not keep us busy.
// Both streams may have their own byte order, GIOP version and code sets. Failures stick in the stream they
// are of.
class Transcoder {
 public:
  Transcoder(Decoder& in, Encoder& out) : in_(in), out_(out) {}

  // False if either stream has failed.
  bool copy(const CORBA::typecode_reference& type);
  // A value's members, its base's first; for values that are known by their TypeCode alone.
  bool copy_state(const CORBA::TypeCode& value);

 private:
  bool copy(const CORBA::TypeCode& type);
  bool copy_members(const CORBA::TypeCode& type);
  bool copy_union(const CORBA::TypeCode& type);
  bool copy_elements(const CORBA::typecode_reference& type, std::size_t count);
  bool copy_sequence(const CORBA::TypeCode& type);
  bool copy_fixed(std::size_t digits);
  bool copy_long_double();
  bool copy_reference();
  bool copy_any();
  bool copy_typecode(CORBA::typecode_reference& type);
  bool copy_value(const CORBA::TypeCode* type);
  bool copy_abstract();
  bool refuse(Error error);
  template <class T>
  bool copy_primitive();
  template <class T>
  bool copy_block(std::size_t count);
  template <class T>
  bool copy_text(std::uint32_t bound);

  Decoder& in_;
  Encoder& out_;
};

}  // namespace takt::cdr
