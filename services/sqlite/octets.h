// Values of IDL as octets, for the stores of services. A file may move to a machine with another byte order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <takt/base/gather_buffer.h>
#include <takt/cdr/any.h>
#include <takt/cdr/codec.h>

namespace takt::sqlite {

inline cdr::Format stored_format(cdr::Environment* environment) {
  cdr::Format format = cdr::any_format(environment);
  format.order = cdr::ByteOrder::little;
  return format;
}

// MARSHAL (OMG minor 4) for a local object.
template <class T>
std::string octets_of(const T& value) {
  GatherBuffer buffer(512);
  cdr::Encoder encoder(buffer, stored_format(nullptr));
  encoder.set_borrowing(false);
  cdr::write(encoder, value);
  if (!encoder.ok()) cdr::throw_not_encoded(encoder.error(), "a value could not be encoded");
  return {reinterpret_cast<const char*>(buffer.owned()), buffer.owned_size()};
}

// False for octets that are no T. `environment` makes the references in it, and must outlive it.
template <class T>
bool read_octets(std::string_view octets, T& value, cdr::Environment* environment) {
  cdr::Decoder decoder(ByteView(reinterpret_cast<const std::uint8_t*>(octets.data()), octets.size()), 0,
                       stored_format(environment));
  return cdr::read(decoder, value) && decoder.ok();
}

}  // namespace takt::sqlite
