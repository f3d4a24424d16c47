// Makes and changes the values in Anys for DynAnys.
#pragma once

#include <takt/cdr/any.h>

namespace takt::dynamic {

// The same octets as a value of another type with the same encoding. `environment` is used if the value has
// none.
CORBA::Any retyped(const CORBA::Any& value, CORBA::typecode_reference type,
                   cdr::Environment* environment = nullptr);

// Resolves aliases and placeholders for enclosing types.
CORBA::typecode_reference behind_aliases(CORBA::typecode_reference type);

// The octets that `write` writes, in an Any's format. Throws the exceptions of marshaling.
template <class Write>
std::vector<std::uint8_t> encoded(cdr::Environment* environment, Write write) {
  GatherBuffer buffer(128);
  cdr::Encoder out(buffer, cdr::any_format(environment));
  out.set_borrowing(false);
  write(out);
  if (!out.ok()) cdr::throw_not_encoded(out.error(), "a DynAny's value could not be encoded");
  return {buffer.owned(), buffer.owned() + buffer.owned_size()};
}

// An Any of those octets.
template <class Write>
CORBA::Any make_any(CORBA::typecode_reference type, cdr::Environment* environment, Write write) {
  auto content = std::make_shared<cdr::AnyContent>();
  cdr::Environment* noted = nullptr;
  content->octets = encoded(environment, [&](cdr::Encoder& out) {
    cdr::collect_values(out, content->values);
    write(out);
    noted = cdr::noted_environment(out);
  });
  return CORBA::Any(std::move(type), std::move(content), noted ? noted : environment);
}

// Reads a T without looking at the Any's type. Valuetypes are not copied. Returns false if there is no T.
template <class T>
bool read_as(const CORBA::Any& any, T& value) {
  const cdr::AnyContent& content = any._content();
  cdr::Decoder in(content.octets, 0, cdr::any_format(any._environment()));
  if (!content.values.empty()) cdr::take_values_from(in, content.values);
  return cdr::Codec<T>::read(in, value);
}

// Converts a union's discriminator to the form that labels have in TypeCodes.
std::int64_t label_of(const CORBA::Any& discriminator);

// The initial value of a DynAny. Throws IMP_LIMIT beyond most_components elements or 200 levels, and
// InconsistentTypeCode for types whose values have no CDR encoding.
CORBA::Any initial_value(const CORBA::typecode_reference& type, cdr::Environment* environment);
inline constexpr std::size_t most_components = 1'000'000;

// A value of the discriminator's type that is no label of the union; false if there is none.
bool find_free_label(const CORBA::TypeCode& of_union, std::int64_t& label);

// Throws DynAnyFactory::InconsistentTypeCode for kinds that no DynAny has, and BAD_TYPECODE for nil.
void check_kind(const CORBA::typecode_reference& type);

}  // namespace takt::dynamic
