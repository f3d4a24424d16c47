// The file of an ORB's spans (-ORBTraceFile): a head, then slots of equal length. Numbers have the byte order
// of the machine that wrote them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/tracing/tracing.h>

#include "os/memory/file_origin.h"

namespace takt::tracing {

inline constexpr std::string_view span_file_magic = "TAKTSPAN";
inline constexpr std::uint32_t span_file_version = 1;
inline constexpr std::size_t span_file_head_bytes = 4096;
inline constexpr std::uint64_t most_spans_of_a_file = 16'777'216;  // the greatest -ORBTraceSpans

// At the start of the file.
struct SpanFileHead {
  char magic[8];
  std::uint32_t version;
  std::uint32_t slot_bytes;
  std::uint64_t slots;
  os::FileOrigin origin;
  alignas(64) std::atomic<std::uint64_t> next;      // number of the next span
  alignas(64) std::atomic<std::uint64_t> left_out;  // spans for which there was no slot
};
static_assert(sizeof(SpanFileHead) <= span_file_head_bytes);

// Span N is in slot N modulo their number.
struct SpanSlot {
  static constexpr std::size_t most_name = 64, most_failure = 64, most_peer = 48;

  // 0: empty. 2 N + 1: span N is being written. 2 N + 2: it is complete.
  std::atomic<std::uint64_t> turn;
  TraceId trace;
  SpanId span, parent;
  std::int64_t start_ns, duration_ns;
  std::uint32_t thread;
  std::uint8_t kind;  // SpanKind
  std::uint8_t failed;
  std::uint8_t name_size, failure_size, peer_size, unused[3];
  char text[most_name + most_failure + most_peer];  // one after the other
  std::uint8_t rest[256 - 8 - 16 - 2 * 8 - 2 * 8 - 4 - 8 - (most_name + most_failure + most_peer)];
};
static_assert(sizeof(SpanSlot) == 256);

// A span as it was read. Texts come from peers, and may have any octets.
struct ReadSpan {
  TraceId trace;
  SpanId span, parent;  // parent: all zeros if the span begins its trace
  std::int64_t start_ns, duration_ns;
  std::uint32_t thread;
  std::uint8_t kind;  // 1 to 3: SpanKind
  bool failed;
  std::string name, failure, peer;
};

struct SpanFile {
  std::uint64_t process = 0;
  std::int64_t start_ns = 0;
  std::string program, orb, host;
  std::uint64_t ended = 0;      // spans that were to be kept
  std::uint64_t left_out = 0;   // spans among them for which there was no slot
  std::uint64_t torn = 0;       // slots that were being written, or are invalid
  std::vector<ReadSpan> spans;  // in the order in which they ended
};

// Reads all of `to` from that offset of a file; false if the file ends before. Must not keep octets in
// between.
using ReadAt = std::function<bool(std::uint64_t offset, std::span<std::uint8_t> to)>;

// Reads a file to which a process may write meanwhile. A slot is whole if two reads, one after the other,
// find the same complete span. Other slots, and invalid ones, are left out. The error is for people. Never
// fails for want of a valid slot.
std::expected<SpanFile, std::string> read_span_file(const ReadAt& read_at);
std::expected<SpanFile, std::string> read_span_file(ByteView file);

}  // namespace takt::tracing
