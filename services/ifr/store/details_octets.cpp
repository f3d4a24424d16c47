#include "ifr/store/details_octets.h"

#include <takt/base/gather_buffer.h>
#include <takt/cdr/codec.h>

namespace takt::ifr {
namespace {

// The file may move to a machine with another byte order.
cdr::Format stored_format() {
  cdr::Format format = cdr::any_format();
  format.order = cdr::ByteOrder::little;
  return format;
}

}  // namespace

std::vector<std::uint8_t> octets_of(const Details& details) {
  GatherBuffer buffer(512);
  cdr::Encoder encoder(buffer, stored_format());
  encoder.set_borrowing(false);
  cdr::write(encoder, static_cast<const Takt::Ifr::Details&>(details));
  cdr::write(encoder, details.more);
  if (!encoder.ok())
    cdr::throw_not_encoded(encoder.error(), "the parts of a definition could not be encoded");
  return {buffer.owned(), buffer.owned() + buffer.owned_size()};
}

bool read_details(std::span<const std::uint8_t> octets, Details& details) {
  cdr::Decoder decoder(ByteView(octets.data(), octets.size()), 0, stored_format());
  if (!cdr::read(decoder, static_cast<Takt::Ifr::Details&>(details)) || !decoder.ok()) return false;
  details.more = {};
  if (decoder.remaining() == 0) return true;  // from a file of version 1
  return cdr::read(decoder, details.more) && decoder.ok();
}

}  // namespace takt::ifr
