// Results that are sent from where they were written.
#pragma once

#include <cstddef>

#include <takt/base/octet_buffer.h>

namespace takt {

// For servants: a buffer, of any content, to be filled and returned by an operation whose result is @held:
//
//   takt::HeldOctets Camera::grab(std::uint32_t number) override {
//     takt::OctetBuffer pixels = takt::borrow_result(1 << 20);
//     sensor_.read_into(number, pixels.octets());
//     return pixels;
//   }
//
// In an upcall of a client that calls through shared memory it is memory of that connection, and the client
// reads it where it was written, as long as it holds it. Else, and where the connection has lent all it has
// (-ORBLentMemory, of either side the lesser, 64 buffers), it is from a pool of the process: sockets send it
// without another copy in the process. Any other upcall may return it too; it is correct for all of them, and
// good for one.
//
// The servant's, for as long as it likes, also after the connection and the ORB have gone. Any thread; takes
// two short locks, and allocates where the pool has none of that size.
[[nodiscard]] OctetBuffer borrow_result(std::size_t bytes);

}  // namespace takt
