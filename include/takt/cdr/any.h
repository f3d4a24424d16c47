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

// What an Any holds: the value in CDR of this machine's byte order, with strings in UTF-8 and UTF-16, and
// with values (of valuetypes) as their place in a table, counted from 1.
struct AnyContent {
  AnyContent() = default;
  AnyContent(AnyContent&&) = default;
  AnyContent& operator=(AnyContent&&) = default;
  ~AnyContent() {
    for (auto& value : values) release_value(std::move(value));
  }

  std::vector<std::uint8_t> octets;
  ValueTable values;
  std::weak_ptr<LaterValues> message;  // that brought it, while that is decoded
};

// How an Any's octets are written. `environment` makes the object references in it.
Format any_format(Environment* environment = nullptr);

}  // namespace takt::cdr

namespace CORBA {

// Copies share what they hold, which never changes; copying is as thread-safe as that of a std::shared_ptr.
// Inserting and extracting copy, and allocate.
class Any {
 public:
  Any() = default;  // tk_null

  typecode_reference type() const { return type_ ? type_ : takt::cdr::basic_typecode(TCKind::tk_null); }
  // Another TypeCode for the same value, an alias for example. BAD_TYPECODE if it is not equivalent.
  void type(const typecode_reference& type);

  // Types and values are equal; values of valuetypes where they are the same.
  friend bool operator==(const Any& a, const Any& b) { return a.equals(b); }
  template <class Out>
  void _write_to(Out& out) const {
    out << "any ";
    type()._write_to(out);
  }

  // For marshaling, and for DynAny.
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
  std::shared_ptr<takt::cdr::Environment> environment_;  // of the ORB that it came through
};

}  // namespace CORBA

namespace takt::cdr {

// Type and value. What does not hold together fails the decoder; references stay IORs until they are
// extracted.
void write_any(Encoder& encoder, const CORBA::Any& any);
bool read_any(Decoder& decoder, CORBA::Any& any);
// The value alone, of the type that the TypeCode says.
void write_any_value(Encoder& encoder, const CORBA::Any& any);
bool read_any_value(Decoder& decoder, const CORBA::typecode_reference& type, CORBA::Any& any);

// A union's label as an Any; an octet where there is no type.
CORBA::Any label_any(const CORBA::typecode_reference& discriminator, std::int64_t label);
// Throws the system exception that a failure to encode is.
[[noreturn]] void throw_not_encoded(Error error, const char* what);

template <>
struct Codec<CORBA::Any> {
  static constexpr std::size_t min_size = 4;
  static void write(Encoder& encoder, const CORBA::Any& any) { write_any(encoder, any); }
  static bool read(Decoder& decoder, CORBA::Any& any) { return read_any(decoder, any); }
};

// An exception in an Any is preceded by its repository id.
template <class T>
concept Raised = std::is_base_of_v<CORBA::UserException, T>;

template <class T>
CORBA::Any to_any(const T& value, CORBA::typecode_reference type) {
  auto content = std::make_shared<AnyContent>();
  GatherBuffer buffer(128);
  Encoder encoder(buffer, any_format());
  encoder.set_borrowing(false);
  collect_values(encoder, content->values);
  if constexpr (Raised<T>) encoder.put_raw_string(value._rep_id());
  Codec<T>::write(encoder, value);
  if (!encoder.ok()) throw_not_encoded(encoder.error(), "a value could not be put into an Any");
  content->octets.assign(buffer.owned(), buffer.owned() + buffer.owned_size());
  return CORBA::Any(std::move(type), std::move(content), noted_environment(encoder));
}

// Whether the Any's type lets a T be taken out of it. A value may be of a type derived from T's.
template <class T>
bool holds(const CORBA::Any& any) {
  const CORBA::typecode_reference type = any.type(), wanted = IDL::type_code<T>();
  if (type.get() == wanted.get() || type->equivalent(wanted)) return true;
  using CORBA::TCKind;
  const TCKind kind = type->_unaliased().kind();
  const bool value = kind == TCKind::tk_value || kind == TCKind::tk_event || kind == TCKind::tk_value_box;
  if (wanted->kind() == TCKind::tk_value || wanted->kind() == TCKind::tk_event) return value;
  return kind == TCKind::tk_objref && wanted->kind() == TCKind::tk_objref &&
         wanted->id() == "IDL:omg.org/CORBA/Object:1.0";
}

// The content as plain CDR, if values in it have been known by their TypeCode only so far, so that reading it
// makes them; else empty.
std::vector<std::uint8_t> with_values_to_make(const CORBA::Any& any);
// The values that the decoder makes out of the content are, if they refer to each other in a circle, taken
// apart with those of the message that brought it.
void belong_to_message_of(Decoder& decoder, const AnyContent& content);
// Throws MARSHAL minor 1 if that is why the decoder failed.
void throw_if_no_factory(const Decoder& decoder);

// False if the Any holds another type; `value` is then as it was. MARSHAL minor 1 if nobody makes a value.
template <class T>
bool from_any(const CORBA::Any& any, T& value) {
  if (!holds<T>(any)) return false;
  const AnyContent& content = any._content();
  const std::vector<std::uint8_t> to_make = with_values_to_make(any);
  Decoder decoder(to_make.empty() ? content.octets : to_make, 0, any_format(any._environment()));
  if (!content.values.empty()) belong_to_message_of(decoder, content);
  if (to_make.empty() && !content.values.empty()) take_values_from(decoder, content.values);
  if constexpr (Raised<T>) decoder.get_raw_string_view();
  T read{};
  if (!Codec<T>::read(decoder, read)) {
    throw_if_no_factory(decoder);
    return false;
  }
  value = std::move(read);
  return true;
}

// What can be put into an Any: what has a TypeCode.
template <class T>
concept InAny = !std::is_same_v<T, CORBA::Any> && requires {
  TypeCodeOf<T>::get();
  Codec<T>::min_size;
};

}  // namespace takt::cdr

namespace CORBA {

// Throws the exception that marshaling the value would throw: BAD_PARAM or MARSHAL for bounds and
// enumerators, MARSHAL minor 4 for local objects.
template <class T>
  requires takt::cdr::InAny<std::remove_cvref_t<T>>
void operator<<=(Any& any, T&& value) {
  using Value = std::remove_cvref_t<T>;
  any = takt::cdr::to_any<Value>(value, IDL::type_code<Value>());
}
inline void operator<<=(Any& any, const char* text) {
  any = takt::cdr::to_any<std::string>(text, IDL::type_code<std::string>());
}
inline void operator<<=(Any& any, const wchar_t* text) {
  any = takt::cdr::to_any<std::wstring>(text, IDL::type_code<std::wstring>());
}
inline void operator<<=(Any& any, const Any& inner) {
  any = takt::cdr::to_any<Any>(inner, takt::cdr::basic_typecode(TCKind::tk_any));
}

// False if the Any holds another type.
template <class T>
  requires takt::cdr::InAny<T>
bool operator>>=(const Any& any, T& value) {
  return takt::cdr::from_any(any, value);
}
inline bool operator>>=(const Any& any, Any& inner) {
  return any.type()->_unaliased().kind() == TCKind::tk_any && takt::cdr::from_any<Any>(any, inner);
}

}  // namespace CORBA
