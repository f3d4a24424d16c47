// bench_raw_async_client --endpoint ADDRESS [--in-flight N] [--connections N] [--seconds S]: a thread for
// each connection, which sends a request for each reply that a read brings, all in one write.
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "../../peers/raw/socket.h"
#include "../../peers/raw/wire.h"
#include "../flow.h"
#include "common/options.h"
#include "common/serve.h"

namespace {

using namespace bench;
using namespace bench::raw;

constexpr std::uint8_t argument = 3;
constexpr std::size_t reply_size = reply_bytes(Op::cube_octet, 0);

// Replies come in the order of the requests, so that the chains take turns.
void drive(Socket& socket, const std::vector<Chain*>& chains) {
  std::vector<Request> requests;
  std::vector<char> replies(chains.size() * reply_size);
  const auto begin = [&](Chain& chain) {
    if (!chain.begin()) return false;
    requests.push_back({Op::cube_octet, 0, argument, {}});
    return true;
  };
  std::size_t under_way = 0, next = 0, got = 0;
  for (Chain* chain : chains) under_way += begin(*chain);
  while (under_way != 0) {
    if (!requests.empty()) socket.write_all(requests.data(), requests.size() * sizeof(Request));
    requests.clear();
    const std::size_t read = socket.read_some(replies.data() + got, replies.size() - got);
    check(read != 0, "the server closed the connection");
    got += read;
    std::size_t at = 0;
    for (; got - at >= reply_size; at += reply_size) {
      check(static_cast<std::uint8_t>(replies[at + reply_header_bytes]) == cube(argument), "a wrong reply");
      Chain& chain = *chains[next++ % chains.size()];
      chain.end();
      if (!begin(chain)) --under_way;
    }
    std::memmove(replies.data(), replies.data() + at, got -= at);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return run_main("bench_raw_async_client", [&] {
    const Options options(argc, argv);
    const Shape shape(options);
    Limit limit(options);
    const Chains chains(shape, limit);
    std::vector<Socket> sockets;
    for (std::size_t i = 0; i < shape.connections; ++i)
      sockets.push_back(Socket::connect(options.text("endpoint")));
    limit.start();
    run_each(shape.connections, "bench_raw_async_client",
             [&](std::size_t i) { drive(sockets[i], chains.of(i)); });
    print(options, shape, chains.all(), limit);
  });
}
