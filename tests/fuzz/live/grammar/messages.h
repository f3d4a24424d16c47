// GIOP messages with given bodies: in each version and byte order, whole, fragmented, with short heads,
// compressed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <takt/base/bytes.h>

#include "grammar/bodies.h"
#include "grammar/random.h"
#include "grammar/writer.h"

namespace takt::fuzz::live {

// A message as a sequence of pieces, each of which is a message of its own.
using Pieces = std::vector<Octets>;

struct RequestHead {
  std::uint8_t minor = 2;
  std::uint32_t id = 0;
  ByteView key;
  // If not negative, the request offers this number for its key and operation.
  int offered_number = -1;
  bool reply_wanted = true;
};
Octets request(Random& random, const RequestHead& head, const Body& body);
// With a short head, in which a number identifies key and operation.
Octets short_request(Random& random, std::uint16_t number, std::uint32_t id, const Body& body);
Octets reply(Random& random, std::uint8_t minor, std::uint32_t id, std::uint32_t status, const Body& body);

// A message other than a request or reply: cancels, locate requests, closes, unknown types.
Octets other_message(Random& random, ByteView key, std::uint32_t id);

// Cuts at places that the version allows, or does not allow.
Pieces in_fragments(Random& random, const Octets& message);
// Wraps the message in a compressed message, which may be stored without compression.
Octets packed(Random& random, const Octets& message);

}  // namespace takt::fuzz::live
