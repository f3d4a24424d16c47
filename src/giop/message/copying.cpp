#include "giop/message/copying.h"

#include <cstdint>
#include <cstring>

#include "giop/lite/format.h"
#include "giop/message/message_header.h"
#include "giop/relay.h"

namespace takt::giop {

namespace {

constexpr std::size_t page_bytes = 4096, far_enough = 16;

std::size_t octets_ahead(const GatherBuffer::Borrowed& run) {
  return (run.index - reinterpret_cast<std::uintptr_t>(run.octets.data())) % page_bytes;
}

}  // namespace

void ease_copying(GatherBuffer& message) {
  const GatherBuffer::Borrowed run = message.first_borrowed();
  const std::size_t ahead = octets_ahead(run);
  if (ahead == 0 || ahead >= far_enough || run.index < lite::head_bytes) return;
  std::uint8_t* const head = message.owned();
  const bool ours = (head[6] & order_flag) == static_cast<std::uint8_t>(cdr::native_order);
  if (head[0] != lite::mark || !ours || (head[6] & lite::contexts_flag) != 0) return;
  head[6] |= lite::contexts_flag;
  message.insert(lite::head_bytes, far_enough);  // a multiple of 8, so that the body stays aligned
  const std::uint32_t one_context[] = {1, padding_context, 4, 0};
  static_assert(sizeof one_context == far_enough);
  std::memcpy(message.owned() + lite::head_bytes, one_context, sizeof one_context);
  finish_message(message);
}

}  // namespace takt::giop
