#include "recorder/passing_messages.h"

#include <algorithm>

#include "giop/message_form.h"
#include "recorder/ring_writing.h"

namespace takt::recorder {

// `octets`: at least start_bytes, or a whole message.
[[gnu::always_inline]] inline void PassingMessages::begin(ByteView octets) noexcept {
  const bool is_message = giop::message_form(octets.data()).has_value();
  kind_ = is_message ? PieceKind::message : PieceKind::other;
  size_ = is_message ? giop::whole_message_bytes(octets.data()) : octets.size();
  offset_ = 0;
  const std::uint64_t recordable =
      secrets_.recordable(octets, place_in_stream_.direction == Direction::received);
  recordable_ = std::min<std::uint64_t>(ring_.message_bytes(), recordable);
  secret_bytes_ = recordable == SecretMessages::everything ? 0 : static_cast<std::uint16_t>(recordable);
}

// Whether the octets are a whole message of GIOP that is recorded as it is.
[[gnu::always_inline]] inline bool PassingMessages::is_short(ByteView octets) const noexcept {
  return is_between_ && octets.size() >= start_bytes && octets.size() <= most_short_ &&
         giop::begins_giop(octets.data()) && giop::whole_message_bytes(octets.data()) == octets.size() &&
         !secret_operations::exist();
}

// Most octets that pass together are such a message.
void PassingMessages::pass(ByteView octets, std::int64_t time_ns) noexcept {
  if (is_short(octets) && ring_.put_short(place_in_stream_, octets, time_ns, run_)) [[likely]]
    place_in_stream_.stream_offset += octets.size();
  else
    pass_any(octets, time_ns);
}

// The same for a message that finds no room in the run, and for all other octets.
[[gnu::noinline]] void PassingMessages::pass_any(ByteView octets, std::int64_t time_ns) noexcept {
  if (is_short(octets) && ring_.renew(run_, octets.size())) return pass(octets, time_ns);
  pass_messages(octets, time_ns);
  is_between_ = offset_ == size_ && start_size_ == 0;
}

void PassingMessages::pass_messages(ByteView octets, std::int64_t time_ns) noexcept {
  while (!octets.empty()) {
    if (offset_ == size_) {
      if (start_size_ != 0 || octets.size() < start_bytes) [[unlikely]] {
        octets = pass_divided_start(octets, time_ns);
        continue;
      }
      begin(octets);
    }
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(octets.size(), size_ - offset_));
    put(octets.first(count), time_ns);
    octets = octets.subspan(count);
  }
}

// Takes octets until the id of a message's request is known, or the message ends. The result is what is left.
[[gnu::cold, gnu::noinline]] ByteView PassingMessages::pass_divided_start(ByteView octets,
                                                                          std::int64_t time_ns) noexcept {
  const auto take = [&](std::uint64_t wanted) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(wanted - start_size_, octets.size()));
    std::ranges::copy(octets.first(count), start_.begin() + static_cast<std::ptrdiff_t>(start_size_));
    start_size_ += count;
    octets = octets.subspan(count);
    return start_size_ == wanted;
  };
  if (start_size_ < giop::header_size && !take(giop::header_size)) return octets;
  const std::uint64_t wanted =
      giop::message_form(start_.data())
          ? std::min<std::uint64_t>(giop::whole_message_bytes(start_.data()), start_bytes)
          : start_size_;
  if (take(wanted)) pass_start(time_ns);
  return octets;
}

void PassingMessages::pass_start(std::int64_t time_ns) noexcept {
  const ByteView start = divided_start();
  begin(start);
  start_size_ = 0;
  put(start, time_ns);
}

void PassingMessages::put(ByteView octets, std::int64_t time_ns) noexcept {
  if (offset_ < recordable_) [[likely]]
    ring_.put({.time_ns = time_ns,
               .stream_offset = place_in_stream_.stream_offset,
               .connection = place_in_stream_.connection,
               .message_bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(size_, UINT32_MAX)),
               .offset = static_cast<std::uint32_t>(offset_),
               .direction = place_in_stream_.direction,
               .kind = kind_,
               .secret_bytes = secret_bytes_,
               .octets = octets.first(std::min<std::size_t>(octets.size(), recordable_ - offset_))},
              run_);
  offset_ += octets.size();
  place_in_stream_.stream_offset += octets.size();
}

void PassingMessages::end() noexcept {
  if (start_size_ == 0) return;
  if (start_size_ >= giop::header_size) return pass_start(ring_.now());
  kind_ = PieceKind::other;
  size_ = start_size_;
  offset_ = 0;
  recordable_ = ring_.message_bytes();
  secret_bytes_ = 0;
  put(divided_start(), ring_.now());
}

}  // namespace takt::recorder
