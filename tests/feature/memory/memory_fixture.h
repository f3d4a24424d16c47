// A server process whose memory is measured, a client that must stay served, and raw peers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "../make_orb.h"
#include "memoryC.h"
#include "process.h"
#include "raw_peer.h"

namespace feature {

constexpr std::size_t KiB = 1024, MiB = 1024 * KiB;
// For threads and uncounted buffers. Sanitizers keep freed memory, and add some for each octet.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t slack = 2048 * MiB;
#else
constexpr std::size_t slack = 24 * MiB;
#endif

using StoreRef = IDL::traits<Memory::Store>::ref_type;

// Sets the limit in the environment of processes started while this object exists.
class AddressSpace {
 public:
  explicit AddressSpace(const char* mebibytes) { ::setenv("TAKT_TEST_ADDRESS_SPACE", mebibytes, 1); }
  ~AddressSpace() { ::unsetenv("TAKT_TEST_ADDRESS_SPACE"); }
};

class StoreServer : public Process {
 public:
  explicit StoreServer(std::vector<std::string> options) : Process(TAKT_MEMORY_SERVER, std::move(options)) {
    ior = line();
  }
  std::string ior;

  std::size_t resident_bytes() const {
    std::ifstream file("/proc/" + std::to_string(id()) + "/statm");
    std::size_t pages = 0, resident = 0;
    file >> pages >> resident;
    return resident * 4096;
  }
  // Whether its memory falls below `bytes`.
  bool shrinks_below(std::size_t bytes, std::chrono::milliseconds patience = 20s) const {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < until) {
      if (resident_bytes() < bytes) return true;
      std::this_thread::sleep_for(20ms);
    }
    return false;
  }
};

class MemoryTest : public testing::Test {
 protected:
  ~MemoryTest() override {
    store.reset();
    if (client) client->destroy();
  }
  void start(std::vector<std::string> options, std::vector<std::string> client_options = {}) {
    // Allows so many requests that only memory limits apply.
    options.insert(options.end(),
                   {"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBMaxQueuedRequests", "10000"});
    server = std::make_unique<StoreServer>(std::move(options));
    place = std::make_unique<Place>(server->ior);
    call_with(std::move(client_options));
    at_start = server->resident_bytes();
  }
  void call_with(std::vector<std::string> client_options) {
    client = make_orb(std::move(client_options), "client");
    store = IDL::traits<Memory::Store>::narrow(client->string_to_object(server->ior));
    ASSERT_EQ(store->cube(3), 27);
  }
  std::size_t grown() const {
    const std::size_t now = server->resident_bytes();
    return now > at_start ? now - at_start : 0;
  }
  // Threads give back what they held after the peer has its reply.
  bool gives_all_back(std::chrono::milliseconds patience = 10s) const {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (store->server_memory().taken() > 0) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(10ms);
    }
    return true;
  }
  // Another client is served normally.
  void expect_others_served() { EXPECT_EQ(store->cube(3), 27); }

  std::unique_ptr<StoreServer> server;
  std::unique_ptr<Place> place;
  Orb client;
  StoreRef store;
  std::size_t at_start = 0;
};

// A request with an octet sequence, sent in parts of a given length.
struct InParts {
  InParts(const Octets& key, std::uint32_t id, std::size_t part_bytes) : part(part_bytes) {
    MessageOctets head = request(id, key, "take", {}, true);
    first = head.u32(0x40000000).u32(0).finish();
    first[6] |= 2;
    part = MessageOctets(7).u32(id).raw(Octets(part_bytes)).finish();
    part[6] |= 2;
  }
  Octets first, part;
};

}  // namespace feature
