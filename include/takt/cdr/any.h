// CORBA::Any: a value with its type (CORBA 3.0.3, 15.3.7; IDL to C++11 mapping, 6.21).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <takt/cdr/environment.h>
#include <takt/cdr/mapping/type_code.h>
#include <takt/cdr/typecode.h>
#include <takt/cdr/value.h>

namespace takt::cdr {

struct LaterValues;

// The content of an Any: the value in CDR, in this machine's byte order, with strings in UTF-8 and UTF-16.
// Values of valuetypes are replaced by their 1-based index in `values`.
struct AnyContent {
  AnyContent() = default;
  AnyContent(AnyContent&&) = default;
  AnyContent& operator=(AnyContent&&) = default;
  ~AnyContent() {
    for (auto& value : values) release_value(std::move(value));
  }

  std::vector<std::uint8_t> octets;
  ValueTable values;
  std::weak_ptr<LaterValues> message;  // the message that the Any came in, while it is being decoded
};

// Format of an Any's octets. `environment` makes the object references in them.
Format any_format(Environment* environment = nullptr);

}  // namespace takt::cdr

namespace CORBA {

class Any;
}  // namespace CORBA
namespace takt::cdr {

// "any long 5", "any M::S{a=1}". Ends with "..." at a depth of 8 types in types, or beyond 4,000 octets. What
// could control a terminal becomes \xHH. Allocates.
std::string text_of(const CORBA::Any& any);

}  // namespace takt::cdr
namespace CORBA {

// Copies share their content, which never changes. Copying is as thread-safe as copying a std::shared_ptr.
// Inserting and extracting copy the value and allocate.
class Any {
 public:
  Any() = default;  // tk_null

  typecode_reference type() const { return type_ ? type_ : takt::cdr::basic_typecode(TCKind::tk_null); }
  // Replaces the TypeCode by an equivalent one, for example an alias. Throws BAD_TYPECODE if it is not
  // equivalent. In an Any without a value, sets the type that a request is to put into it.
  void type(const typecode_reference& type);

  // Compares types and values. Values of valuetypes are equal only if they are the same object.
  friend bool operator==(const Any& a, const Any& b) { return a.equals(b); }
  template <class Out>
  void _write_to(Out& out) const {
    out << takt::cdr::text_of(*this);
  }

  // For marshaling and for DynAny.
  Any(typecode_reference type, std::shared_ptr<const takt::cdr::AnyContent> content,
      takt::cdr::Environment* environment = nullptr)
      : type_(std::move(type)), content_(std::move(content)) {
    if (environment) environment_ = environment->shared();
  }
  const takt::cdr::AnyContent& _content() const;
  takt::cdr::Environment* _environment() const { return environment_.get(); }

 private:
  bool equals(const Any& other) const;

  typecode_reference type_;
  std::shared_ptr<const takt::cdr::AnyContent> content_;
  std::shared_ptr<takt::cdr::Environment> environment_;  // environment of the ORB that decoded it
};

}  // namespace CORBA

namespace takt::cdr {

// Type and value. Malformed input fails the decoder. Object references stay IORs until they are extracted.
void write_any(Encoder& encoder, const CORBA::Any& any);
bool read_any(Decoder& decoder, CORBA::Any& any);
// Only the value, whose type the TypeCode gives.
void write_any_value(Encoder& encoder, const CORBA::Any& any);
bool read_any_value(Decoder& decoder, const CORBA::typecode_reference& type, CORBA::Any& any);

// A union label as an Any of the discriminator's type, or an octet if the discriminator is nil.
CORBA::Any label_any(const CORBA::typecode_reference& discriminator, std::int64_t label);
// The label that a value of a discriminator's type selects. False if the Any has no value of that type.
bool label_in(const CORBA::Any& discriminator, std::int64_t& label);
// Throws the system exception for an encoding error.
[[noreturn]] void throw_not_encoded(Error error, const char* what);

template <>
struct Codec<CORBA::Any> {
  static constexpr std::size_t min_size = 4;
  static void write(Encoder& encoder, const CORBA::Any& any) { write_any(encoder, any); }
  static bool read(Decoder& decoder, CORBA::Any& any) { return read_any(decoder, any); }
};

// Exceptions: in an Any, the repository id precedes their members.
template <class T>
concept IsUserException = std::is_base_of_v<CORBA::UserException, T>;

template <class T>
CORBA::Any to_any(const T& value, CORBA::typecode_reference type) {
  auto content = std::make_shared<AnyContent>();
  GatherBuffer buffer(128);
  Encoder encoder(buffer, any_format());
  encoder.set_borrowing(false);
  collect_values(encoder, content->values);
  if constexpr (IsUserException<T>) encoder.put_raw_string(value._rep_id());
  Codec<T>::write(encoder, value);
  if (!encoder.ok()) throw_not_encoded(encoder.error(), "a value could not be put into an Any");
  content->octets.assign(buffer.owned(), buffer.owned() + buffer.owned_size());
  return CORBA::Any(std::move(type), std::move(content), noted_environment(encoder));
}

// Inserts an exception of which only the base class is known. Throws NO_IMPLEMENT if it is not declared by
// generated code.
CORBA::Any exception_to_any(const CORBA::UserException& exception);

// Whether a T can be extracted from the Any. A value may be of a type derived from T's.
template <class T>
bool holds(const CORBA::Any& any) {
  const CORBA::typecode_reference type = any.type(), wanted = IDL::type_code<T>();
  if (type.get() == wanted.get() || type->equivalent(wanted)) return true;
  using CORBA::TCKind;
  const TCKind kind = type->_unaliased()._parts().kind;
  const bool value = kind == TCKind::tk_value || kind == TCKind::tk_event || kind == TCKind::tk_value_box;
  if (wanted->kind() == TCKind::tk_value || wanted->kind() == TCKind::tk_event) return value;
  const bool object = kind == TCKind::tk_objref || kind == TCKind::tk_component || kind == TCKind::tk_home;
  return object && wanted->kind() == TCKind::tk_objref && wanted->id() == "IDL:omg.org/CORBA/Object:1.0";
}

// The content as plain CDR if it has values that are known only by their TypeCode, so that reading it makes
// them. Empty if it has none.
std::vector<std::uint8_t> with_values_to_make(const CORBA::Any& any);
// Values that the decoder makes from `content` belong to the message that brought the Any: reference cycles
// among them are broken together with that message's own.
void join_message(Decoder& decoder, const AnyContent& content);
// Throws MARSHAL minor 1 if a missing value factory is why the decoder failed.
void throw_if_no_factory(const Decoder& decoder);

// Returns false, and leaves `value` unchanged, if the Any holds another type. Throws MARSHAL minor 1 if a
// value has no factory.
template <class T>
bool from_any(const CORBA::Any& any, T& value) {
  if (!holds<T>(any)) return false;
  const AnyContent& content = any._content();
  const std::vector<std::uint8_t> to_make = with_values_to_make(any);
  Decoder decoder(to_make.empty() ? content.octets : to_make, 0, any_format(any._environment()));
  if (!content.values.empty()) join_message(decoder, content);
  if (to_make.empty() && !content.values.empty()) take_values_from(decoder, content.values);
  if constexpr (IsUserException<T>) decoder.get_raw_string_view();
  T read{};
  if (!Codec<T>::read(decoder, read)) {
    throw_if_no_factory(decoder);
    return false;
  }
  value = std::move(read);
  return true;
}

// Types that can be inserted into an Any: those with a TypeCode.
template <class T>
concept InAny = !std::is_same_v<T, CORBA::Any> && requires {
  TypeCodeOf<T>::get();
  Codec<T>::min_size;
};

}  // namespace takt::cdr

namespace CORBA {

// Throws what marshaling the value would throw: BAD_PARAM or MARSHAL for bounds and enumerators, MARSHAL
// minor 4 for local objects. Then a moved value is unchanged.
template <class T>
  requires takt::cdr::InAny<std::remove_cvref_t<T>>
void operator<<=(Any& any, T&& value) {
  using Value = std::remove_cvref_t<T>;
  any = takt::cdr::to_any<Value>(value, IDL::type_code<Value>());
  // Frees the memory of a moved value at once.
  if constexpr (std::is_same_v<T, Value> && !std::is_trivially_copyable_v<Value>) [[maybe_unused]]
    const Value moved(std::move(value));
}
inline void operator<<=(Any& any, const char* text) {
  any = takt::cdr::to_any<std::string>(text, IDL::type_code<std::string>());
}
inline void operator<<=(Any& any, const wchar_t* text) {
  any = takt::cdr::to_any<std::wstring>(text, IDL::type_code<std::wstring>());
}
inline void operator<<=(Any& any, const UserException& exception) {
  any = takt::cdr::exception_to_any(exception);
}
inline void operator<<=(Any& any, const Any& inner) {
  any = takt::cdr::to_any<Any>(inner, takt::cdr::basic_typecode(TCKind::tk_any));
}

// Returns false if the Any holds another type.
template <class T>
  requires takt::cdr::InAny<T>
bool operator>>=(const Any& any, T& value) {
  return takt::cdr::from_any(any, value);
}
inline bool operator>>=(const Any& any, Any& inner) {
  return any.type()->_unaliased()._parts().kind == TCKind::tk_any && takt::cdr::from_any<Any>(any, inner);
}

}  // namespace CORBA
