// Offers that cannot be taken: calls then go by TCP, and the log says why.
#include <sys/un.h>

#include "../../eventually.h"
#include "../kept_port.h"
#include "os/net/unix_socket.h"
#include "roads.h"
#include "roads/road_offer.h"

namespace feature {
namespace {

namespace os = takt::os;
using takt::roads::Road;
using takt::test::eventually;

// A server, and a client whose log is a file.
class Lied : public Served {
 public:
  explicit Lied(const Options& roads = {"-ORBLocalRoads", "on"})
      : Served("iiop://127.0.0.1:0", on,
               with(roads, {"-ORBLogLevel", "info", "-ORBLogFile", file_of(folder())})) {}

  // Calls by that reference, which must go by TCP.
  void goes_by_tcp(const std::string& ior) const {
    const auto echo = IDL::traits<Calls::Echo>::narrow(client->string_to_object(ior));
    for (std::uint8_t i = 0; i < 3; ++i) EXPECT_EQ(echo->cube(i), i * i * i);
    EXPECT_TRUE(roads_taken().empty());
    EXPECT_EQ(connections(AF_INET), 2);
  }
  std::string log() const { return text_of_file(file_of(folder())); }
  // Waits for that text: a thread of its own writes the log.
  void logs(const std::string& text) const {
    for (int i = 0; i < 500 && log().find(text) == std::string::npos; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_NE(log().find(text), std::string::npos) << log();
  }

 private:
  static const Folder& folder() {
    static const Folder folder;
    return folder;
  }
  static std::string file_of(const Folder& in) {
    return in / (std::string("log-") + testing::UnitTest::GetInstance()->current_test_info()->name());
  }
};

// A reference to the server, with an offer for any host, although its sockets have names for 127.0.0.1.
std::string lie(const std::string& ior) {
  return with_changed_offer(ior, [](std::vector<std::uint8_t>& offer) {
    ASSERT_EQ(offer.size(), 16u);
    ASSERT_EQ(offer[2] & takt::roads::any_host, 0);
    offer[2] |= takt::roads::any_host;
  });
}

std::string false_name(const std::string& ior, Road road) {
  return takt::roads::socket_name({takt::roads::all_roads, true}, "", port_in(ior), road);
}

// A socket of this user to which such a reference leads.
class FalseSocket {
 public:
  FalseSocket(const std::string& ior, Road road, int backlog = 8)
      : listener_(
            os::UnixListener::listen(*os::UnixAddress::parse(false_name(ior, road)), backlog, 0).value()) {}
  os::Socket& socket() { return listener_.socket(); }

 private:
  os::UnixListener listener_;
};

TEST(LyingOffers, NobodyListensThere) {
  const Lied lied;
  lied.goes_by_tcp(lie(lied.ior_in(lied.root)));
  lied.logs("no process listens there; calls go by iiop 127.0.0.1:");
}

TEST(LyingOffers, WhoListensThereNeverAnswers) {
  const Lied lied;
  const std::string ior = lied.ior_in(lied.root);
  const FalseSocket there(ior, Road::shared_memory);
  lied.goes_by_tcp(lie(ior));
  lied.logs("does not answer in time");
}

TEST(LyingOffers, AFullQueueIsNotWaitedFor) {
  const Lied lied;
  const std::string ior = lied.ior_in(lied.root);
  const FalseSocket there(ior, Road::shared_memory, 0);
  const auto address = os::UnixAddress::parse(false_name(ior, Road::shared_memory));
  std::vector<os::Socket> waiting;
  while (auto one = os::connect_unix_at_once(*address, 0, 0)) waiting.push_back(std::move(*one));
  lied.goes_by_tcp(lie(ior));
  lied.logs("takes no connections");
}

// A process that sends these octets to each client, and closes the connection.
void answers(const std::string& expected, const std::vector<std::uint8_t>& octets) {
  const Lied lied(on);
  const std::string ior = lied.ior_in(lied.root);
  FalseSocket memory(ior, Road::shared_memory), path(ior, Road::unix_domain);
  std::vector<std::jthread> answering;
  for (FalseSocket* const there : {&memory, &path}) {
    there->socket().set_blocking(true);
    answering.emplace_back([&, there] {
      while (const int fd = ::accept(there->socket().fd(), nullptr, nullptr)) {
        if (fd < 0) return;
        const ssize_t sent = ::send(fd, octets.data(), octets.size(), MSG_NOSIGNAL);
        EXPECT_EQ(sent, std::ssize(octets));
        ::close(fd);
      }
    });
  }
  lied.goes_by_tcp(lie(ior));
  memory.socket().shut_down();
  path.socket().shut_down();
  answering.clear();
  lied.logs(expected);
}

TEST(LyingOffers, WhoListensThereRefuses) { answers("has refused this one", {}); }
TEST(LyingOffers, WhoListensThereSpeaksSomethingElse) { answers("is no such server", {'G', 'I', 'O', 'P'}); }

TEST(LyingOffers, AFailureThatCostsTimeIsNotRepeatedForEachConnection) {
  const Lied lied;
  const std::string ior = lied.ior_in(lied.root);
  const FalseSocket there(ior, Road::shared_memory);
  const auto echo = IDL::traits<Calls::Echo>::narrow(lied.client->string_to_object(lie(ior)));
  for (int i = 0; i < 50; ++i) std::thread([&] { EXPECT_EQ(echo->cube(2), 8); }).join();
  lied.logs("in time");
  const std::string log = lied.log();
  std::size_t lines = 0;
  for (auto at = log.find("in time"); at != std::string::npos; at = log.find("in time", at + 1)) ++lines;
  EXPECT_GE(lines, 1u);
  EXPECT_LE(lines, 5u) << log;
}

TEST(LyingOffers, HostileOctetsAreNoOffer) {
  const Lied lied;
  const std::string ior = lied.ior_in(lied.root);
  const auto call = [&](auto change) {
    const auto echo =
        IDL::traits<Calls::Echo>::narrow(lied.client->string_to_object(with_changed_offer(ior, change)));
    EXPECT_EQ(echo->cube(2), 8);
    EXPECT_TRUE(roads_taken().empty());
  };
  using Octets = std::vector<std::uint8_t>;
  for (std::size_t size = 0; size < 16; ++size) call([=](Octets& offer) { offer.resize(size); });
  for (const std::size_t at : {1, 8, 15}) call([=](Octets& offer) { offer[at] ^= 0x55; });  // version, place
  call([](Octets& offer) { offer[2] = 0; });                                                // no road
  call([](Octets& offer) { offer[2] = 0xfc; });                                             // unknown roads
  call([](Octets& offer) { offer[0] ^= 1; });  // the other byte order
}

TEST(LocalRoads, AServerThatStartsAgainAtItsPortHasTheSameRoads) {
  const KeptPort port;
  const Orb client = make_orb(on, "client");
  std::string ior;
  for (int round = 0; round < 2; ++round) {
    const Served served(port.endpoint(), on);
    const std::string now = served.ior_in(served.root);
    if (round == 0) ior = now;
    // Object keys are new, but the offers are equal.
    std::vector<std::uint8_t> offers[2];
    (void)with_changed_offer(ior, [&](auto& offer) { offers[0] = offer; });
    (void)with_changed_offer(now, [&](auto& offer) { offers[1] = offer; });
    EXPECT_EQ(offers[0], offers[1]);
    EXPECT_EQ(IDL::traits<Calls::Echo>::narrow(client->string_to_object(now))->cube(3), 27);
    EXPECT_EQ(taken("shm"), 1) << round;
  }
  client->destroy();
}

TEST(LocalRoads, AThousandConnectionsTakeThem) {
  const Served served(
      "iiop://127.0.0.1:0",
      with(on, {"-ORBServerConcurrency", "leader-followers", "-ORBMaxQueuedRequests", "2000"}), on);
  const std::string ior = served.ior_in(served.root);
  const auto echo = IDL::traits<Calls::Echo>::narrow(served.client->string_to_object(ior));
  constexpr int most = 1000;
  std::atomic<int> called{0}, done{0};
  std::atomic<bool> over{false};
  std::vector<std::jthread> threads;
  for (int i = 0; i < most; ++i) {
    threads.emplace_back([&] {
      EXPECT_EQ(echo->cube(3), 27);
      ++called;
      over.wait(false);
      EXPECT_EQ(echo->cube(3), 27);
      ++done;
    });
    EXPECT_TRUE(eventually([&] { return called >= i; }));
  }
  EXPECT_TRUE(eventually([&] { return called == most; }));
  EXPECT_EQ(taken("shm"), most);
  over = true;
  over.notify_all();
  threads.clear();
  EXPECT_EQ(done, most);
}

}  // namespace
}  // namespace feature
