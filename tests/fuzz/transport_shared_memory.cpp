// One end of a connection over shared memory, while the other end writes what the input says, when it says
// so: into the controls of the rings, into their octets, and into the socket. And the hello by which memory
// is handed over.
#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "transport/shm/connection_memory.h"
#include "transport/shm/shm_stream.h"

namespace {

using namespace takt;
using namespace takt::transport;

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}
  bool empty() const { return rest_.empty(); }
  std::uint8_t octet() {
    if (rest_.empty()) return 0;
    const std::uint8_t first = rest_.front();
    rest_ = rest_.subspan(1);
    return first;
  }
  std::uint32_t number() {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value = value << 8 | octet();
    return value;
  }
  ByteView octets(std::size_t count) {
    const ByteView some = rest_.first(std::min(count, rest_.size()));
    rest_ = rest_.subspan(some.size());
    return some;
  }

 private:
  ByteView rest_;
};

void check(bool holds) {
  if (!holds) std::abort();
}

void check_hello(ByteView octets) {
  const auto hello = ShmHello::decode(octets);
  if (!hello) return;
  const auto again = hello->encode();
  check(std::memcmp(again.data(), octets.data(), again.size()) == 0);
  check(is_ring_size(hello->to_server_bytes) && is_ring_size(hello->to_client_bytes));
}

void check_result(const IoResult& result, std::size_t most) {
  check(result.bytes <= most && (result.bytes > 0) == (result.status == IoStatus::ok));
  check(result.status != IoStatus::timed_out);
}

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
  while (!input.empty()) {
    const std::uint8_t step = input.octet(), which = input.octet();
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
  check_hello(input.octets(ShmHello::bytes));
  StreamOptions options;
  options.send_buffer_bytes = options.receive_buffer_bytes = 4096;
  auto own = make_connection_memory(options).value();
  int ends[2];
  check(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  const os::Descriptor far(ends[1]);
  const Peer peer{own.memory.region.data(), far.fd()};
  ShmStream stream(os::Socket{ends[0]}, std::move(own.memory), "fuzzed", options);
  stream.set_blocking(false);
  run(input, peer, stream);
  return 0;
}
