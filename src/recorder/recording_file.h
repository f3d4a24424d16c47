// Reads the file of a recording, to which a process may write meanwhile.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <takt/base/bytes.h>

#include "recorder/recording_format.h"

namespace takt::recorder {

struct ReadConnection {
  bool is_accepted = false;  // the peer has opened it
  std::int64_t opened_ns = 0;
  std::int64_t closed_ns = 0;  // 0: it had not closed
  std::string text;            // Stream::describe(); may have any octets
};

// Octets come from peers, and may have any values.
struct ReadMessage {
  std::uint32_t connection = 0;
  std::uint32_t thread = 0;
  Direction direction = Direction::received;
  bool is_message = false;  // else octets that begin no message
  std::int64_t time_ns = 0;
  std::uint64_t stream_offset = 0;
  std::uint32_t message_bytes = 0;   // size of the message as it was
  std::uint16_t secret_bytes = 0;    // not 0: it may be secret, and this many octets were recorded at most
  std::vector<std::uint8_t> octets;  // the first of them

  bool is_whole() const { return octets.size() == message_bytes; }
  // Recorded without its values, if it has any.
  bool is_secret() const { return secret_bytes != 0; }
};

struct Recording {
  std::uint64_t process = 0;
  std::int64_t start_ns = 0;
  std::int64_t copied_ns = 0;  // 0: it is no copy
  std::string copied_because;  // for people; may have any octets
  os::FileOwner owner;
  std::uint64_t message_bytes = 0;                      // kept of a message at most
  std::map<std::uint32_t, ReadConnection> connections;  // by their numbers
  std::vector<ReadMessage> messages;                    // in the order in which they passed
  std::uint64_t next_block = 0;                         // number of the next one, when reading began
  std::uint64_t overwritten = 0;                        // blocks of earlier messages
  std::uint64_t left_out = 0;                           // pieces for which the writer found no room
  std::uint64_t torn = 0;  // pieces that were being written, are invalid, or whose message's start is lost
};

// Reads all of `to` from that offset of a file; false if the file ends before. Must not keep octets in
// between.
using ReadAt = std::function<bool(std::uint64_t offset, std::span<std::uint8_t> to)>;

// A block is whole if two reads, one after the other, find the same. Other ones, and invalid ones, are left
// out. Only messages that begin in block `from_block` or later; without it all that there are. Takes memory
// for the contents that are read, twice at most. The error is for people.
std::expected<Recording, std::string> read_recording(const ReadAt& read_at,
                                                     std::optional<std::uint64_t> from_block = {});
std::expected<Recording, std::string> read_recording(ByteView file);

}  // namespace takt::recorder
