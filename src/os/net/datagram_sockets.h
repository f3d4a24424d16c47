// UDP sockets.
#pragma once

#include <expected>
#include <span>

#include "os/net/address.h"
#include "os/net/socket.h"

namespace takt::os {

// Errors are errno values; sockets are closed on exec; nothing allocates. IoResult::bytes counts a datagram's
// octets, all pieces together.

// Neither bound nor connected.
std::expected<Socket, int> open_datagram_socket(Address::Family family);

// Binds it as the only one of its port, or fails (EADDRINUSE); from then on further sockets of the same user
// may be bound beside it, by bind_beside().
int bind_first(Socket& socket, const Address& to);
// Bound at a port that bind_first() has, and connected: from then on the system gives it what comes from that
// peer, and the first socket what comes from others.
std::expected<Socket, int> open_beside(const Address& local, const Address& peer);
// From now on it receives from `peer` and from nobody else.
int connect_datagrams(Socket& socket, const Address& peer);
// From nobody at all: others learn that nobody is there. While another thread may wait at it.
void refuse_datagrams(Socket& socket, const Address& local);

// A datagram to or from anybody. `local`: this machine's address that it was sent to, with the port of the
// socket; it is sent from there.
struct Correspondents {
  Address local, peer;
};
// Has the system say which address that was.
bool note_destinations(Socket& socket);
IoResult receive_from(Socket& socket, MutableBytes into, Correspondents& who);
IoResult send_to(Socket& socket, ByteView datagram, const Correspondents& who);
// The next datagram from anybody, of which what does not fit is lost. Blocks as the socket does.
IoResult receive_from(Socket& socket, MutableBytes into, Address& peer);

// One datagram of a connected socket, scattered over the pieces; of one longer than they are the rest is
// lost. `end_of_stream`: it was empty, or the receiving side is shut down. Without `wait`: `would_block`;
// else as Socket::receive().
IoResult receive_datagram(Socket& socket, std::span<const MutableBytes> pieces, bool wait);
// Has the system give together what came together, where it can (UDP_GRO).
void take_bundles(Socket& socket);
// As receive_datagram(), or a bundle of them, one after the other, all but the last `each_bytes` long; of one
// alone that is its length.
IoResult receive_bundle(Socket& socket, MutableBytes into, bool wait, std::size_t& each_bytes);
// The next one's first octets, which stays; `bytes` is how long it is. Does not wait.
IoResult peek_datagram(Socket& socket, MutableBytes into);
// In one datagram. Does not wait: `would_block`.
IoResult send_datagram(Socket& socket, std::span<const ByteView> pieces);
// In as many as it takes, all but the last `each_bytes` long (UDP_SEGMENT); at most so many octets, datagrams
// and pieces. ENOTSUP: the system, or what it would send them over, takes no bundles.
inline constexpr std::size_t most_bundled_bytes = 65'000, most_bundled = 64, most_bundled_pieces = 192;
IoResult send_bundle(Socket& socket, std::span<const ByteView> pieces, std::size_t each_bytes);

}  // namespace takt::os
