// The message inside a packed one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/base/memory_charge.h>

#include "giop/compression/format.h"
#include "giop/header/message_header.h"

namespace takt::giop::compression {

struct Bounds {
  std::size_t message_bytes;       // of the message inside
  std::size_t expansion;           // of it to the one that it came in
  MemoryCharge* memory = nullptr;  // for `inflated`; null: it is not counted
};

// `message` is all of it, its header has been read, and it begins at a multiple of 8 in memory; so does what
// is returned, in `message` or in `inflated`, which grows to what the message claims once that is within the
// bounds, and to no more. Else: what is wrong, static text. Where the sizes agree and the octets are what was
// compressed is checked here; what they mean is not.
std::expected<ByteView, const char*> unpack(const MessageHeader& header, ByteView message,
                                            const Bounds& bounds, const MethodList& methods,
                                            std::vector<std::uint8_t>& inflated);

// How its sender will have messages.
Wanted wanted_by_sender(const MessageHeader& header, ByteView message);

}  // namespace takt::giop::compression
