// The file of a recording (-ORBRecorderFile): a head, a table of connections, then blocks. Numbers have the
// byte order of the machine that wrote them. The ring writes it, and anyone may read it meanwhile.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "os/memory/file_origin.h"

namespace takt::recorder {

inline constexpr std::string_view recording_magic = "TAKTRECO";
inline constexpr std::uint32_t recording_version = 1;
inline constexpr std::size_t head_bytes = 4096;
inline constexpr std::size_t block_bytes = 128;

// At the start of the file.
struct RecordingHead {
  char magic[8];
  std::uint32_t version;
  std::uint32_t connections;  // entries of their table
  std::uint64_t blocks;
  std::uint64_t message_bytes;  // the octets that are kept of a message at most
  os::FileOrigin origin;
  alignas(64) std::uint64_t next_block;       // number of the next block that no writer has taken
  alignas(64) std::uint64_t left_out;         // pieces for which a block was taken
  alignas(64) std::uint32_t next_connection;  // number of the next connection
  std::uint32_t unnamed;                      // connections for which the table had no entry
  // These describe a copy, and are 0 in the recording itself.
  static constexpr std::size_t most_reason = 120;
  std::int64_t copied_ns;  // since 1970, UTC
  std::uint8_t reason_size;
  char reason[most_reason];  // for people
};
static_assert(sizeof(RecordingHead) <= head_bytes);

// An entry of a connection. It keeps what a connection that has closed was, until another one needs it.
struct ConnectionEntry {
  static constexpr std::size_t most_text = 248;

  std::uint64_t turn;        // odd: it is being written
  std::uint32_t is_taken;    // 1: the connection is open
  std::uint32_t number;      // from 1; 0: the entry was never used
  std::int64_t opened_ns;    // since 1970, UTC
  std::int64_t closed_ns;    // 0: it has not closed
  std::uint8_t is_accepted;  // 1: the peer has opened it
  std::uint8_t text_size;
  std::uint8_t unused[6];
  char text[most_text];  // Stream::describe(), cut
};
static_assert(sizeof(ConnectionEntry) == 288);

// Block N is in place N modulo their number. Its turn is 4 (N + 1) plus its state, or 0 if the place is
// empty.
enum class BlockState : std::uint8_t { writing = 1, first = 2, next = 3 };

constexpr std::uint64_t turn_of(std::uint64_t block, BlockState state) {
  return (block + 1) * 4 + static_cast<std::uint64_t>(state);
}

// Writers take blocks beforehand, and use none that are further behind the next one than this. The order of
// blocks is therefore that of messages within a direction of a connection, and else their times are.
inline constexpr std::uint64_t most_blocks_behind = 2048;

enum class Direction : std::uint8_t { received = 0, sent = 1 };

enum class PieceKind : std::uint8_t {
  nothing = 0,  // it was given up
  message = 1,  // part of a message of GIOP, GIOPlite or a compressed one
  other = 2,    // octets that begin no message
};

// The first block of a piece of a message: octets that passed in one read or write.
struct FirstBlock {
  static constexpr std::size_t most_octets = 80;

  std::uint64_t turn;
  std::int64_t time_ns;         // since 1970, UTC; of a piece that was sent, before the write
  std::uint64_t stream_offset;  // octets of the connection's direction before the piece
  std::uint32_t connection;
  std::uint32_t thread;         // the system's id
  std::uint32_t message_bytes;  // size of the whole message; 2^32 - 1: that size or more
  std::uint32_t offset;         // begin of the piece in the message
  std::uint32_t size;           // octets of the piece, here and in the next blocks
  std::uint8_t direction;       // Direction
  std::uint8_t kind;            // PieceKind
  std::uint16_t secret_bytes;   // not 0: the message may be secret, and has no more octets here than these
  std::uint8_t octets[most_octets];
};

// The following blocks of a piece.
struct NextBlock {
  static constexpr std::size_t most_octets = 120;

  std::uint64_t turn;
  std::uint8_t octets[most_octets];
};

static_assert(sizeof(FirstBlock) == block_bytes && sizeof(NextBlock) == block_bytes);
static_assert(std::is_trivially_copyable_v<RecordingHead> && std::is_trivially_copyable_v<ConnectionEntry>);

// The blocks of a piece after its first.
constexpr std::uint64_t next_blocks(std::uint64_t octets) {
  return octets <= FirstBlock::most_octets
             ? 0
             : (octets - FirstBlock::most_octets + NextBlock::most_octets - 1) / NextBlock::most_octets;
}

// How a file of that size is divided. Blocks begin at multiples of their size, so that each has cache lines
// of its own.
struct RecordingLayout {
  std::uint32_t connections;
  std::uint64_t blocks;
  // The octets that can be kept of a message: those of an eighth of the blocks.
  constexpr std::uint64_t most_message_bytes() const { return blocks / 8 * NextBlock::most_octets; }
  constexpr std::uint64_t file_bytes() const {
    return head_bytes + connections * sizeof(ConnectionEntry) + blocks * block_bytes;
  }
};
inline constexpr std::size_t least_file_bytes = 65536;
inline constexpr std::uint64_t least_connections = 16, most_connections = 65536;
static_assert((head_bytes + 4 * sizeof(ConnectionEntry)) % block_bytes == 0);
// `bytes`: at least the least.
constexpr RecordingLayout layout_of(std::uint64_t bytes) {
  const std::uint64_t entries = bytes / 64 / sizeof(ConnectionEntry) / 4 * 4;
  const auto connections =
      static_cast<std::uint32_t>(std::clamp(entries, least_connections, most_connections));
  return {connections, (bytes - head_bytes - connections * sizeof(ConnectionEntry)) / block_bytes};
}

}  // namespace takt::recorder
