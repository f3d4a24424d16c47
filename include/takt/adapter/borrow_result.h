// Results that are sent without copying.
#pragma once

#include <cstddef>

#include <takt/base/octet_buffer.h>

namespace takt {

// For servants: borrows a buffer with undefined content, to be filled and returned as the result of an
// operation marked @held:
//
//   takt::HeldOctets Camera::grab(std::uint32_t number) override {
//     takt::OctetBuffer pixels = takt::borrow_result(1 << 20);
//     sensor_.read_into(number, pixels.octets());
//     return pixels;
//   }
//
// If the client calls through shared memory, the buffer is memory of that connection, and the client reads it
// in place for as long as it holds it. In other upcalls the buffer is from a pool of the process, and sockets
// send it without another copy in the process. This is also the case when the connection has lent all that it
// may: 64 buffers, and the smaller -ORBLentMemory of both sides. Another upcall may return the buffer: that
// is correct, but not faster.
//
// The servant may hold it as long as it likes, even after the connection and the ORB are gone. Any thread.
// Takes two short locks, and allocates if the pool has no buffer of that size.
[[nodiscard]] OctetBuffer borrow_result(std::size_t bytes);

}  // namespace takt
