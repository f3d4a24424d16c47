// bench_raw_client --endpoint ADDRESS|own:ring|own:spin; see common/driver.h. own: a thread of this process
// is the server.
#include "common/driver.h"
#include "common/serve.h"
#include "ring.h"
#include "serve_rings.h"
#include "socket.h"
#include "wire.h"

namespace {

using namespace bench;
using namespace bench::raw;

template <class Channel>
class Session {
  // The message is laid out once with header and payload in one block, so that a call is a single write.
  template <class T>
  auto sender(Op op, const std::vector<T>& data) {
    const std::size_t size = data.size() * sizeof(T);
    const Request header{op, static_cast<std::uint32_t>(size), 0, {}};
    std::vector<std::uint8_t> message(sizeof header + size);
    std::memcpy(message.data(), &header, sizeof header);
    std::memcpy(message.data() + sizeof header, data.data(), size);
    return [this, message, replied = reply_bytes(op, size)] {
      channel_.write_all(message.data(), message.size());
      receive(replied);
    };
  }

 public:
  explicit Session(Channel channel) : channel_(std::move(channel)) {}

  std::uint8_t cube_octet(std::uint8_t x) {
    call({Op::cube_octet, 0, x, {}});
    return reply_[reply_header_bytes];
  }
  void cube_void() { call({Op::cube_void, 0, 0, {}}); }
  std::int32_t cube_long(std::int32_t x) { return cubed(Op::cube_long, x); }
  BinStruct cube_struct(const BinStruct& x) { return cubed(Op::cube_struct, x); }
  void echo(const std::string& text) {
    call_with(Op::echo, text.data(), text.size());
    check(std::memcmp(reply_ + reply_header_bytes, text.data(), text.size()) == 0,
          "echo returned another text");
  }
  void pings(unsigned count) {
    const Request ping{Op::ping, 0, 1, {}};
    for (unsigned i = 0; i < count; ++i) channel_.write_all(&ping, sizeof ping);
  }
  std::uint32_t digest() {
    call({Op::digest, 0, 0, {}});
    std::uint32_t total;
    std::memcpy(&total, reply_ + reply_header_bytes, sizeof total);
    return total;
  }
  auto send_octets(const std::vector<std::uint8_t>& data) { return sender(Op::octets, data); }
  auto send_longs(const std::vector<std::int32_t>& data) { return sender(Op::longs, data); }
  auto send_structs(const std::vector<BinStruct>& data) { return sender(Op::structs, data); }

 private:
  void call_with(Op op, const void* payload, std::size_t bytes) {
    std::uint8_t message[sizeof(Request) + 256];
    const auto size = static_cast<std::uint32_t>(bytes);
    const Request request{op, size, 0, {}};
    std::memcpy(message, &request, sizeof request);
    std::memcpy(message + sizeof request, payload, size);
    channel_.write_all(message, sizeof request + size);
    receive(reply_bytes(op, size));
  }
  template <class T>
  T cubed(Op op, T x) {
    call_with(op, &x, sizeof x);
    std::memcpy(&x, reply_ + reply_header_bytes, sizeof x);
    return x;
  }
  void call(const Request& request) {
    channel_.write_all(&request, sizeof request);
    receive(reply_bytes(request.op, 0));
  }
  void receive(std::size_t size) {
    for (std::size_t got = 0; got < size;) {
      const std::size_t more = channel_.read_some(reply_ + got, size - got);
      check(more > 0, "the server has gone");
      got += more;
    }
  }

  Channel channel_;
  std::uint8_t reply_[512];
};

template <class Channel>
struct Client {
  Session<Channel> connect(const std::string& endpoint) {
    return Session<Channel>(Channel::connect(endpoint));
  }
};

constexpr std::string_view own_prefix = "own:";

// Serves until the process ends.
void serve_here(Options& options) {
  static Sink sink;
  static const Listener listener(Listener::Over::unix_domain);
  const std::string over = options.text("endpoint").substr(own_prefix.size());
  std::thread(over == "spin" ? serve_rings<true> : serve_rings<false>, std::cref(listener), std::ref(sink))
      .detach();
  options.set("endpoint", over + ":" + listener.address());
}

}  // namespace

int main(int argc, char** argv) {
  return run_main("bench_raw_client", [&] {
    Options options(argc, argv);
    if (options.text("endpoint").starts_with(own_prefix)) serve_here(options);
    const std::string endpoint = options.text("endpoint");
    if (endpoint.starts_with(ring_prefix) || endpoint.starts_with(spin_prefix)) {
      check(!options.has("low-clients") && !options.has("faster"), "priorities are measured over sockets");
      Client<RingChannel> client;
      drive_calls(client, options);
    } else {
      Client<Socket> client;
      drive(client, options);
    }
  });
}
