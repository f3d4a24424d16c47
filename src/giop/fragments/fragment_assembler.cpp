#include "giop/fragments/fragment_assembler.h"

#include <algorithm>
#include <new>

#include "giop/header/head_reader.h"

namespace takt::giop {

namespace {

constexpr std::size_t fragment_head_bytes = header_size + 4;  // with the request id of GIOP 1.2

bool may_be_in_parts(const MessageHeader& header) {
  if (!rules_of(header.version).fragments) return false;
  if (header.type == MessageType::request || header.type == MessageType::reply) return true;
  return rules_of(header.version).fragment_ids &&
         (header.type == MessageType::locate_request || header.type == MessageType::locate_reply);
}

bool is_reply(const MessageHeader& header) {
  return header.type == MessageType::reply || header.type == MessageType::locate_reply;
}

std::uint32_t request_id_of(const MessageHeader& header, ByteView message) {
  return load_u32(message.data() + header_size, header.order != cdr::native_order);
}

// Before GIOP 1.2 the id is behind the service contexts; nullopt: it has not arrived.
template <bool Swap>
[[gnu::cold]] std::optional<std::uint32_t> id_behind_contexts(ByteView message) {
  HeadReader<Swap> in(message.data(), message.size(), header_size);
  std::uint32_t contexts = 0, id = 0;
  ByteView data;
  if (!in.u32(contexts)) return std::nullopt;
  for (; contexts != 0; --contexts)
    if (!in.u32(id) || !in.octets(data)) return std::nullopt;
  return in.u32(id) ? std::optional(id) : std::nullopt;
}

// The id of an incomplete message.
[[gnu::cold]] std::optional<std::uint32_t> id_of(const MessageHeader& header, ByteView first_parts) {
  if (rules_of(header.version).fragment_ids) return request_id_of(header, first_parts);
  return header.order == cdr::native_order ? id_behind_contexts<false>(first_parts)
                                           : id_behind_contexts<true>(first_parts);
}

}  // namespace

bool FragmentAssembler::holds_reply() const {
  return std::ranges::any_of(partial_, [](const Partial& partial) { return is_reply(partial.header); });
}

FragmentAssembler::Position FragmentAssembler::find(const MessageHeader& header, std::uint32_t request_id) {
  const bool by_id = rules_of(header.version).fragment_ids;
  return std::find_if(partial_.begin(), partial_.end(), [&](const Partial& partial) {
    return rules_of(partial.header.version).fragment_ids == by_id &&
           (!by_id || partial.request_id == request_id);
  });
}

void FragmentAssembler::drop(Position position) {
  held_bytes_ -= position->bytes();
  held_capacity_ -= position->capacity();
  memory_.shrink(held_capacity_);
  if (position != partial_.end() - 1) *position = std::move(partial_.back());
  partial_.pop_back();
}

// Makes room for `more` elements. Returns false, and changes nothing, if there is no memory.
template <class T>
bool FragmentAssembler::make_room(std::vector<T>& elements, std::size_t more) {
  const std::size_t before = elements.capacity();
  if (more <= before - elements.size()) return true;
  const std::size_t wanted = std::max(elements.size() + more, 2 * elements.size());
  const std::size_t wanted_bytes = held_capacity_ + wanted * sizeof(T);
  if (!memory_.resize(wanted_bytes)) {
    refused_bytes_ = wanted_bytes;
    return false;
  }
  try {
    elements.reserve(wanted);
  } catch (const std::bad_alloc&) {
    memory_.shrink(held_capacity_);
    refused_bytes_ = 0;
    return false;
  }
  held_capacity_ += (elements.capacity() - before) * sizeof(T);
  memory_.shrink(held_capacity_);
  return true;
}

FragmentError FragmentAssembler::begin(const MessageHeader& header, ByteView message) {
  if (!may_be_in_parts(header)) return FragmentError::not_in_parts;
  const bool by_id = rules_of(header.version).fragment_ids;
  std::uint32_t request_id = 0;
  if (by_id) {
    if (message.size() < fragment_head_bytes) return FragmentError::too_short;
    if (message.size() % 8 != 0) return FragmentError::misaligned;
    request_id = request_id_of(header, message);
  }
  if (find(header, request_id) != partial_.end()) return FragmentError::begun_twice;
  if (partial_.size() >= limits_.partial_messages) return FragmentError::too_many;
  if (held_bytes_ + message.size() > limits_.fragments_bytes) return FragmentError::too_long;
  std::vector<std::uint8_t> octets;
  if (!make_room(octets, message.size())) return FragmentError::no_memory;
  octets.insert(octets.end(), message.begin(), message.end());
  held_bytes_ += message.size();
  partial_.push_back({header, request_id, std::move(octets), {}, std::nullopt});
  return FragmentError::none;
}

FragmentError FragmentAssembler::add(const MessageHeader& header, ByteView message,
                                     std::vector<std::uint8_t>& whole, std::vector<std::uint32_t>& starts) {
  if (!rules_of(header.version).fragments) return FragmentError::not_in_parts;
  const bool by_id = rules_of(header.version).fragment_ids;
  const std::size_t head = by_id ? fragment_head_bytes : header_size;
  if (message.size() < head) return FragmentError::too_short;
  if (by_id && header.more_fragments && message.size() % 8 != 0) return FragmentError::misaligned;
  const std::uint32_t request_id = by_id ? request_id_of(header, message) : 0;
  const Position partial = find(header, request_id);
  if (partial == partial_.end()) {
    // Parts of a cancelled message may still arrive.
    return by_id && was_cancelled(request_id, header.more_fragments) ? FragmentError::none
                                                                     : FragmentError::not_begun;
  }
  if (partial->header.order != header.order || partial->header.version != header.version)
    return FragmentError::changed;
  const FragmentError appended = append(*partial, message.subspan(head), !by_id);
  if (appended != FragmentError::none || header.more_fragments) return appended;
  complete(partial, whole, starts);
  return FragmentError::none;
}

FragmentError FragmentAssembler::append(Partial& partial, ByteView data, bool notes_start) {
  const std::size_t start_bytes = !notes_start || data.empty() ? 0 : sizeof(std::uint32_t);
  if (held_bytes_ + data.size() + start_bytes > limits_.fragments_bytes ||
      partial.octets.size() + data.size() > limits_.message_bytes)
    return FragmentError::too_long;
  if (!make_room(partial.octets, data.size()) || (start_bytes != 0 && !make_room(partial.starts, 1)))
    return FragmentError::no_memory;
  if (start_bytes != 0) partial.starts.push_back(static_cast<std::uint32_t>(partial.octets.size()));
  partial.octets.insert(partial.octets.end(), data.begin(), data.end());
  held_bytes_ += data.size() + start_bytes;
  return FragmentError::none;
}

void FragmentAssembler::complete(Position partial, std::vector<std::uint8_t>& whole,
                                 std::vector<std::uint32_t>& starts) {
  memory_of_whole_ = MemoryCharge(memory_.budget());
  memory_.shrink(held_capacity_ - partial->capacity());
  // If another connection has taken the memory meanwhile, this message is still completed, uncounted.
  static_cast<void>(memory_of_whole_.resize(partial->capacity()));
  held_bytes_ -= partial->bytes();
  held_capacity_ -= partial->capacity();
  whole = std::move(partial->octets);
  starts = std::move(partial->starts);
  partial->octets.clear();
  partial->starts.clear();
  drop(partial);
  whole[6] &= static_cast<std::uint8_t>(~more_fragments_flag);
  store_message_size(whole.data(), static_cast<std::uint32_t>(whole.size() - header_size));
}

void FragmentAssembler::skip_fragments(std::uint32_t request_id) {
  if (cancelled_.size() == max_cancelled) cancelled_.erase(cancelled_.begin());
  cancelled_.push_back(request_id);
}

std::vector<std::uint8_t> FragmentAssembler::give_up(const MessageHeader& header, ByteView message) {
  const bool by_id = rules_of(header.version).fragment_ids;
  const std::uint32_t request_id = by_id ? request_id_of(header, message) : 0;
  if (by_id && header.more_fragments) skip_fragments(request_id);
  const Position partial = find(header, request_id);
  if (header.type != MessageType::fragment || partial == partial_.end()) return {};
  held_bytes_ -= partial->bytes();
  held_capacity_ -= partial->capacity();
  memory_.shrink(held_capacity_);
  std::vector<std::uint8_t> before = std::exchange(partial->octets, {});
  partial->starts = std::vector<std::uint32_t>();
  drop(partial);
  return before;
}

[[gnu::cold]] void FragmentAssembler::cancel(std::uint32_t request_id) {
  Position partial = partial_.begin();
  while (partial != partial_.end() &&
         (is_reply(partial->header) || id_of(partial->header, partial->octets) != request_id))
    ++partial;
  if (partial == partial_.end()) return;
  const bool parts_have_ids = rules_of(partial->header.version).fragment_ids;
  drop(partial);
  if (parts_have_ids) skip_fragments(request_id);
}

bool FragmentAssembler::was_cancelled(std::uint32_t request_id, bool more) {
  const auto found = std::find(cancelled_.begin(), cancelled_.end(), request_id);
  if (found == cancelled_.end()) return false;
  if (!more) cancelled_.erase(found);
  return true;
}

std::optional<FragmentAssembler::TimePoint> FragmentAssembler::next_deadline(TimePoint now) {
  std::optional<TimePoint> oldest;
  for (Partial& partial : partial_) {
    if (!partial.since) partial.since = now;
    if (!oldest || *partial.since < *oldest) oldest = partial.since;
  }
  if (!oldest) return std::nullopt;
  return *oldest + std::chrono::duration_cast<TimePoint::duration>(limits_.message_time.get());
}

const char* to_text(FragmentError error) {
  switch (error) {
    case FragmentError::none:
      return "";
    case FragmentError::not_begun:
      return "a fragment of a message that was not begun";
    case FragmentError::begun_twice:
      return "a message begun while one with its id was incomplete";
    case FragmentError::changed:
      return "a fragment whose byte order or version differs from the first part's";
    case FragmentError::not_in_parts:
      return "fragments of a message that cannot have any";
    case FragmentError::misaligned:
      return "a fragment before the last whose length is not a multiple of 8";
    case FragmentError::too_short:
      return "a fragment shorter than its own head";
    case FragmentError::too_many:
      return "more fragmented messages at a time than the limit";
    case FragmentError::too_long:
      return "a fragmented message longer than the limit";
    case FragmentError::no_memory:
      return "a fragmented message for which there is no memory";
  }
  return "";
}

}  // namespace takt::giop
