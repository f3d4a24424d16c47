#include "giop/lite/messages.h"

#include "giop/message/head_reader.h"

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

std::array<std::uint8_t, offer_bytes> write_offer(std::uint16_t number) {
  std::array<std::uint8_t, offer_bytes> data{static_cast<std::uint8_t>(cdr::native_order)};
  std::memcpy(data.data() + 2, &number, sizeof number);
  return data;
}

std::optional<std::uint16_t> read_offer(ByteView data) {
  std::uint16_t number = 0;
  if (!open_encapsulation(data, [&number](auto& in) { return in.u16(number); })) return std::nullopt;
  return number;
}

}  // namespace takt::giop::lite
