// The messages of recorded connections, put together from fragments and unpacked.
#pragma once

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
  // Null: more fragments follow. The message is valid until the next call. The error says why the message
  // cannot be read.
  std::expected<const ParsedMessage*, std::string> add(std::uint32_t connection, ByteView message);

 private:
  struct Connection {
    std::map<std::uint32_t, std::vector<std::uint8_t>> unfinished;  // by request id; of GIOP 1.1 by no_id
    giop::lite::ServerNames names;
  };
  using Result = std::expected<const ParsedMessage*, std::string>;

  Result add_fragment(Connection& connection, const giop::MessageHeader& header, ByteView message);
  Result parse_whole(Connection& connection, ByteView message);

  std::map<std::uint32_t, std::unique_ptr<Connection>> connections_;
  ParsedMessage parsed_;
};

}  // namespace takt::command
