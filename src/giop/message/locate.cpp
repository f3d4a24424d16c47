#include "giop/message/locate.h"

#include "giop/header/message_header.h"

namespace takt::giop {

void write_locate_request(cdr::Encoder& encoder, const PreparedTarget& target, std::uint32_t request_id) {
  std::uint8_t header[header_size];
  write_header(header, target.version(), cdr::native_order, MessageType::locate_request);
  encoder.put_octets(header);
  encoder.put(request_id);
  // The address is at 16 here and at 20 or 24 in a Request. These are equal modulo 4, its only alignment.
  encoder.put_octets(target.address());
}

void write_locate_reply(cdr::Encoder& encoder, Version version, std::uint32_t request_id,
                        LocateStatus status) {
  std::uint8_t header[header_size];
  write_header(header, version, encoder.format().order, MessageType::locate_reply);
  encoder.put_octets(header);
  encoder.put(request_id);
  encoder.put(static_cast<std::uint32_t>(status));
}

}  // namespace takt::giop
