#include <takt/cdr/any.h>

#include <algorithm>
#include <limits>

#include <takt/cdr/mapping/exception_form.h>

#include "cdr/text/transcoder.h"
#include "cdr/typecodes/typecode_maker.h"
#include "cdr/values/opaque_value.h"
#include "cdr/values/value_state.h"

namespace CORBA {

const takt::cdr::AnyContent& Any::_content() const {
  static const takt::cdr::AnyContent nothing;
  return content_ ? *content_ : nothing;
}

void Any::type(const typecode_reference& type) {
  const bool holds_nothing = !type_ && !content_ && type;
  if (!holds_nothing && (!type || !this->type()->equivalent(type)))
    throw BAD_TYPECODE(0, COMPLETED_NO, "an Any's type can be changed to an equivalent one only");
  type_ = type;
}

bool Any::equals(const Any& other) const {
  if (!(type() == other.type())) return false;
  if (content_ == other.content_) return true;
  return _content().octets == other._content().octets && _content().values == other._content().values;
}

}  // namespace CORBA

namespace takt::cdr {

namespace {
constexpr std::size_t steps_of_any = 8;

// An exception of which only the base class is known, for to_any().
struct FormedException {
  const CORBA::UserException& exception;
  const ExceptionForm& form;
};

// Values of the type have no octets, and an Any of it is as one that was never set.
bool is_null(const CORBA::typecode_reference& type) { return type->kind() == CORBA::TCKind::tk_null; }
}  // namespace

template <>
struct Codec<FormedException> {
  static void write(Encoder& encoder, const FormedException& formed) {
    encoder.put_raw_string(formed.exception._rep_id());
    formed.form.write(encoder, formed.exception);
  }
};

CORBA::Any exception_to_any(const CORBA::UserException& exception) {
  const ExceptionForm* const form = exception._form();
  if (!form)
    throw CORBA::NO_IMPLEMENT(0, CORBA::COMPLETED_NO,
                              std::string(exception._rep_id()) +
                                  " cannot be put into an Any, because takt-idl did not generate its class");
  return to_any(FormedException{exception, *form}, form->type());
}

Format any_format(Environment* environment) {
  static constexpr CodeSets code_sets{CodeSetId::utf_8, CodeSetId::utf_16};
  // Not limited: the content was decoded within the limits before, or inserted by the program.
  static constexpr DecoderLimits limits{.free_steps = std::numeric_limits<std::size_t>::max() / 2};
  Format format;
  format.code_sets = &code_sets;
  format.environment = environment;
  format.limits = &limits;
  return format;
}

void write_any_value(Encoder& encoder, const CORBA::Any& any) {
  const AnyContent& content = any._content();
  Decoder from(content.octets, 0, any_format(any._environment()));
  if (!content.values.empty()) {
    take_values_from(from, content.values);
  }
  if (!Transcoder(from, encoder).copy(any.type())) encoder.fail(from.error());
}

void write_any(Encoder& encoder, const CORBA::Any& any) {
  if (AnyTable* const table = collected_anys(encoder)) {
    table->push_back(any);
    return encoder.put(static_cast<std::uint32_t>(table->size()));
  }
  const CORBA::typecode_reference type = any.type();
  write_typecode(encoder, type);
  if (!is_null(type)) write_any_value(encoder, any);
}

bool read_any_value(Decoder& decoder, const CORBA::typecode_reference& type, CORBA::Any& any) {
  constexpr std::size_t any_bytes = sizeof(AnyContent) + 128;
  if (!decoder.spend(steps_of_any) || !decoder.charge(any_bytes)) return false;
  if (is_null(type)) {
    any = {};
    return true;
  }
  auto content = std::make_shared<AnyContent>();
  GatherBuffer buffer(128);
  Encoder to(buffer, any_format(decoder.format().environment));
  to.set_borrowing(false);
  collect_values(to, content->values);
  if (!Transcoder(decoder, to).copy(type)) {
    decoder.fail(to.error());
    return false;
  }
  if (!decoder.charge(buffer.owned_size() + content->values.size() * sizeof content->values[0])) return false;
  content->octets.assign(buffer.owned(), buffer.owned() + buffer.owned_size());
  if (!content->values.empty()) note_content(decoder, content);
  any = CORBA::Any(type, std::move(content), decoder.format().environment);
  return true;
}

bool read_any(Decoder& decoder, CORBA::Any& any) {
  any = {};
  if (const AnyTable* const table = given_anys(decoder)) {
    const std::uint32_t index = decoder.get_u32();
    if (index == 0 || index > table->size()) decoder.fail(Error::indirection);
    if (decoder.ok()) any = (*table)[index - 1];
    return decoder.ok();
  }
  const std::uint32_t kind = decoder.get_u32();
  if (kind == static_cast<std::uint32_t>(CORBA::TCKind::tk_null))  // the usual one, without a shared counter
    return decoder.ok() && read_any_value(decoder, basic_typecode(CORBA::TCKind::tk_null), any);
  const auto type = read_typecode(decoder, kind);
  return decoder.ok() && read_any_value(decoder, type, any);
}

CORBA::Any label_any(const CORBA::typecode_reference& discriminator, std::int64_t label) {
  using CORBA::TCKind;
  GatherBuffer buffer(16);
  Encoder encoder(buffer, any_format());
  const auto type = discriminator ? discriminator : basic_typecode(TCKind::tk_octet);
  switch (type->_unaliased()._parts().kind) {
    case TCKind::tk_wchar:
      encoder.put(static_cast<wchar_t>(label));
      break;
    case TCKind::tk_short:
    case TCKind::tk_ushort:
      encoder.put(static_cast<std::uint16_t>(label));
      break;
    case TCKind::tk_long:
    case TCKind::tk_ulong:
    case TCKind::tk_enum:
      encoder.put(static_cast<std::uint32_t>(label));
      break;
    case TCKind::tk_longlong:
    case TCKind::tk_ulonglong:
      encoder.put(label);
      break;
    default:
      encoder.put(static_cast<std::uint8_t>(label));
  }
  auto content = std::make_shared<AnyContent>();
  content->octets.assign(buffer.owned(), buffer.owned() + buffer.owned_size());
  return CORBA::Any(type, std::move(content));
}

namespace {

template <class T>
bool label_as(const CORBA::Any& discriminator, std::int64_t& label) {
  T value{};
  Decoder decoder(discriminator._content().octets, 0, any_format(discriminator._environment()));
  const bool read = Codec<T>::read(decoder, value);
  label = static_cast<std::int64_t>(value);
  return read;
}

}  // namespace

bool label_in(const CORBA::Any& discriminator, std::int64_t& label) {
  using CORBA::TCKind;
  switch (discriminator.type()->_unaliased()._parts().kind) {
    case TCKind::tk_boolean:
      return label_as<bool>(discriminator, label);
    case TCKind::tk_char:
    case TCKind::tk_octet:
      return label_as<std::uint8_t>(discriminator, label);
    case TCKind::tk_wchar:
      return label_as<wchar_t>(discriminator, label);
    case TCKind::tk_short:
      return label_as<std::int16_t>(discriminator, label);
    case TCKind::tk_ushort:
      return label_as<std::uint16_t>(discriminator, label);
    case TCKind::tk_long:
      return label_as<std::int32_t>(discriminator, label);
    case TCKind::tk_longlong:
    case TCKind::tk_ulonglong:
      return label_as<std::int64_t>(discriminator, label);
    default:
      return label_as<std::uint32_t>(discriminator, label);
  }
}

std::vector<std::uint8_t> with_values_to_make(const CORBA::Any& any) {
  const bool opaque = std::ranges::any_of(any._content().values, [](const auto& value) {
    return dynamic_cast<const OpaqueValue*>(value.get()) != nullptr;
  });
  if (!opaque) return {};
  GatherBuffer buffer(128);
  Encoder encoder(buffer, any_format(any._environment()));
  encoder.set_borrowing(false);
  write_any_value(encoder, any);
  return {buffer.owned(), buffer.owned() + buffer.owned_size()};
}

void throw_if_no_factory(const Decoder& decoder) {
  if (decoder.error() == Error::no_factory)
    raise_system_exception(
        "IDL:omg.org/CORBA/MARSHAL:1.0", CORBA::omg_minor(1), CORBA::COMPLETED_NO,
        std::string("a value could not be taken out of an Any: ") + to_text(Error::no_factory));
}

void throw_not_encoded(Error error, const char* what) {
  if (error == Error::too_long)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, std::string(what) + ": " + to_text(error));
  throw_coding_error(error, CORBA::COMPLETED_NO, what);
}

}  // namespace takt::cdr
