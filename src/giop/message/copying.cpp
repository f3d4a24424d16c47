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

// Bodies stay aligned, since `bytes` is a multiple of 8.
void insert_context(GatherBuffer& message, std::size_t count_index, std::size_t at, std::size_t bytes) {
  const std::size_t before = at - count_index;  // the count, where the head has one already
  message.insert(at, bytes);
  std::uint8_t* const list = message.owned() + count_index;
  const std::uint32_t words[] = {1, padding_context, static_cast<std::uint32_t>(before + bytes - 12)};
  std::memcpy(list, words, sizeof words);
  finish_message(message);
}

}  // namespace

void ease_copying(GatherBuffer& message) {
  const GatherBuffer::Borrowed run = message.first_borrowed();
  const std::size_t ahead = octets_ahead(run);
  if (ahead == 0 || ahead >= far_enough) return;
  constexpr std::size_t giop_count = 20, giop_end = 24;
  std::uint8_t* const head = message.owned();
  const bool ours = (head[6] & order_flag) == static_cast<std::uint8_t>(cdr::native_order);
  MessageHeader header;
  if (head[0] == lite::mark) {
    if (!ours || (head[6] & lite::contexts_flag) != 0 || run.index < lite::head_bytes) return;
    head[6] |= lite::contexts_flag;
    insert_context(message, lite::head_bytes, lite::head_bytes, 16);
  } else if (ours && read_header(head, header) == HeaderError::none && header.version.minor >= 2 &&
             header.type == MessageType::reply && run.index >= giop_end &&
             load_u32(head + giop_count, false) == 0) {
    insert_context(message, giop_count, giop_end, ahead >= 8 ? 8 : 16);
  }
}

}  // namespace takt::giop
