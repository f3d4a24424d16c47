#include "interceptors/codec/cdr_codec.h"

#include <utility>

#include <takt/cdr/error.h>

namespace takt::interceptors {

namespace {

// Whether the first octet is a byte order.
bool begins_encapsulation(const std::vector<std::uint8_t>& octets) {
  return !octets.empty() && octets.front() <= 1;
}

}  // namespace

CdrCodec::CdrCodec(std::uint8_t giop_minor, const cdr::CodeSets& code_sets,
                   std::shared_ptr<cdr::Environment> environment)
    : giop_minor_(giop_minor), code_sets_(code_sets), environment_(std::move(environment)) {}

cdr::Format CdrCodec::format() const {
  cdr::Format format;
  format.giop_minor = giop_minor_;
  format.code_sets = &code_sets_;
  format.environment = environment_.get();
  return format;
}

std::vector<std::uint8_t> CdrCodec::encode_by(Write write, const CORBA::Any& data) const {
  GatherBuffer buffer(256);
  cdr::Encoder encoder(buffer, format());
  encoder.set_borrowing(false);
  encoder.put(static_cast<std::uint8_t>(cdr::native_order));
  write(encoder, data);
  if (encoder.error() == cdr::Error::wide_in_giop_1_0 || encoder.error() == cdr::Error::no_wide_code_set)
    throw InvalidTypeForEncoding();
  if (!encoder.ok()) cdr::throw_not_encoded(encoder.error(), "a codec cannot encode the value");
  return {buffer.owned(), buffer.owned() + buffer.owned_size()};
}

std::vector<std::uint8_t> CdrCodec::encode(const CORBA::Any& data) {
  return encode_by(&cdr::write_any, data);
}

std::vector<std::uint8_t> CdrCodec::encode_value(const CORBA::Any& data) {
  return encode_by(&cdr::write_any_value, data);
}

CORBA::Any CdrCodec::decode(const std::vector<std::uint8_t>& data) {
  cdr::Decoder whole(data, 0, format());
  CORBA::Any any;
  if (!whole.open_encapsulation(data, [&](cdr::Decoder& in) { cdr::read_any(in, any); }))
    throw FormatMismatch();
  return any;
}

CORBA::Any CdrCodec::decode_value(const std::vector<std::uint8_t>& data,
                                  const CORBA::typecode_reference& type) {
  if (!type) throw CORBA::BAD_TYPECODE(0, CORBA::COMPLETED_NO, "a codec needs the type of a value");
  if (!begins_encapsulation(data)) throw FormatMismatch();
  cdr::Decoder whole(data, 0, format());
  CORBA::Any any;
  if (!whole.open_encapsulation(data, [&](cdr::Decoder& in) { cdr::read_any_value(in, type, any); }))
    throw TypeMismatch();
  return any;
}

}  // namespace takt::interceptors
