// The messages of recorded connections, put together from fragments and unpacked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "giop/lite/server_names.h"
#include "record/parsed_message.h"

namespace takt::command {

// Knows what earlier messages of a connection say about later ones: fragments, and GIOPlite's numbers for
// names. One direction of all connections, fed in the order in which the messages passed. Takes memory for
// unfinished messages, and no more than 64 MiB for a compressed one.
class WholeMessages {
 public:
  static constexpr std::size_t default_unfinished_bytes = std::size_t{1} << 30;

  // `most_unfinished_bytes`: of the messages of one connection that are not yet whole, unpacked. Beyond that
  // a message is given up.
  explicit WholeMessages(std::size_t most_unfinished_bytes = default_unfinished_bytes)
      : most_unfinished_bytes_(most_unfinished_bytes) {}

  // Null: more fragments follow. The message is valid until the next call. The error says why the message
  // cannot be read.
  std::expected<const ParsedMessage*, std::string> add(std::uint32_t connection, ByteView message);

 private:
  struct Connection {
    std::map<std::uint32_t, std::vector<std::uint8_t>> unfinished;  // by request id; of GIOP 1.1 by no_id
    std::size_t unfinished_bytes = 0;
    // Removes it; empty if there is none.
    std::vector<std::uint8_t> take(std::uint32_t id);
    giop::lite::ServerNames names;
  };
  using Result = std::expected<const ParsedMessage*, std::string>;

  Result add_fragment(Connection& connection, const giop::MessageHeader& header, ByteView message);
  // Appends to the unfinished message. False if there is no room: the message is given up.
  bool append(Connection& connection, std::uint32_t id, ByteView octets) const;
  Result parse_whole(Connection& connection, ByteView message);

  const std::size_t most_unfinished_bytes_;
  std::map<std::uint32_t, std::unique_ptr<Connection>> connections_;
  ParsedMessage parsed_;
};

}  // namespace takt::command
