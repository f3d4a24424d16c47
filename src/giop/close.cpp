#include "giop/close.h"

namespace takt::giop {

namespace {

std::array<std::uint8_t, header_size> bare(Version version, MessageType type) {
  std::array<std::uint8_t, header_size> message{};
  write_header(message.data(), version, cdr::native_order, type);
  return message;
}

}  // namespace

std::array<std::uint8_t, header_size> close_connection(Version version) {
  return bare(version, MessageType::close_connection);
}

std::array<std::uint8_t, header_size> message_error(std::uint8_t giop_minor) {
  return bare({1, giop_minor}, MessageType::message_error);
}

std::array<std::uint8_t, header_size + 4> cancel_request(Version version, std::uint32_t request_id) {
  std::array<std::uint8_t, header_size + 4> message{};
  write_header(message.data(), version, cdr::native_order, MessageType::cancel_request);
  store_message_size(message.data(), sizeof request_id);
  std::memcpy(message.data() + header_size, &request_id, sizeof request_id);
  return message;
}

std::array<std::uint8_t, header_size + 4> cancel_request(const std::uint8_t* request,
                                                         std::uint32_t request_id) {
  MessageHeader header;
  const bool is_giop = read_header(request, header) == HeaderError::none;
  return cancel_request(is_giop ? header.version : Version{}, request_id);
}

}  // namespace takt::giop
