// The contract of concurrency.h, for each strategy, observed on the wire.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>
#include <ranges>

#include <takt/orb/parts.h>

#include "../transport/suite/no_descriptors.h"
#include "caught.h"
#include "certificates.h"
#include "gate.h"
#include "memory_relay.h"
#include "orbs.h"
#include "raw_peer.h"
#include "strategy.h"
#include "tunnel.h"

void takt::choose_parts(Parts& parts) { add_all(parts); }

namespace {
std::atomic<unsigned> accepted{0};
}

// Replaces the C library's accept4() to count connections.
extern "C" int accept4(int fd, sockaddr* address, socklen_t* length, int flags) {
  const long connection = ::syscall(SYS_accept4, fd, address, length, flags);
  if (connection >= 0) ++accepted;
  return static_cast<int>(connection);
}

namespace feature {
namespace {

constexpr std::uint8_t reply_type = 1, close_connection_type = 5;

const Strategy strategies[] = {
    {"ThreadPerConnection", {"-ORBServerConcurrency", "thread-per-connection"}},
    {"Reactive", {"-ORBServerConcurrency", "reactive"}},
    {"LeaderFollowersOfOne", {"-ORBServerConcurrency", "leader-followers", "-ORBServerThreads", "1"}},
    {"LeaderFollowersOfFour", {"-ORBServerConcurrency", "leader-followers", "-ORBServerThreads", "4"}},
    {"WorkerPoolOfOne", {"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "1"}},
    {"WorkerPoolOfFour", {"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "4"}},
    {"ThreadingFramework", {"-ORBServerConcurrency", "threading-framework", "-ORBServerThreads", "4"}},
    {"ThreadPerConnectionOverUnix", {"-ORBServerConcurrency", "thread-per-connection"}},
    {"ReactiveOverUnix", {"-ORBServerConcurrency", "reactive"}},
    {"LeaderFollowersOfFourOverUnix", {"-ORBServerConcurrency", "leader-followers"}},
    {"WorkerPoolOfFourOverUnix", {"-ORBServerConcurrency", "worker-pool"}},
    {"ThreadPerConnectionOverMemory", {"-ORBServerConcurrency", "thread-per-connection"}},
    {"ReactiveOverMemory", {"-ORBServerConcurrency", "reactive"}},
    {"LeaderFollowersOfFourOverMemory", {"-ORBServerConcurrency", "leader-followers"}},
    {"WorkerPoolOfFourOverMemory", {"-ORBServerConcurrency", "worker-pool"}},
    {"ThreadPerConnectionOverTls", {"-ORBServerConcurrency", "thread-per-connection"}},
    {"ReactiveByIoUring", {"-ORBServerConcurrency", "reactive", "-ORBReactor", "io_uring"}},
    {"ReactiveByIoUringOverUnix", {"-ORBServerConcurrency", "reactive", "-ORBReactor", "io_uring"}},
    {"ReactiveByIoUringOverTls", {"-ORBServerConcurrency", "reactive", "-ORBReactor", "io_uring"}},
    {"ReactiveOverTls", {"-ORBServerConcurrency", "reactive"}},
    {"LeaderFollowersOfFourOverTls", {"-ORBServerConcurrency", "leader-followers"}},
    {"WorkerPoolOfFourOverTls", {"-ORBServerConcurrency", "worker-pool"}},
};

class Concurrency : public testing::TestWithParam<Strategy> {
 protected:
  void start(std::vector<std::string> options = {}) {
    std::ranges::copy(GetParam().options, std::back_inserter(options));
    const std::string path = "/tmp/takt-server-" + std::to_string(::getpid());
    const bool over_unix = std::string_view(GetParam().name).ends_with("OverUnix");
    const bool over_memory = std::string_view(GetParam().name).ends_with("OverMemory");
    if (over_unix) options.insert(options.end(), {"-ORBListenEndpoints", "unix:" + path});
    if (over_memory) options.insert(options.end(), {"-ORBListenEndpoints", "shm:" + path});
    const bool over_tls = std::string_view(GetParam().name).ends_with("OverTls");
    if (over_tls) {
      static const takt::test::Authority authority;
      static const takt::test::Credentials own = authority.issue({.name = "server"});
      options.insert(options.end(), {"-ORBListenEndpoints", "ssliop://127.0.0.1:0", "-ORBTLSCertificate",
                                     own.certificate_file, "-ORBTLSKey", own.key_file});
    }
    orbs = std::make_unique<ServerAndClient>(std::move(options));
    place = std::make_unique<Place>(orbs->ior);
    if (over_unix) place->path = path;
    if (over_tls) place->port = tunnelled_port();
    if (!over_memory) return;
    relay = std::make_unique<MemoryRelay>(path, path + "-relay");
    place->path = path + "-relay";
  }
  std::uint16_t tunnelled_port() {
    for (const std::string& address : orbs->server->_published_endpoints())
      if (address.starts_with("ssliop "))
        tunnel = std::make_unique<takt::test::TlsTunnel>(
            static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
    return tunnel->port();
  }
  Octets cube(std::uint32_t id, std::uint8_t x) const {
    return request(id, place->key, "cube", {}, true).raw({x}).finish();
  }
  Octets sleep_ms(std::uint32_t id, std::uint32_t ms) const {
    return request(id, place->key, "sleep_ms", {}, true).u32(ms).finish();
  }
  // Starts an upcall that ends when the gate is opened.
  void keep_busy(RawPeer& peer, std::uint32_t id) {
    const Place kept(orbs->client->object_to_string(orbs->publish<Calls::Echo>(keeper)));
    ASSERT_TRUE(peer.send(request(id, kept.key, "nothing").finish()));
    ASSERT_TRUE(keeper->gate.entered_by(1));
  }
  static std::uint8_t type_of(const Octets& message) { return message.size() < 12 ? 0xff : message[7]; }
  static std::uint32_t id_of(const Octets& message) {
    std::uint32_t id = 0xffffffff;
    if (message.size() >= 16) std::memcpy(&id, &message[12], 4);
    return id;
  }
  static bool is_reply(const Octets& message, std::uint32_t id) {
    return type_of(message) == reply_type && id_of(message) == id;
  }

  const CORBA::servant_reference<Keeper> keeper = CORBA::make_reference<Keeper>();
  std::unique_ptr<takt::test::TlsTunnel> tunnel;
  std::unique_ptr<ServerAndClient> orbs;
  std::unique_ptr<Place> place;
  std::unique_ptr<MemoryRelay> relay;
};

TEST_P(Concurrency, EveryConnectionIsServed) {  // 1
  start();
  std::vector<std::unique_ptr<RawPeer>> peers;
  for (int i = 0; i < 60; ++i) peers.push_back(std::make_unique<RawPeer>(*place));
  std::uint32_t id = 0;
  for (auto& peer : peers) {
    ASSERT_TRUE(peer->send(cube(++id, 2)));
    EXPECT_TRUE(is_reply(peer->receive_message(), id));
  }
}

// One thread accepts and serves.
class AcceptingThread : public Concurrency {};

// A request comes after them.
TEST_P(AcceptingThread, ConnectionsThatArriveTogetherLeaveRequestsTheirTurn) {
  start();
  RawPeer first(*place), second(*place);
  ASSERT_TRUE(second.send(cube(1, 2)));
  ASSERT_TRUE(is_reply(second.receive_message(), 1)) << "it is accepted";
  keep_busy(first, 2);
  const auto other = CORBA::make_reference<Keeper>();
  const Place kept(orbs->client->object_to_string(orbs->publish<Calls::Echo>(other)));
  const unsigned before = accepted;
  std::vector<std::unique_ptr<RawPeer>> flood;
  for (int i = 0; i < 60; ++i) flood.push_back(std::make_unique<RawPeer>(*place));
  ASSERT_TRUE(second.send(request(3, kept.key, "nothing").finish()));
  keeper->gate.open();
  ASSERT_TRUE(other->gate.entered_by(1));
  EXPECT_LE(accepted - before, 8u) << "before the request was served";
  other->gate.open();
  EXPECT_TRUE(is_reply(second.receive_message(), 3));
  for (auto& peer : flood) {
    ASSERT_TRUE(peer->send(cube(4, 2)));
    EXPECT_TRUE(is_reply(peer->receive_message(), 4));
  }
}

TEST_P(Concurrency, RequestsOfOneConnectionAreAnsweredOnceAndInOrderUnlessTheyOverlap) {  // 2
  start({"-ORBMaxQueuedRequests", "1000"});
  RawPeer peer(*place);
  Octets all;
  for (std::uint32_t id = 1; id <= 200; ++id) {
    const Octets one = cube(id, 3);
    all.insert(all.end(), one.begin(), one.end());
  }
  ASSERT_TRUE(peer.send(all));
  std::vector<std::uint32_t> answered, sent;
  for (std::uint32_t id = 1; id <= 200; ++id) {
    const Octets message = peer.receive_message();
    ASSERT_EQ(type_of(message), reply_type) << id;
    answered.push_back(id_of(message));
    sent.push_back(id);
  }
  if (const std::string_view name = GetParam().name;
      name.starts_with("WorkerPoolOfFour") || name == "ThreadingFramework")
    std::ranges::sort(answered);
  EXPECT_EQ(answered, sent);
  EXPECT_TRUE(peer.receive(1, 50ms).empty());
}

// Remembers in which order its requests are served. For one thread at a time.
class Ordered final : public EchoServant {
 public:
  std::uint8_t cube(std::uint8_t x) override {
    order.push_back(x);
    for (const auto end = std::chrono::steady_clock::now() + takes; std::chrono::steady_clock::now() < end;) {
    }
    return 0;
  }
  void nothing() override { gate.wait(); }
  std::vector<std::uint8_t> order;
  std::chrono::microseconds takes{0};  // each cube()
  Gate gate;
};

class OneThread : public Concurrency {
 protected:
  static constexpr std::uint32_t size = 800;  // requests in a batch

  void start_ordered() {
    start();
    place->key = Place(orbs->client->object_to_string(orbs->publish<Calls::Echo>(servant))).key;
  }
  // Requests with the ids from `first` on.
  void send_batch(RawPeer& peer, std::uint32_t first, std::uint8_t x, Octets all = {}) const {
    for (std::uint32_t i = 0; i < size; ++i) std::ranges::copy(cube(first + i, x), std::back_inserter(all));
    ASSERT_TRUE(peer.send(all));
  }
  static void receive_batch(RawPeer& peer, std::uint32_t first) {
    for (std::uint32_t id = first; id < first + size; ++id)
      EXPECT_TRUE(is_reply(peer.receive_message(), id)) << id;
  }
  // Reads become longer with each batch, until one brings all of it.
  void lengthen_reads(RawPeer& peer) const {
    for (int i = 0; i < 4; ++i) {
      ASSERT_NO_FATAL_FAILURE(send_batch(peer, 1, 2));
      receive_batch(peer, 1);
    }
  }

  const CORBA::servant_reference<Ordered> servant = CORBA::make_reference<Ordered>();
};

TEST_P(OneThread, ALoneRequestDoesNotStandBehindTheBatchOfAnotherConnection) {  // 1
  start_ordered();
  RawPeer batch(*place), lone(*place);
  ASSERT_TRUE(lone.send(cube(1, 9)));
  EXPECT_TRUE(is_reply(lone.receive_message(), 1));
  lengthen_reads(batch);
  servant->order.clear();
  ASSERT_NO_FATAL_FAILURE(send_batch(batch, 2, 2, request(1, place->key, "nothing").finish()));
  ASSERT_TRUE(servant->gate.entered_by(1));
  ASSERT_TRUE(lone.send(cube(2, 5)));
  servant->gate.open();
  EXPECT_TRUE(is_reply(lone.receive_message(), 2));
  EXPECT_TRUE(is_reply(batch.receive_message(), 1));
  receive_batch(batch, 2);
  EXPECT_LT(std::ranges::find(servant->order, 5) - servant->order.begin(), size / 4);
  EXPECT_EQ(servant->order.size(), size + 1);
}

// An interrupted batch waits for a turn of the other one, not for its end.
TEST_P(OneThread, BatchesOfTwoConnectionsTakeTurns) {  // 1
  start_ordered();
  RawPeer one(*place), other(*place);
  lengthen_reads(one);
  lengthen_reads(other);
  servant->order.clear();
  servant->takes = 10us;
  ASSERT_NO_FATAL_FAILURE(send_batch(one, 2, 5, request(1, place->key, "nothing").finish()));
  ASSERT_TRUE(servant->gate.entered_by(1));
  ASSERT_NO_FATAL_FAILURE(send_batch(other, 1, 6));
  servant->gate.open();
  EXPECT_TRUE(is_reply(one.receive_message(), 1));
  receive_batch(one, 2);
  receive_batch(other, 1);
  const auto& order = servant->order;
  ASSERT_EQ(order.size(), 2 * size);
  // Until one of them is over.
  const auto last = [&](std::uint8_t x) { return std::ranges::find(order.rbegin(), order.rend(), x).base(); };
  const auto end = std::min(last(5), last(6));
  EXPECT_GT(std::min(std::count(order.begin(), end, 5), std::count(order.begin(), end, 6)), size / 4);
}

TEST_P(Concurrency, AReplyDoesNotWaitForTheUpcallOfARequestThatCameWithIt) {  // 2
  start();
  RawPeer peer(*place);
  const Place kept(orbs->client->object_to_string(orbs->publish<Calls::Echo>(keeper)));
  const auto send_together = [&](std::initializer_list<Octets> requests) {
    Octets all;
    for (const Octets& one : requests) all.insert(all.end(), one.begin(), one.end());
    ASSERT_TRUE(peer.send(all));
  };
  ASSERT_NO_FATAL_FAILURE(
      send_together({cube(1, 5), cube(2, 5)}));  // the server sees that the peer pipelines
  EXPECT_EQ(type_of(peer.receive_message()), reply_type);
  EXPECT_EQ(type_of(peer.receive_message()), reply_type);
  ASSERT_NO_FATAL_FAILURE(
      send_together({cube(3, 5), request(4, kept.key, "nothing").finish(), cube(5, 5), cube(6, 5)}));
  ASSERT_TRUE(keeper->gate.entered_by(1));
  const Octets first = peer.receive_message();
  EXPECT_EQ(type_of(first), reply_type) << "although the upcall goes on";
  keeper->gate.open();
  std::vector<std::uint32_t> answered{id_of(first)};
  for (int i = 0; i < 3; ++i) answered.push_back(id_of(peer.receive_message()));
  std::ranges::sort(answered);
  EXPECT_EQ(answered, (std::vector<std::uint32_t>{3, 4, 5, 6}));
}

TEST_P(Concurrency, ARequestMayArriveOctetByOctet) {  // 2
  start();
  RawPeer peer(*place);
  for (const std::uint8_t octet : cube(9, 4)) ASSERT_TRUE(peer.send({octet}));
  EXPECT_TRUE(is_reply(peer.receive_message(), 9));
}

TEST_P(Concurrency, HalfOfLongOctetsCostsTheOthersNothing) {  // 3
  start();
  RawPeer stalled(*place), patient(*place);
  Octets octets(300'000);
  for (std::size_t i = 0; i < octets.size(); ++i) octets[i] = static_cast<std::uint8_t>(i * 7);
  const Octets whole = request(1, place->key, "echo_octets", {}, true).sequence(octets).finish();
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(stalled.send(Octets(whole.begin(), whole.begin() + 150'000)));
    for (std::uint32_t id = 1; id <= 20; ++id) {
      ASSERT_TRUE(patient.send(cube(id, 5)));
      EXPECT_TRUE(is_reply(patient.receive_message(), id));
    }
    ASSERT_TRUE(stalled.send(Octets(whole.begin() + 150'000, whole.end())));
    const Octets reply = stalled.receive_message();
    ASSERT_TRUE(is_reply(reply, 1));
    ASSERT_GE(reply.size(), octets.size());
    EXPECT_TRUE(std::equal(octets.rbegin(), octets.rend(), reply.rbegin()));
  }
}

TEST_P(Concurrency, APeerThatStallsCostsTheOthersNothing) {  // 3
  start();
  RawPeer stalled(*place), patient(*place);
  const Octets whole = cube(1, 5);
  ASSERT_TRUE(stalled.send(Octets(whole.begin(), whole.end() - 1)));
  for (std::uint32_t id = 1; id <= 20; ++id) {
    ASSERT_TRUE(patient.send(cube(id, 5)));
    EXPECT_TRUE(is_reply(patient.receive_message(), id));
  }
  ASSERT_TRUE(stalled.send({whole.back()}));
  EXPECT_TRUE(is_reply(stalled.receive_message(), 1));
}

TEST_P(Concurrency, MoreConnectionsThanItMayHaveAreClosed) {  // 3
  const Caught said;
  start({"-ORBMaxConnections", "2"});
  RawPeer first(*place);
  auto second = std::make_unique<RawPeer>(*place);
  ASSERT_TRUE(first.send(cube(1, 5)));
  EXPECT_TRUE(is_reply(first.receive_message(), 1));
  ASSERT_TRUE(second->send(cube(1, 5)));
  EXPECT_TRUE(is_reply(second->receive_message(), 1));
  {
    RawPeer third(*place);
    third.send(cube(1, 5));
    EXPECT_EQ(type_of(third.receive_message(5s)), close_connection_type);
  }
  second.reset();
  bool served = false;  // once the server has noticed the closed connection
  for (int i = 0; i < 100 && !served; ++i) {
    RawPeer next(*place);
    served = next.send(cube(1, 5)) && is_reply(next.receive_message(2s), 1);
    if (!served) std::this_thread::sleep_for(20ms);
  }
  EXPECT_TRUE(served);
  orbs.reset();
  EXPECT_TRUE(said.has("as soon as they are accepted: 2 are open, and -ORBMaxConnections allows no more\n"));
  EXPECT_EQ(said.lines(), 1u) << said.text();
}

TEST_P(Concurrency, AClientForWhomThereIsNoDescriptorIsClosedAndLaterOnesAreServed) {  // 3
  const Caught said;
  start();
  if (relay || tunnel) GTEST_SKIP() << "these need descriptors of this process too";
  RawPeer before(*place);
  ASSERT_TRUE(before.send(cube(1, 5)));
  EXPECT_TRUE(is_reply(before.receive_message(), 1));
  {
    takt::test::NoDescriptors left;
    left.leave_one();
    RawPeer turned_down(*place);
    EXPECT_TRUE(turned_down.closes_within(5s)) << "it learns at once that it is not served";
    ASSERT_TRUE(before.send(cube(2, 5)));
    EXPECT_TRUE(is_reply(before.receive_message(), 2)) << "others are served";
  }
  RawPeer later(*place);
  ASSERT_TRUE(later.send(cube(1, 5)));
  EXPECT_TRUE(is_reply(later.receive_message(), 1));
  orbs.reset();
  EXPECT_TRUE(said.has("out of descriptors")) << said.text();
}

TEST_P(Concurrency, AnIdleConnectionIsClosedInTime) {  // 3
  start({"-ORBIdleTimeout", "300ms"});
  RawPeer peer(*place);
  ASSERT_TRUE(peer.send(cube(1, 5)));
  EXPECT_TRUE(is_reply(peer.receive_message(), 1));
  EXPECT_NE(type_of(peer.receive_message(5s)), reply_type);
  EXPECT_FALSE(peer.send(cube(2, 5)) && is_reply(peer.receive_message(2s), 2));
}

TEST_P(Concurrency, StoppingAnswersWhatIsInProgressAndClosesInGoodOrder) {  // 5
  start();
  RawPeer busy(*place), idle(*place);
  ASSERT_TRUE(idle.send(cube(1, 5)));
  EXPECT_TRUE(is_reply(idle.receive_message(), 1));
  ASSERT_NO_FATAL_FAILURE(keep_busy(busy, 7));
  auto stopping = std::async(std::launch::async, [&] { orbs->server->shutdown(true); });
  std::this_thread::sleep_for(100ms);
  keeper->gate.open();
  EXPECT_TRUE(is_reply(busy.receive_message(), 7));
  EXPECT_EQ(type_of(busy.receive_message()), close_connection_type);
  EXPECT_EQ(type_of(idle.receive_message()), close_connection_type);
  EXPECT_TRUE(idle.receive(1).empty());
  stopping.get();
}

TEST_P(Concurrency, StoppingBeforeAnythingRanLetsNobodyIn) {  // 5
  auto options = GetParam().options;
  options.insert(options.end(), {"-ORBListenEndpoints", "iiop://127.0.0.1:0"});
  const auto server = make_orb(std::move(options), "server");
  server->resolve_initial_references("RootPOA");
  const std::string address = server->_published_endpoints().front();
  const auto port = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  EXPECT_NO_THROW(RawPeer waiting(port));
  server->shutdown(true);
  EXPECT_THROW(RawPeer late(port), std::runtime_error);
  server->destroy();
}

TEST_P(Concurrency, StoppingSendsAReplyThatIsTakenSlowlyToItsEnd) {  // 5
  start({"-ORBMaxMessageSize", "16MiB"});
  RawPeer slow(*place);
  const Octets octets(8'000'000, 7);
  ASSERT_TRUE(slow.send(request(7, place->key, "echo_octets", {}, true).sequence(octets).finish()));
  pollfd begun{slow.fd(), POLLIN, 0};
  ASSERT_EQ(::poll(&begun, 1, 40'000), 1);
  std::this_thread::sleep_for(100ms);  // until the reply fills all buffers between the two
  auto stopping = std::async(std::launch::async, [&] { orbs->server->shutdown(true); });
  std::this_thread::sleep_for(100ms);
  const Octets reply = slow.receive_message();
  EXPECT_TRUE(is_reply(reply, 7));
  EXPECT_GE(reply.size(), 24 + 4 + octets.size())
      << "with or without a context that eases the client's copying";
  EXPECT_TRUE(
      std::equal(octets.begin(), octets.end(), reply.end() - static_cast<std::ptrdiff_t>(octets.size())));
  EXPECT_EQ(type_of(slow.receive_message()), close_connection_type);
  stopping.get();
}

TEST_P(Concurrency, StoppingInTheMiddleOfALongRequestServesItOrSaysThatItDidNot) {  // 5
  start();
  std::optional<RawPeer> peer(*place);
  const Octets whole = request(7, place->key, "echo_octets", {}, true).sequence(Octets(100'000, 7)).finish();
  const auto middle = whole.begin() + 50'000;
  ASSERT_TRUE(peer->send(Octets(whole.begin(), middle)));
  std::this_thread::sleep_for(100ms);
  auto stopping = std::async(std::launch::async, [&] { orbs->server->shutdown(true); });
  std::this_thread::sleep_for(100ms);
  const auto later = middle + 25'000;
  EXPECT_TRUE(peer->send(Octets(middle, later)));
  std::this_thread::sleep_for(50ms);
  const bool heard = peer->send(Octets(later, whole.end()));
  if (!relay && !tunnel) {  // these close both directions at once
    EXPECT_TRUE(heard) << "what a reset may overtake";
  }
  Octets answer = peer->receive_message();
  if (std::string_view(GetParam().name).starts_with("ThreadPerConnection") && is_reply(answer, 7))
    answer = peer->receive_message();  // the upcall had begun
  EXPECT_EQ(type_of(answer), close_connection_type);
  peer.reset();
  stopping.get();
}

// Connections that the server has not accepted or read yet.
TEST_P(Concurrency, StoppingTellsEachOfManyNewConnections) {  // 5
  if (std::string_view(GetParam().name).ends_with("OverTls"))
    GTEST_SKIP() << "a handshake that is not done ends without a word: its client has not asked for anything";
  start();
  RawPeer busy(*place);
  ASSERT_TRUE(busy.send(sleep_ms(7, 200)));
  std::this_thread::sleep_for(50ms);
  std::vector<std::unique_ptr<RawPeer>> peers;
  for (int i = 0; i < 60; ++i) {
    peers.push_back(std::make_unique<RawPeer>(*place));
    ASSERT_TRUE(peers.back()->send(cube(1, 5)));
  }
  if (relay) {
    ASSERT_TRUE(relay->await_connected(61)) << "the busy one, and these";
  }
  orbs->server->shutdown(true);
  for (auto& peer : peers) {
    Octets message = peer->receive_message();
    if (is_reply(message, 1)) message = peer->receive_message();
    EXPECT_EQ(type_of(message), close_connection_type);
    EXPECT_TRUE(peer->receive(1).empty());
  }
}

TEST_P(Concurrency, StoppingWaitsNoLongerThanItMay) {  // 5
  start({"-ORBShutdownTimeout", "200ms"});
  RawPeer busy(*place);
  if (std::string_view(GetParam().name).starts_with("Reactive"))
    GTEST_SKIP() << "its upcalls run in the thread that stops it";
  ASSERT_NO_FATAL_FAILURE(keep_busy(busy, 7));
  orbs->server->shutdown(true);
  EXPECT_FALSE(keeper->gate.left_by(1)) << "the upcall goes on";
  keeper->gate.open();
}

// Shuts its ORB down from inside an upcall.
class Ending final : public EchoServant {
 public:
  explicit Ending(Orb orb) : orb_(orb) {}
  void nothing() override {
    const auto refused = [](const auto& call) {
      try {
        call();
        return false;
      } catch (const CORBA::BAD_INV_ORDER& refusal) {
        return refusal.minor() == CORBA::omg_minor(3);
      }
    };
    refused_ = refused([&] { orb_->shutdown(true); }) && refused([&] { orb_->destroy(); });
    orb_->shutdown(false);
  }
  bool refused() const { return refused_; }

 private:
  Orb orb_;
  std::atomic<bool> refused_{false};
};

TEST_P(Concurrency, AnUpcallMayEndTheOrbButNotWaitForItsOwnEnd) {  // 5
  start();
  const auto ending = CORBA::make_reference<Ending>(orbs->server);
  const auto reference = orbs->publish<Calls::Echo>(ending);
  const Place there(orbs->client->object_to_string(reference));
  RawPeer caller(there.port), idle(*place);
  ASSERT_TRUE(idle.send(cube(1, 5)));
  EXPECT_TRUE(is_reply(idle.receive_message(), 1));
  ASSERT_TRUE(caller.send(request(7, there.key, "nothing", {}, true).finish()));
  EXPECT_TRUE(is_reply(caller.receive_message(), 7));
  EXPECT_TRUE(ending->refused());
  EXPECT_EQ(type_of(caller.receive_message()), close_connection_type);
  EXPECT_EQ(type_of(idle.receive_message()), close_connection_type);
  orbs->run_returns();
}

class Throwing final : public EchoServant {
 public:
  void nothing() override { throw 42; }
};

TEST_P(Concurrency, AnUpcallThatThrowsWhatIsNoneIsUnknownAndItsThreadServesOn) {  // 2
  start();
  const Place there(
      orbs->client->object_to_string(orbs->publish<Calls::Echo>(CORBA::make_reference<Throwing>())));
  RawPeer peer(there.port);
  for (std::uint32_t id = 1; id <= 20; ++id) {
    ASSERT_TRUE(peer.send(request(id, there.key, "nothing").finish()));
    const Octets reply = peer.receive_message();
    ASSERT_TRUE(is_reply(reply, id));
    const std::string_view text(reinterpret_cast<const char*>(reply.data()), reply.size());
    EXPECT_NE(text.find("IDL:omg.org/CORBA/UNKNOWN:1.0"), std::string_view::npos);
  }
  ASSERT_TRUE(peer.send(cube(21, 5)));
  EXPECT_TRUE(is_reply(peer.receive_message(), 21));
}

std::vector<Strategy> of_one_thread() {
  std::vector<Strategy> all;
  std::ranges::copy_if(strategies, std::back_inserter(all), [](const Strategy& one) {
    const std::string_view name = one.name;
    // Over these, a thread of the test hands the octets on, so that they may come later.
    return (name.starts_with("Reactive") || name.starts_with("LeaderFollowersOfOne")) &&
           !name.ends_with("OverTls") && !name.ends_with("OverMemory");
  });
  return all;
}

INSTANTIATE_TEST_SUITE_P(Each, AcceptingThread, testing::Values(strategies[1], strategies[2]),
                         [](const auto& strategy) { return std::string(strategy.param.name); });
INSTANTIATE_TEST_SUITE_P(Each, OneThread, testing::ValuesIn(of_one_thread()),
                         [](const auto& strategy) { return std::string(strategy.param.name); });
INSTANTIATE_TEST_SUITE_P(Each, Concurrency, testing::ValuesIn(strategies),
                         [](const auto& strategy) { return std::string(strategy.param.name); });

}  // namespace
}  // namespace feature
