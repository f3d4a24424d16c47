#include "giop/copying.h"

#include <cstdint>
#include <cstring>

#include "giop/header/lite_format.h"
#include "giop/header/message_header.h"
#include "giop/relay.h"

namespace takt::giop {

namespace {

constexpr std::size_t page_bytes = 4096, far_enough = 16;

std::size_t octets_ahead(const GatherBuffer::Borrowed& run) {
  return (run.index - reinterpret_cast<std::uintptr_t>(run.octets.data())) % page_bytes;
}

// Inserts after the head, which ends at `index`; a multiple of 8, so that the body stays aligned.
void insert_octets(GatherBuffer& message, std::size_t index,
                   const std::uint32_t (&words)[far_enough / sizeof(std::uint32_t)]) {
  message.insert(index, far_enough);
  std::memcpy(message.owned() + index, words, far_enough);
  finish_message(message);
}

void lengthen_lite(GatherBuffer& message) {
  std::uint8_t& flags = message.owned()[6];
  if ((flags & lite::contexts_flag) != 0) return;
  flags |= lite::contexts_flag;
  insert_octets(message, lite::head_bytes, {1, padding_context, 4, 0});
}

void lengthen_reply(GatherBuffer& message) {
  constexpr std::size_t contexts_index = header_size + 8, head_bytes = contexts_index + 4;
  constexpr std::uint32_t one = 1;
  if (load_u32(message.owned() + contexts_index, false) != 0) return;
  std::memcpy(message.owned() + contexts_index, &one, sizeof one);
  insert_octets(message, head_bytes, {padding_context, 8, 0, 0});
}

}  // namespace

void align_for_copying(GatherBuffer& message) {
  const GatherBuffer::Borrowed run = message.first_borrowed();
  const std::size_t ahead = octets_ahead(run);
  if (ahead == 0 || ahead >= far_enough || run.index < lite::head_bytes) return;
  const std::uint8_t* const head = message.owned();
  if (is_swapped(head)) return;
  if (head[0] == lite::mark) return lengthen_lite(message);
  MessageHeader header;
  if (read_header(head, header) == HeaderError::none && header.version == Version{1, 2} &&
      header.type == MessageType::reply)
    lengthen_reply(message);
}

}  // namespace takt::giop
