#include "giop/header/lite_format.h"

namespace takt::giop::lite {

HeaderError read_header(const std::uint8_t* octets, MessageHeader& header) {
  if (octets[0] != mark) return HeaderError::not_giop;
  if (octets[1] != format_version) return HeaderError::version;
  const std::uint8_t flags = octets[6];
  if (flags > (order_flag | contexts_flag)) return HeaderError::flags;
  const auto type = static_cast<MessageType>(octets[7]);
  if (type != MessageType::request && type != MessageType::reply) return HeaderError::type;
  header = {.version = {1, 2},
            .order = static_cast<cdr::ByteOrder>(flags & order_flag),
            .more_fragments = false,
            .form = MessageForm::lite,
            .type = type,
            .body_bytes = load_message_size(octets)};
  return HeaderError::none;
}

}  // namespace takt::giop::lite
