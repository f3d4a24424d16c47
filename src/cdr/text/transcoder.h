// Copies a value whose type is known only at run time from one stream to another.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <takt/cdr/any.h>

namespace takt::cdr {

// Each element and member costs `in` a step (see MessageCosts), so that a type without octets cannot use up
// processor time. Each stream may have its own byte order, GIOP version and code sets. A failure is sticky in
// the stream where it occurs.
class Transcoder {
 public:
  Transcoder(Decoder& in, Encoder& out) : in_(in), out_(out) {}

  // Returns false if either stream has failed.
  bool copy(const CORBA::typecode_reference& type);
  // The members of a value, those of its base first. For values that are known only by their TypeCode.
  bool copy_state(const CORBA::TypeCode& value);

 private:
  // Copies content of one kind of type.
  using Copier = bool (Transcoder::*)(const CORBA::TypeCode& type);
  using Copiers = std::array<Copier, static_cast<std::size_t>(CORBA::TCKind::tk_event) + 1>;  // by kind

  static constexpr Copiers make_copiers();
  bool copy(const CORBA::TypeCode& type);
  bool copy_nothing(const CORBA::TypeCode&) { return true; }
  template <class T>
  bool copy_primitive(const CORBA::TypeCode&);
  bool copy_long_double(const CORBA::TypeCode&);
  bool copy_fixed(const CORBA::TypeCode& type);
  bool copy_enum(const CORBA::TypeCode& type);
  template <class T>
  bool copy_text(const CORBA::TypeCode& type);
  bool copy_any(const CORBA::TypeCode&);
  bool copy_inner_typecode(const CORBA::TypeCode&) {
    CORBA::typecode_reference inner;
    std::size_t bytes = 0;
    return copy_typecode(inner, bytes);
  }
  bool copy_principal(const CORBA::TypeCode&);
  bool copy_reference(const CORBA::TypeCode&);
  bool copy_aliased(const CORBA::TypeCode& type) { return copy(type._parts().content); }
  bool copy_members(const CORBA::TypeCode& type);
  bool copy_exception(const CORBA::TypeCode& type);
  bool copy_union(const CORBA::TypeCode& type);
  bool copy_sequence(const CORBA::TypeCode& type);
  bool copy_array(const CORBA::TypeCode& type) {
    return copy_elements(type._parts().content, type._parts().length);
  }
  bool copy_value_of(const CORBA::TypeCode& type) { return copy_value(&type); }
  bool copy_abstract(const CORBA::TypeCode& type);
  bool refuse_local(const CORBA::TypeCode&) { return refuse(Error::local_object); }

  bool copy_elements(const CORBA::typecode_reference& type, std::size_t count);
  // Copies numbers in runs that need no heap memory, swapping them if the byte orders differ.
  template <class T>
  bool copy_block(std::size_t count);
  // Copies a discriminator; `label` receives its value, in the form of TypeCode labels.
  bool copy_discriminator(const CORBA::TypeCode& type, std::int64_t& label);
  template <class T>
  bool copy_label(std::int64_t& label);
  // `bytes` receives the memory of the TypeCode, which is not charged, because it is freed after the copy.
  bool copy_typecode(CORBA::typecode_reference& type, std::size_t& bytes);
  // A null `type` stands for any valuetype.
  bool copy_value(const CORBA::TypeCode* type);
  bool refuse(Error error);

  Decoder& in_;
  Encoder& out_;
};

}  // namespace takt::cdr
