// Octets that are sent from where they were written.
#pragma once

#include <cstddef>

#include <takt/base/octet_buffer.h>
#include <takt/reference/object.h>

namespace takt {

OctetBuffer borrow_octets(const CORBA::Object& target, std::size_t bytes);

// A buffer, of any content, to be filled and passed to operations of this object as a view, whole or in part:
//
//   takt::OctetBuffer pixels = takt::borrow_octets(recorder, 1 << 20);
//   camera.read_into(pixels.octets());
//   recorder->frame(number, pixels);
//
// Where the calling thread's connection to the object goes through shared memory, it is memory of that
// connection: what is sent of it, from 8 KiB on (or as takt::BufferPolicy says), is not copied, and a servant
// that takes a view reads it where it was written. Else, and where the connection has lent all it has
// (-ORBLentMemory, 64 buffers), it is from a pool of the process: sockets send it without another copy in the
// process. Any other call may have it too; it is correct for all of them, and good for one.
//
// A call only reads it. After a call it may be sent again; it may be filled anew once it is_shared() no more,
// since a servant may have kept it (hold_octets.h). Given back while it is, it waits until it is not.
//
// The caller's, for as long as it likes, also after the object, the connection and the ORB have gone. Any
// thread. Blocks while it connects to the object, and throws what a call throws then. Takes two short locks;
// allocates where the pool has none of that size.
template <class Interface>
[[nodiscard]] OctetBuffer borrow_octets(const CORBA::object_reference<Interface>& target, std::size_t bytes) {
  return borrow_octets(*target, bytes);
}

}  // namespace takt
