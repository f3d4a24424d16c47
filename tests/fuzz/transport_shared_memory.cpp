// Either end of a shared-memory connection while the other end writes the input, when the input says so: into
// the controls of rings and splices, into their data, and into the socket. Also the hello that hands the
// memory over.
#include <sys/socket.h>

#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "input.h"
#include "transport/shm/connection_memory.h"
#include "transport/shm/shm_stream.h"

namespace {

using namespace takt;
using fuzz::Input, fuzz::require;
using namespace takt::transport;

void check_hello(ByteView octets) {
  const auto hello = ShmHello::decode(octets);
  if (!hello) return;
  const auto again = hello->encode();
  require(std::memcmp(again.data(), octets.data(), again.size()) == 0);
  require(is_ring_size(hello->to_server_bytes) && is_ring_size(hello->to_client_bytes) &&
          is_lent_size(hello->lent_bytes));
}

void check_result(const IoResult& result, std::size_t most) {
  require(result.bytes <= most && (result.bytes > 0) == (result.status == IoStatus::ok));
  require(result.status != IoStatus::timed_out);
}

// Besides the rings: the peer's list of splices, and this end's part in them.
class Buffers {
 public:
  // For one direction: 0, to the server, or 1.
  Buffers(RingControl* controls, unsigned direction, ShmStream& stream)
      : ring_(controls[direction]),
        control_(reinterpret_cast<SpliceControl*>(controls + 2)[direction]),
        stream_(stream) {}

  void take_step(Input& input, std::uint8_t step) {
    const std::uint8_t which = input.octet();
    SpliceControl::Entry& entry = control_.entries[which % SpliceControl::most];
    switch (step % 8) {
      case 0:  // as a valid writer: the next splice, for the next octet to be written
        entry_of(ring_.spliced.load()).position.store(ring_.written.load() + which % 16);
        entry_of(ring_.spliced.load()).bytes.store(1u + input.octet());
        ring_.spliced.fetch_add(1);
        break;
      case 1:
        (input.octet() % 2 ? entry.position : entry.buffer).store(input.number());
        break;
      case 2:
        (input.octet() % 2 ? entry.begin : entry.bytes).store(input.number());
        break;
      case 3:
        (which % 2 ? ring_.spliced : ring_.splices_taken).store(input.number());
        break;
      case 4:
        control_.done[which % SpliceControl::most].fetch_add(input.octet());
        break;
      case 5: {
        lent_[which % lent_.size()] = stream_.borrow(std::size_t{input.octet()} * 200);
        break;
      }
      case 6: {
        const ByteView octets = lent_[which % lent_.size()];
        const ByteView piece = octets.subspan(octets.size() * which / 256);
        if (!piece.empty()) check_result(stream_.write_gather({&piece, 1}), piece.size());
        sum_ += lent_[which % lent_.size()].is_shared();
        break;
      }
      case 7:
        held_[which % held_.size()] = stream_.read_in_place(1u + input.octet());
    }
    for (const HeldOctets& octets : held_)
      if (!octets.empty()) sum_ += octets[0] + octets[octets.size() - 1];
  }

 private:
  SpliceControl::Entry& entry_of(std::uint32_t number) {
    return control_.entries[number % SpliceControl::most];
  }

  RingControl& ring_;
  SpliceControl& control_;
  ShmStream& stream_;
  std::array<OctetBuffer, 4> lent_;
  std::array<HeldOctets, 4> held_;
  unsigned sum_ = 0;
};

struct Peer {
  std::uint8_t* memory;
  int socket;
};

void run(Input& input, const Peer& peer, ShmStream& stream) {
  auto* const controls = reinterpret_cast<RingControl*>(peer.memory);
  const auto word = [&](unsigned which) -> std::atomic<std::uint32_t>& {
    RingControl& control = controls[which / 4 % 2];
    return which % 4 == 0   ? control.written
           : which % 4 == 1 ? control.taken
           : which % 4 == 2 ? control.reader
                            : control.writer;
  };
  std::vector<std::uint8_t> space(16 * 1024);
  Buffers to_server(controls, 0, stream), to_client(controls, 1, stream);
  while (!input.empty()) {
    const std::uint8_t step = input.octet();
    if (step >= 192) {
      (step % 16 < 8 ? to_server : to_client).take_step(input, step);
      continue;
    }
    const std::uint8_t which = input.octet();
    const std::size_t size = std::size_t{which} * which % space.size();
    switch (step % 8) {
      case 0:
        word(which).store(input.number());
        break;
      case 1:
        word(which).fetch_add(input.octet());
        break;
      case 2: {
        const ByteView octets = input.octets(which);
        std::copy(octets.begin(), octets.end(), peer.memory + 4096 + input.number() % 8192 % (8192 - 256));
        break;
      }
      case 3: {
        const ByteView octets = input.octets(which % 16);
        (void)::send(peer.socket, octets.data(), octets.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        break;
      }
      case 4:
        check_result(stream.read(MutableBytes(space).first(size)), size);
        break;
      case 5:
        check_result(stream.write(ByteView(space).first(size)), size);
        break;
      case 6: {
        const ByteView pieces[] = {ByteView(space).first(size), {}, ByteView(space).first(which)};
        check_result(stream.write_gather(pieces), size + which);
        break;
      }
      case 7:
        if (which % 8 == 0) ::shutdown(peer.socket, SHUT_WR);
        if (which % 8 == 1) (void)::recv(peer.socket, space.data(), space.size(), MSG_DONTWAIT);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const ByteView hello = input.octets(ShmHello::bytes);
  check_hello(hello);
  StreamOptions options;
  options.send_buffer_bytes = options.receive_buffer_bytes = 4096;
  options.lent_bytes = 64 * 1024;
  auto own = make_connection_memory(options).value();
  int ends[2];
  require(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  const os::Descriptor far(ends[1]);
  const auto region = own.memory.region;
  const Peer peer{region->data(), far.fd()};
  if (!hello.empty() && hello.back() % 2 == 1) {
    os::Socket client{::dup(far.fd())};
    require(os::send_with_descriptor(client, own.hello.encode(), own.descriptor.fd()) == 0);
    ShmStream stream(os::Socket{ends[0]}, StreamEnds("shm", "fuzzed", "fuzz"), options);
    stream.set_blocking(false);
    std::uint8_t octet = 0;
    require(stream.read({&octet, 1}).status == IoStatus::would_block);  // takes the memory
    run(input, peer, stream);
    return 0;
  }
  ShmStream stream(os::Socket{ends[0]}, std::move(own.memory), StreamEnds("shm", "fuzzed", "fuzz"), options);
  stream.set_blocking(false);
  run(input, peer, stream);
  return 0;
}
