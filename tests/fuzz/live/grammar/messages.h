// GIOP messages around bodies: in each version and byte order, whole, in fragments, with short heads, packed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <takt/base/bytes.h>

#include "grammar/bodies.h"
#include "grammar/random.h"
#include "grammar/writer.h"

namespace takt::fuzz::live {

// A message in the pieces in which it goes; each piece is a message of its own.
using Pieces = std::vector<Octets>;

struct RequestHead {
  std::uint8_t minor = 2;
  std::uint32_t id = 0;
  ByteView key;
  // Not negative: the request offers this number for its key and operation.
  int offered_number = -1;
  bool reply_wanted = true;
};
Octets request(Random& random, const RequestHead& head, const Body& body);
// With a short head, which stands for key and operation by a number.
Octets short_request(Random& random, std::uint16_t number, std::uint32_t id, const Body& body);
Octets reply(Random& random, std::uint8_t minor, std::uint32_t id, std::uint32_t status, const Body& body);

// Anything but requests and replies: cancels, questions where an object is, ends, messages that there are
// none.
Octets other_message(Random& random, ByteView key, std::uint32_t id);

// Cut at places that the version allows, or that it does not.
Pieces in_fragments(Random& random, const Octets& message);
// Within a packed message, compressed or not.
Octets packed(Random& random, const Octets& message);

}  // namespace takt::fuzz::live
