// bench_raw_async_server [--over unix] [--host ADDRESS]: a thread for each connection answers all requests
// that a read brings in one write.
#include <string>
#include <thread>
#include <vector>

#include "../../peers/raw/socket.h"
#include "../../peers/raw/wire.h"
#include "common/options.h"
#include "common/serve.h"

namespace {

using namespace bench;
using namespace bench::raw;

// Collects what is written until it is sent.
struct Collecting {
  Socket& socket;
  std::vector<char> out;
  std::size_t read_some(void* data, std::size_t max) { return socket.read_some(data, max); }
  void write_all(const void* data, std::size_t size) {
    const auto* const from = static_cast<const char*>(data);
    out.insert(out.end(), from, from + size);
  }
  void send() {
    socket.write_all(out.data(), out.size());
    out.clear();
  }
};

}  // namespace

int main(int argc, char** argv) {
  return run_main("bench_raw_async_server", [&] {
    const Options options(argc, argv);
    static Sink sink;
    static const Listener listener(
        options.text("over") == "unix" ? Listener::Over::unix_domain : Listener::Over::tcp, nullptr,
        options.text("host", loopback_host));
    std::thread([] {
      for (;;)
        std::thread([socket = listener.accept()]() mutable {
          Connection connection(sink);
          for (Collecting channel{socket, {}}; connection.serve_one_read(channel);) channel.send();
        }).detach();
    }).detach();
    announce(listener.address());
    exit_when_stdin_closes();
  });
}
