// Buffers from which octets are sent without copying.
#pragma once

#include <cstddef>

#include <takt/base/octet_buffer.h>
#include <takt/reference/object.h>

namespace takt {

OctetBuffer borrow_octets(const CORBA::Object& target, std::size_t bytes);

// A buffer of unspecified content, to be filled and passed to operations of this object as a view, whole or
// in part:
//
//   takt::OctetBuffer pixels = takt::borrow_octets(recorder, 1 << 20);
//   camera.read_into(pixels.octets());
//   recorder->frame(number, pixels);
//
// If the calling thread's connection to the object uses shared memory, the buffer is memory of that
// connection. Octets sent from it, from 8 KiB on (or as takt::BufferPolicy says), are not copied, and a
// servant that takes a view reads them in place. For other connections, or once this one has lent all it has
// (-ORBLentMemory, 64 buffers), the buffer comes from a process-wide pool. Sockets send from it without
// another copy in the process. Passing the buffer to other calls is correct but saves nothing.
//
// A call only reads the buffer. It may be sent again after a call. It may be refilled once is_shared() is
// false, because a servant may have kept it (hold_octets.h). A buffer that is returned while shared is reused
// only when no longer shared.
//
// The caller owns it for as long as it likes, even after the object, the connection and the ORB are gone. Any
// thread. Blocks while it connects to the object, and throws what a call would throw. Takes two short locks,
// and allocates if the pool has no buffer of that size.
template <class Interface>
[[nodiscard]] OctetBuffer borrow_octets(const CORBA::object_reference<Interface>& target, std::size_t bytes) {
  return borrow_octets(*target, bytes);
}

}  // namespace takt
