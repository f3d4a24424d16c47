#include "giop/lite/messages.h"

namespace takt::giop::lite {

void write_head(cdr::Encoder& encoder, Head head, std::span<const ServiceContext> contexts, bool has_body) {
  GatherBuffer& buffer = encoder.buffer();
  buffer.ensure(head_bytes);
  std::uint8_t* const at = buffer.cursor();
  if (encoder.swaps()) {
    head.number = __builtin_bswap16(head.number);
    head.request_id = __builtin_bswap32(head.request_id);
  }
  write_bare_head(buffer, head);
  at[6] = static_cast<std::uint8_t>(encoder.format().order);
  if (contexts.empty()) return;
  at[6] |= contexts_flag;
  write_service_contexts(encoder, contexts);
  if (has_body) encoder.align(8);
}

}  // namespace takt::giop::lite
