// Unpacks the message inside a packed one.
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
  std::size_t message_bytes;       // maximum size of the message inside
  std::size_t expansion;           // maximum ratio of that size to the packed size
  MemoryCharge* memory = nullptr;  // charged for `inflated`; null: not counted
};

// `message` is complete, its header has been read, and it is aligned to 8 in memory. The result is aligned
// too. It points into `message` or into `inflated`, which grows to the size that the message claims if that
// is within the bounds. The error is a static text. Checks the sizes and the compressed data, but not the
// content.
std::expected<ByteView, const char*> unpack(const MessageHeader& header, ByteView message,
                                            const Bounds& bounds, const MethodList& methods,
                                            std::vector<std::uint8_t>& inflated);

// How the sender wants messages.
Wanted wanted_by_sender(const MessageHeader& header, ByteView message);

}  // namespace takt::giop::compression
