// Layout and hand-over of the memory of one connection, which holds two rings.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <memory>

#include <takt/transport/stream_options.h>

#include "os/net/socket.h"
#include "os/shared_memory/descriptor_passing.h"
#include "os/shared_memory/shared_region.h"
#include "transport/shm/incoming_buffers.h"
#include "transport/shm/outgoing_buffers.h"
#include "transport/shm/ring.h"

namespace takt::transport {

// Version 3 of the protocol. The client connects to the server's UNIX-domain socket and sends, in one piece,
// a hello and the descriptor of the memory that it has made; there is no reply. The memory consists of a
// control page, both rings, and optionally two equal pools of lent buffers, the client's first. The control
// page has the ring controls of both directions, with each reader waiting for a bell, and the splice
// controls. From then on the socket carries only bells and plugs, and the connection ends when it is closed.
struct ShmHello {
  std::uint32_t to_server_bytes = 0, to_client_bytes = 0;
  std::uint32_t lent_bytes = 0;  // size of each side's pool of lent buffers

  static constexpr std::size_t bytes = 24;
  std::array<std::uint8_t, bytes> encode() const;
  // nullopt for another protocol or version, or for invalid ring sizes.
  static std::optional<ShmHello> decode(ByteView octets);
  std::size_t memory_bytes() const { return rings_end() + 2 * std::size_t{lent_bytes}; }
  std::size_t rings_end() const;
};

struct ConnectionMemory {
  std::shared_ptr<const os::SharedRegion> region;
  RingReader in;
  RingWriter out;
  // Null if the connection has no lent buffers.
  std::shared_ptr<IncomingBuffers> received;
  std::shared_ptr<OutgoingBuffers> lent;
};

// The client's end, with ring sizes from the options, and the hello for the server. The error is an errno
// value.
struct OwnMemory {
  ConnectionMemory memory;
  ShmHello hello;
  os::Descriptor descriptor;
};
std::expected<OwnMemory, int> make_connection_memory(const StreamOptions& options);

// The server's end, from the memory that the client has sent. It lends at most `most_lent` octets. Does not
// block. EAGAIN: nothing has arrived; EPROTO: the peer is not such a client; EMFILE: this process has no free
// descriptor.
std::expected<ConnectionMemory, int> receive_connection_memory(os::Socket& socket, int most_lent);

}  // namespace takt::transport
