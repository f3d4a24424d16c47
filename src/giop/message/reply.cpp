#include "giop/message/reply.h"

namespace takt::giop {

void write_reply_in_full(cdr::Encoder& encoder, Version version, std::uint32_t request_id, ReplyStatus status,
                         std::span<const ServiceContext> contexts, bool has_body) {
  const VersionRules& rules = rules_of(version);
  std::uint8_t header[header_size];
  write_header(header, version, encoder.format().order, MessageType::reply);
  encoder.put_octets(header);
  if (!rules.contexts_last) write_service_contexts(encoder, contexts);
  encoder.put(request_id);
  encoder.put(static_cast<std::uint32_t>(status));
  if (rules.contexts_last) write_service_contexts(encoder, contexts);
  if (rules.aligned_bodies && has_body) encoder.align(8);
}

}  // namespace takt::giop
