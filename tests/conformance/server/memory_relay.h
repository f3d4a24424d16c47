// Relays octets between peers on a UNIX-domain socket and a server on shared memory, so that raw peers can
// test it.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "transport/shm/shm_transport.h"
#include "transport/uds/uds_transport.h"

namespace feature {

class MemoryRelay {
 public:
  MemoryRelay(std::string server, const std::string& own)
      : server_(std::move(server)),
        acceptor_(takt::transport::UdsTransport().listen({"unix", own, 0}, {}).value()) {
    acceptor_->set_blocking(true);
    accepting_ = std::jthread([this] { accept(); });
  }
  ~MemoryRelay() {
    acceptor_->close();
    accepting_.join();
    for (auto& pair : pairs_) {
      pair->peer->shut_down();
      pair->server->shut_down();
    }
  }
  // Waits up to ten seconds until `peers` peers are connected to the server.
  bool await_connected(int peers) const {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (connected_ < peers && std::chrono::steady_clock::now() < until) std::this_thread::yield();
    return connected_ >= peers;
  }
  MemoryRelay(const MemoryRelay&) = delete;
  MemoryRelay& operator=(const MemoryRelay&) = delete;

 private:
  using Stream = takt::transport::Stream;
  struct Pair {
    std::unique_ptr<Stream> peer, server;
    std::atomic<int> over{0};
    std::jthread there, back;
  };

  void accept() {
    while (auto peer = acceptor_->accept()) {
      auto server = takt::transport::ShmTransport().connect(
          {"shm", server_, 0}, takt::os::Clock::now() + std::chrono::seconds(10), {});
      if (!server) continue;  // the peer is disconnected
      auto& pair = pairs_.emplace_back(std::make_unique<Pair>());
      pair->peer = std::move(*peer);
      pair->server = std::move(*server);
      pair->there = std::jthread([one = pair.get()] { pass_on(*one, *one->peer, *one->server); });
      pair->back = std::jthread([one = pair.get()] { pass_on(*one, *one->server, *one->peer); });
      ++connected_;
    }
  }
  // Forwards the ends of streams too; after both ends, the pair is done.
  static void pass_on(Pair& pair, Stream& from, Stream& to) {
    std::vector<std::uint8_t> octets(16 * 1024);
    for (;;) {
      const auto result = from.read(octets);
      takt::ByteView rest(octets.data(), result.bytes);
      while (!rest.empty()) {
        const auto written = to.write(rest);
        if (written.status != takt::transport::IoStatus::ok) break;
        rest = rest.subspan(written.bytes);
      }
      if (result.status != takt::transport::IoStatus::ok || !rest.empty()) break;
    }
    to.shut_down_writing();
    if (++pair.over < 2) return;
    pair.peer->shut_down();
    pair.server->shut_down();
  }

  const std::string server_;
  const std::unique_ptr<takt::transport::Acceptor> acceptor_;
  std::vector<std::unique_ptr<Pair>> pairs_;  // used only by the accepting thread
  std::atomic<int> connected_{0};
  std::jthread accepting_;
};

}  // namespace feature
