#include "tracing/span_file.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "tracing/trace_context.h"

namespace takt::tracing {

namespace {

// A member of a structure in the file; the file may have any octets, at any address.
template <class Member>
Member member(const std::uint8_t* at, std::size_t offset) {
  Member value;
  std::memcpy(&value, at + offset, sizeof value);
  return value;
}

std::string text(const std::uint8_t* at, std::size_t size) {
  return {reinterpret_cast<const char*>(at), size};
}

#define TAKT_HEAD(name, type) member<type>(at, offsetof(SpanFileHead, name))
#define TAKT_SLOT(name, type) member<type>(at, offsetof(SpanSlot, name))

// False if the slot holds no complete span.
bool read_slot(const std::uint8_t* at, ReadSpan& span) {
  span.trace = TAKT_SLOT(trace, TraceId);
  span.span = TAKT_SLOT(span, SpanId);
  span.parent = TAKT_SLOT(parent, SpanId);
  span.start_ns = TAKT_SLOT(start_ns, std::int64_t);
  span.duration_ns = TAKT_SLOT(duration_ns, std::int64_t);
  span.thread = TAKT_SLOT(thread, std::uint32_t);
  span.kind = TAKT_SLOT(kind, std::uint8_t);
  span.failed = TAKT_SLOT(failed, std::uint8_t) != 0;
  const std::size_t name = TAKT_SLOT(name_size, std::uint8_t),
                    failure = TAKT_SLOT(failure_size, std::uint8_t),
                    peer = TAKT_SLOT(peer_size, std::uint8_t);
  constexpr std::int64_t most_ns = std::int64_t{1} << 62;
  const bool times =
      span.start_ns >= 0 && span.start_ns < most_ns && span.duration_ns >= 0 && span.duration_ns < most_ns;
  const bool texts =
      name <= SpanSlot::most_name && failure <= SpanSlot::most_failure && peer <= SpanSlot::most_peer;
  if (!times || !texts || span.kind < 1 || span.kind > 3 || is_zero(span.trace) || is_zero(span.span))
    return false;
  const std::uint8_t* const texts_at = at + offsetof(SpanSlot, text);
  span.name = text(texts_at, name);
  span.failure = text(texts_at + name, failure);
  span.peer = text(texts_at + name + failure, peer);
  return true;
}

}  // namespace

std::expected<SpanFile, std::string> read_span_file(const ReadAt& read_at) {
  std::array<std::uint8_t, span_file_head_bytes> head;
  const std::uint8_t* at = head.data();
  if (!read_at(0, head) || text(at, span_file_magic.size()) != span_file_magic)
    return std::unexpected("it is not a file of -ORBTraceFile");
  if (TAKT_HEAD(version, std::uint32_t) != span_file_version ||
      TAKT_HEAD(slot_bytes, std::uint32_t) != sizeof(SpanSlot))
    return std::unexpected("it is of another version of Takt, or of a machine with another byte order");
  const auto slots = TAKT_HEAD(slots, std::uint64_t);
  if (slots > most_spans_of_a_file)
    return std::unexpected("it says that it has more spans than a file can have");
  SpanFile read;
  const auto origin = TAKT_HEAD(origin, os::FileOrigin);
  const os::FileOwner owner = origin.owner();
  read.process = origin.process;
  read.start_ns = origin.start_ns;
  read.program = owner.program;
  read.orb = owner.orb;
  read.host = owner.host;
  read.ended = TAKT_HEAD(next, std::uint64_t);
  read.left_out = TAKT_HEAD(left_out, std::uint64_t);
  std::vector<std::pair<std::uint64_t, ReadSpan>> found;
  std::array<std::uint8_t, sizeof(SpanSlot)> slot, again;
  for (std::uint64_t i = 0; i < slots; ++i) {
    const std::uint64_t offset = span_file_head_bytes + i * sizeof(SpanSlot);
    if (!read_at(offset, slot) || !read_at(offset, again))
      return std::unexpected("it has been cut: it ends before its last slot");
    at = slot.data();
    const auto turn = TAKT_SLOT(turn, std::uint64_t);
    if (turn == 0) continue;
    ReadSpan span;
    if (turn % 2 != 0 || (turn / 2 - 1) % slots != i || slot != again || !read_slot(at, span))
      ++read.torn;
    else
      found.emplace_back(turn, std::move(span));
  }
  std::ranges::sort(found, {}, [](const auto& one) { return one.first; });
  for (auto& [turn, span] : found) read.spans.push_back(std::move(span));
  return read;
}

std::expected<SpanFile, std::string> read_span_file(ByteView file) {
  return read_span_file([file](std::uint64_t offset, std::span<std::uint8_t> to) {
    if (offset > file.size() || to.size() > file.size() - offset) return false;
    std::ranges::copy(file.subspan(static_cast<std::size_t>(offset), to.size()), to.begin());
    return true;
  });
}

#undef TAKT_HEAD
#undef TAKT_SLOT

}  // namespace takt::tracing
