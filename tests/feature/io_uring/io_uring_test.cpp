// Servers that wait by io_uring.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <takt/orb/parts.h>

#include "caught.h"
#include "orbs.h"
#include "raw_peer.h"
#include "strategy.h"

void takt::choose_parts(Parts& parts) { add_all(parts); }

namespace feature {
namespace {

constexpr std::size_t buffers = 128;  // in a ring

Options by_ring(Options options) {
  return with(std::move(options), {"-ORBReactor", "io_uring", "-ORBLocalRoads", "off"});
}

const Options reactive_by_io_uring = by_ring({"-ORBServerConcurrency", "reactive"});

const Strategy strategies[] = {
    {"Reactive", reactive_by_io_uring},
    {"OneThread", by_ring({"-ORBServerConcurrency", "leader-followers", "-ORBServerThreads", "1"})},
    {"Queue", by_ring({"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "2",
                       "-ORBMaxQueuedRequests", "10000"})},
    {"Lanes", by_ring({"-ORBLanes", "0=1"})},
    {"LanesWithQueues", by_ring({"-ORBLanes", "0=1", "-ORBLaneQueuedRequests", "10000"})},
};

class IoUring : public testing::TestWithParam<Strategy> {
 protected:
  const Options& by_io_uring = GetParam().options;
};

Calls::Octets numbered(std::size_t size, unsigned first) {
  Calls::Octets octets(size);
  for (std::size_t i = 0; i < size; ++i) octets[i] = static_cast<std::uint8_t>(first + i * 7 + i / 256);
  return octets;
}

Octets octets_request(std::uint32_t id, const Octets& key, std::size_t size) {
  const Calls::Octets body = numbered(size, id);
  return request(id, key, "echo_octets", {}, true).sequence(body).finish();
}

// The last octets of a reply, which may have contexts before them.
Octets body_of(const Octets& reply, std::size_t size) {
  return reply.size() < 24 + size ? Octets()
                                  : Octets(reply.end() - static_cast<std::ptrdiff_t>(size), reply.end());
}

void perform_until_readable(const OrbPair& orbs, const RawPeer& peer) {
  pollfd readable{peer.fd(), POLLIN, 0};
  for (int i = 0; i < 10000 && ::poll(&readable, 1, 0) == 0; ++i) orbs.server->perform_work();
}

TEST_P(IoUring, MessagesOfEachLengthAreWhole) {
  for (const char* mux : {"exclusive", "multiplexed"}) {
    ServerAndClient orbs(by_io_uring, {"-ORBClientConnections", mux});
    for (std::size_t size :
         {0u, 1u, 900u, 1008u, 4000u, 4080u, 4096u, 4097u, 8192u, 65536u, 1000003u, 4000000u, 3u}) {
      const Calls::Octets sent = numbered(size, 5);
      EXPECT_EQ(orbs.echo->echo_octets(sent), sent) << size;
    }
    std::mt19937 random(7);
    for (int i = 0; i < 400; ++i) {
      const Calls::Octets sent = numbered(random() % (i % 5 ? 6000 : 200000), random());
      ASSERT_EQ(orbs.echo->echo_octets(sent), sent) << "size " << sent.size() << ", call " << i;
    }
  }
}

// Requests in one write, cut at each place into two, so that heads and bodies arrive in parts.
TEST_P(IoUring, AMessageMayArriveInParts) {
  ServerAndClient orbs(by_io_uring);
  const Place place(orbs.ior);
  const Octets one = octets_request(9, place.key, 30);
  RawPeer peer(place);
  for (std::size_t cut = 1; cut < one.size(); cut += 3) {
    ASSERT_TRUE(peer.send(Octets(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(cut))));
    std::this_thread::sleep_for(200us);
    ASSERT_TRUE(peer.send(Octets(one.begin() + static_cast<std::ptrdiff_t>(cut), one.end())));
    ASSERT_EQ(body_of(peer.receive_message(), 30), numbered(30, 9)) << cut;
  }
}

TEST_P(IoUring, AReplyLeavesBeforeTheUpcallOfTheNextRequest) {
  ServerAndClient orbs(by_io_uring);
  const Place place(orbs.ior);
  RawPeer peer(place), other(place);
  Octets both = request(1, place.key, "cube", {}, true).raw({3}).finish();
  const Octets slow = request(2, place.key, "sleep_ms", {}, true).u32(600).finish();
  both.insert(both.end(), slow.begin(), slow.end());
  const auto begun = std::chrono::steady_clock::now();
  ASSERT_TRUE(peer.send(both));
  EXPECT_EQ(peer.receive_message().size(), 25u);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 400ms);
  EXPECT_EQ(peer.receive_message().size(), 24u);
  // The same with requests of two connections that are ready together.
  ASSERT_TRUE(peer.send(request(3, place.key, "sleep_ms", {}, true).u32(100).finish()));
  ASSERT_TRUE(other.send(request(1, place.key, "cube", {}, true).raw({3}).finish()));
  std::this_thread::sleep_for(30ms);
  const auto again = std::chrono::steady_clock::now();
  ASSERT_TRUE(peer.send(slow));
  EXPECT_EQ(other.receive_message().size(), 25u);
  EXPECT_LT(std::chrono::steady_clock::now() - again, 400ms);
}

// The second request is longer than the block into which the connection reads the first.
TEST_P(IoUring, AReplyLeavesThoughTheRestOfABufferIsReadOn) {
  ServerAndClient orbs(by_io_uring);
  const Place place(orbs.ior);
  RawPeer peer(place);
  Octets both = octets_request(1, place.key, 500);
  const Octets slow = request(2, place.key, "sleep_ms", {{0x7e570001, Octets(600)}}, true).u32(600).finish();
  both.insert(both.end(), slow.begin(), slow.end());
  const auto begun = std::chrono::steady_clock::now();
  ASSERT_TRUE(peer.send(both));
  EXPECT_EQ(body_of(peer.receive_message(), 500), numbered(500, 1));
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 400ms);
}

TEST_P(IoUring, AnAnswerWithServerScopeLeavesBeforeTheUpcall) {
  constexpr std::size_t response_flags_at = 16;
  ServerAndClient orbs(by_io_uring);
  const Place place(orbs.ior);
  RawPeer peer(place);
  Octets slow = request(2, place.key, "sleep_ms", {}, true).u32(600).finish();
  slow[response_flags_at] = 1;
  const auto begun = std::chrono::steady_clock::now();
  ASSERT_TRUE(peer.send(slow));
  EXPECT_EQ(peer.receive_message().size(), 24u);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 400ms);
}

TEST(ReactiveIoUring, AReplyLeavesWhenPerformWorkReturns) {
  OrbPair orbs(reactive_by_io_uring, {}, OrbPair::loopback, OrbPair::Server::serves_by_its_own_threads);
  const auto servant = CORBA::make_reference<EchoServant>();
  const Place place(orbs.client->object_to_string(orbs.publish<Calls::Echo>(servant)));
  RawPeer peer(place);
  for (std::uint32_t id = 1; id < 50; ++id) {
    ASSERT_TRUE(peer.send(request(id, place.key, "cube", {}, true).raw({3}).finish()));
    perform_until_readable(orbs, peer);
    ASSERT_EQ(peer.receive_message(100ms).size(), 25u) << id;
  }
}

// The ring belongs to a thread; it moves, and after many moves epoll serves.
TEST(ReactiveIoUring, ThreadsMayTakeTurns) {
  OrbPair orbs(reactive_by_io_uring, {}, OrbPair::loopback, OrbPair::Server::serves_by_its_own_threads);
  const auto servant = CORBA::make_reference<EchoServant>();
  const Place place(orbs.client->object_to_string(orbs.publish<Calls::Echo>(servant)));
  RawPeer peer(place), idle(place);
  for (std::uint32_t id = 1; id < 40; ++id) {
    const Octets all = octets_request(id, place.key, 100 + 300 * id);
    const Octets first(all.begin(), all.begin() + 70), rest(all.begin() + 70, all.end());
    ASSERT_TRUE(peer.send(first));
    const auto work = [&] {
      for (int i = 0; i < 20; ++i) orbs.server->perform_work();
    };
    std::thread(work).join();  // with a part of a message in the ring's buffers
    ASSERT_TRUE(peer.send(rest));
    std::thread([&] { perform_until_readable(orbs, peer); }).join();
    ASSERT_EQ(body_of(peer.receive_message(), 100 + 300 * id), numbered(100 + 300 * id, id)) << id;
  }
  ASSERT_TRUE(idle.send(request(1, place.key, "cube", {}, true).raw({3}).finish()));
  for (int i = 0; i < 100; ++i) orbs.server->perform_work();
  EXPECT_EQ(idle.receive_message().size(), 25u);
}

// More connections with a part of a message than the ring has buffers.
TEST_P(IoUring, BuffersThatAreUsedUpDelayNobody) {
  ServerAndClient orbs(with(by_io_uring, {"-ORBMaxQueuedRequests", "10000"}));  // no request is refused
  const Place place(orbs.ior);
  const Octets one = octets_request(9, place.key, 3000);
  std::vector<std::unique_ptr<RawPeer>> peers;
  for (std::size_t i = 0; i < 3 * buffers; ++i) {
    peers.push_back(std::make_unique<RawPeer>(place));
    ASSERT_TRUE(peers.back()->send(Octets(one.begin(), one.begin() + 2000)));
  }
  EXPECT_EQ(orbs.echo->cube(3), 27);
  for (auto& peer : peers) {
    ASSERT_TRUE(peer->send(Octets(one.begin() + 2000, one.end())));
    ASSERT_EQ(body_of(peer->receive_message(), 3000), numbered(3000, 9));
  }
}

// Floods from one peer that never reads, and does read later: everything arrives, and others are served.
TEST_P(IoUring, APeerThatDoesNotReadGetsItsRepliesLater) {
  ServerAndClient orbs(with(by_io_uring, {"-ORBSendTimeout", "30s"}));
  const Place place(orbs.ior);
  RawPeer peer(place);
  Octets all;
  for (std::uint32_t id = 1; id <= 6000; ++id) {
    const Octets one = octets_request(id, place.key, 700 + id % 3000);
    all.insert(all.end(), one.begin(), one.end());
  }
  const std::size_t sent = peer.send_while_it_takes(all, 200ms);
  EXPECT_LT(sent, all.size()) << "the server took all of it";
  for (int i = 0; i < 100; ++i) ASSERT_EQ(orbs.echo->cube(3), 27);
  std::thread sender([&] { peer.send(Octets(all.begin() + static_cast<std::ptrdiff_t>(sent), all.end())); });
  std::set<std::uint32_t> answered;  // several workers answer in any order
  bool whole = true;
  while (whole && answered.size() < 6000) {
    const Octets reply = peer.receive_message();
    const std::uint32_t id = request_id_of(reply);
    whole = answered.insert(id).second && body_of(reply, 700 + id % 3000) == numbered(700 + id % 3000, id);
    EXPECT_TRUE(whole) << id;
  }
  if (!whole) ::shutdown(peer.fd(), SHUT_RDWR);
  sender.join();
}

TEST_P(IoUring, AConnectionThatTheClientClosesIsClosed) {
  ServerAndClient orbs(by_io_uring);
  const Place place(orbs.ior);
  for (int i = 0; i < 300; ++i) {
    RawPeer peer(place);
    if (i % 3) {
      ASSERT_TRUE(peer.send(request(1, place.key, "cube", {}, true).raw({3}).finish()));
    }
    if (i % 3 == 1) {
      ASSERT_EQ(peer.receive_message().size(), 25u);
    }
  }
  EXPECT_EQ(orbs.echo->cube(3), 27);
}

// The server's socket is really closed, though the ring held it: the peer sees the end.
TEST_P(IoUring, AnIdleConnectionIsClosedInGoodOrder) {
  ServerAndClient orbs(with(by_io_uring, {"-ORBIdleTimeout", "100ms"}));
  const Place place(orbs.ior);
  RawPeer peer(place);
  ASSERT_TRUE(peer.send(request(1, place.key, "cube", {}, true).raw({3}).finish()));
  ASSERT_EQ(peer.receive_message().size(), 25u);
  const Octets last = peer.receive_message();
  ASSERT_EQ(last.size(), 12u);
  EXPECT_EQ(last[7], 5) << "CloseConnection";
  EXPECT_TRUE(peer.receive(1).empty());
}

TEST(IoUringOfSeveral, ThreadsThatTakeTurnsWaitByEpollAndTheLogSaysSo) {
  for (const Options& pool : {Options{"-ORBServerConcurrency", "leader-followers", "-ORBServerThreads", "2"},
                              Options{"-ORBLanes", "0=1+1"}, Options{"-ORBLanes", "0=2"}}) {
    const std::string file = testing::TempDir() + "io_uring." + std::to_string(::getpid()) + ".log";
    {
      ServerAndClient orbs(with(by_ring(pool), {"-ORBLogLevel", "info", "-ORBLogFile", file}));
      EXPECT_EQ(orbs.echo->cube(3), 27);
    }
    std::ifstream stream(file);
    const std::string log{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_NE(log.find("reactor-unused"), std::string::npos) << pool.back() << '\n' << log;
    EXPECT_NE(log.find("take turns at waiting"), std::string::npos) << log;
    ::unlink(file.c_str());
  }
}

// Ends the process: 0 if a server was served in spite of a kernel that refuses.
[[noreturn]] void serve_without_io_uring(const Options& by_io_uring) {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_io_uring_setup, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program{std::size(filter), filter};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) ::_exit(2);
  bool served = false;
  {
    ServerAndClient orbs(by_io_uring);
    served = orbs.echo->cube(3) == 27;
  }
  ::_exit(served ? 0 : 1);
}

TEST_P(IoUring, WhereTheKernelRefusesEpollServes) {
  EXPECT_EXIT(serve_without_io_uring(by_io_uring), testing::ExitedWithCode(0),
              "-ORBReactor io_uring: .*not permitted.*; epoll serves instead");
}

INSTANTIATE_TEST_SUITE_P(Each, IoUring, testing::ValuesIn(strategies),
                         [](const auto& strategy) { return std::string(strategy.param.name); });

}  // namespace
}  // namespace feature
