// UDP sockets.
#pragma once

#include <expected>
#include <span>

#include "os/net/address.h"
#include "os/net/socket.h"

namespace takt::os {

// Errors are errno values. Sockets are closed on exec. Nothing allocates. IoResult::bytes is the size of a
// datagram, all pieces together.

// A socket that is neither bound nor connected.
std::expected<Socket, int> open_datagram_socket(Address::Family family);

// Binds `socket` as the only one on its port, or fails with EADDRINUSE. Afterwards, open_beside() may bind
// further sockets of the same user to that port.
int bind_first(Socket& socket, const Address& to);
// A socket bound to a port that bind_first() has, and connected. The system then gives it the datagrams of
// that peer, and the first socket those of other peers.
std::expected<Socket, int> open_beside(const Address& local, const Address& peer);
// Receives only from `peer` from now on.
int connect_datagrams(Socket& socket, const Address& peer);
// Receives from no peer from now on; senders learn that the port is closed. Another thread may be waiting
// for the socket.
void refuse_datagrams(Socket& socket, const Address& local);

// The ends of a datagram of an unconnected socket. `local` is this machine's address that it was sent to or
// is sent from, with the socket's port.
struct Correspondents {
  Address local, peer;
};
// Makes the system report that local address.
bool note_destinations(Socket& socket);
IoResult receive_from(Socket& socket, MutableBytes into, Correspondents& who);
IoResult send_to(Socket& socket, ByteView datagram, const Correspondents& who);
// Receives the next datagram from any peer, and drops what does not fit. Blocks if the socket does.
IoResult receive_from(Socket& socket, MutableBytes into, Address& peer);

// Receives one datagram of a connected socket, scattered over the pieces; drops what does not fit.
// `end_of_stream`: it was empty, or the receiving side is shut down. Without `wait`, may return
// `would_block`; with it, behaves like Socket::receive().
IoResult receive_datagram(Socket& socket, std::span<const MutableBytes> pieces, bool wait);
// Makes the system deliver datagrams that arrived together as a bundle, if it can (UDP_GRO).
void take_bundles(Socket& socket);
// Like receive_datagram(), or a bundle of consecutive datagrams, all of which but the last have `each_bytes`.
// For a single datagram, `each_bytes` is its size.
IoResult receive_bundle(Socket& socket, MutableBytes into, bool wait, std::size_t& each_bytes);
// Like that from any peer.
IoResult receive_bundle_from(Socket& socket, MutableBytes into, bool wait, Address& peer, std::size_t& each);
// Reads the first octets of the next datagram without removing it. `bytes` is its whole size. Does not wait.
IoResult peek_datagram(Socket& socket, MutableBytes into);
// Sends one datagram. Does not wait: `would_block`.
IoResult send_datagram(Socket& socket, std::span<const ByteView> pieces);
// Sends as many datagrams as needed, all of `each_bytes` but the last (UDP_SEGMENT), within the three limits:
// octets, datagrams, pieces. ENOTSUP: the system or the route does not support bundles.
inline constexpr std::size_t most_bundled_bytes = 65'000, most_bundled = 64, most_bundled_pieces = 192;
IoResult send_bundle(Socket& socket, std::span<const ByteView> pieces, std::size_t each_bytes);

}  // namespace takt::os
