// Values in Anys, as DynAnys make and change them.
#pragma once

#include <takt/cdr/any.h>

namespace takt::dynamic {

// The same octets as a value of another type that is encoded alike. `environment` where the value has none.
CORBA::Any retyped(const CORBA::Any& value, CORBA::typecode_reference type,
                   cdr::Environment* environment = nullptr);

// What aliases, and what stands for an enclosing type, mean.
CORBA::typecode_reference behind_aliases(CORBA::typecode_reference type);

// What `write` writes, as an Any. Throws what marshaling it would throw.
template <class Write>
CORBA::Any make_any(CORBA::typecode_reference type, cdr::Environment* environment, Write write) {
  auto content = std::make_shared<cdr::AnyContent>();
  GatherBuffer buffer(128);
  cdr::Encoder out(buffer, cdr::any_format(environment));
  out.set_borrowing(false);
  cdr::collect_values(out, content->values);
  write(out);
  if (!out.ok()) cdr::throw_not_encoded(out.error(), "a DynAny's value could not be encoded");
  content->octets.assign(buffer.owned(), buffer.owned() + buffer.owned_size());
  if (auto* const noted = cdr::noted_environment(out)) environment = noted;
  return CORBA::Any(std::move(type), std::move(content), environment);
}

// Reads a T as it is, whatever the Any's type is: values stay what they are, unmade. False if there is none.
template <class T>
bool read_as(const CORBA::Any& any, T& value) {
  const cdr::AnyContent& content = any._content();
  cdr::Decoder in(content.octets, 0, cdr::any_format(any._environment()));
  if (!content.values.empty()) cdr::take_values_from(in, content.values);
  return cdr::Codec<T>::read(in, value);
}

// A union's discriminator as its TypeCode has labels.
std::int64_t label_of(const CORBA::Any& discriminator);

// IMP_LIMIT where it has more than a million elements or is nested deeper than 200; InconsistentTypeCode for
// types whose values are no matter of CDR.
CORBA::Any initial_value(const CORBA::typecode_reference& type, cdr::Environment* environment);
inline constexpr std::size_t most_components = 1'000'000;

// A value of the discriminator's type that is no label of the union; false if there is none.
bool find_free_label(const CORBA::TypeCode& of_union, std::int64_t& label);

// Throws DynAnyFactory::InconsistentTypeCode for kinds that no DynAny has, and BAD_TYPECODE for nil.
void check_kind(const CORBA::typecode_reference& type);

}  // namespace takt::dynamic
