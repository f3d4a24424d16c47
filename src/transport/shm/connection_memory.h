// The memory of one connection: two rings, and how it is handed over.
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

// Version 3 of the protocol: the client connects to the server's UNIX-domain socket and sends, in one piece,
// a hello with the descriptor of the memory that it has made. Nobody answers. The memory: a page with the
// controls of the ring to the server and of the ring to the client, both of whose readers wait for a bell,
// and of the splices of each; then the rings; then, if anything is lent, what the client lends and as much
// that the server does. From there on the socket carries bells and plugs, and its end is the connection's.
struct ShmHello {
  std::uint32_t to_server_bytes = 0, to_client_bytes = 0;
  std::uint32_t lent_bytes = 0;  // by each side

  static constexpr std::size_t bytes = 24;
  std::array<std::uint8_t, bytes> encode() const;
  // Nothing for another protocol's or version's, or sizes that no ring has.
  static std::optional<ShmHello> decode(ByteView octets);
  std::size_t memory_bytes() const { return rings_end() + 2 * std::size_t{lent_bytes}; }
  std::size_t rings_end() const;
};

struct ConnectionMemory {
  std::shared_ptr<const os::SharedRegion> region;
  RingReader in;
  RingWriter out;
  // Null: there are none.
  std::shared_ptr<IncomingBuffers> received;
  std::shared_ptr<OutgoingBuffers> lent;
};

// The client's end, with rings as the options have it, and what to say to the server. An errno value.
struct OwnMemory {
  ConnectionMemory memory;
  ShmHello hello;
  os::Descriptor descriptor;
};
std::expected<OwnMemory, int> make_connection_memory(const StreamOptions& options);

// The server's end of what a client has sent, of which it lends no more than its own options have. EAGAIN: it
// has not; EPROTO: it is no such client; EMFILE: there is no descriptor for it. Does not wait.
std::expected<ConnectionMemory, int> receive_connection_memory(os::Socket& socket, int most_lent);

}  // namespace takt::transport
