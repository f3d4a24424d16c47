// Offers of local roads as octets, and the times for which roads are closed.
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <utility>

#include "../../eventually.h"
#include "os/net/unix_socket.h"
#include "roads/closed_roads.h"
#include "roads/own_roads.h"
#include "roads/prepared_roads.h"
#include "roads/road_offer.h"
#include "threads/thread.h"
#include "transport/socket_stream.h"

namespace takt::roads {
namespace {

using namespace std::chrono_literals;
using takt::test::eventually;
constexpr std::uint64_t here = 0x1122334455667788;
constexpr reference::RoadOffer offer{all_roads, true};

std::optional<reference::RoadOffer> read(const std::vector<std::uint8_t>& octets,
                                         std::uint8_t wanted = all_roads) {
  return read_offer({reference::local_roads_component, octets}, here, wanted);
}

TEST(RoadOffer, IsReadAsItWasWritten) {
  const auto component = make_offer(offer, here);
  EXPECT_EQ(component.data.size(), 16u);
  EXPECT_EQ(read(component.data), offer);
}

TEST(RoadOffer, IsReadInBothByteOrders) {
  const std::vector<std::uint8_t> big{0,    1,    0x83, 3,    0,    0,    0,    0,
                                      0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};
  EXPECT_EQ(read(big), offer);
}

TEST(RoadOffer, OfAnotherPlaceOrVersionIsNone) {
  EXPECT_FALSE(read(make_offer(offer, here + 1).data));
  auto octets = make_offer(offer, here).data;
  octets[1] = offer_version + 1;
  EXPECT_FALSE(read(octets));
}

TEST(RoadOffer, OnlyRoadsThatBothKnowCount) {
  EXPECT_EQ(read(make_offer(offer, here).data, 1)->roads, 1);
  EXPECT_FALSE(read(make_offer({2, false}, here).data, 1));
  auto octets = make_offer(offer, here).data;
  octets[2] = 0xff;
  EXPECT_EQ(read(octets)->roads, all_roads);
  octets[3] ^= 1;  // shared memory of another version
  EXPECT_EQ(read(octets)->roads, static_cast<std::uint8_t>(Road::unix_domain));
}

TEST(RoadOffer, IsNoneIfItIsShortOrOfAnotherTag) {
  auto octets = make_offer(offer, here).data;
  EXPECT_FALSE(read_offer({reference::local_roads_component - 1, octets}, here, all_roads));
  while (!octets.empty()) {
    octets.pop_back();
    EXPECT_FALSE(read(octets)) << octets.size();
  }
}

TEST(RoadOffer, EachPortAndRoadHasANameThatFits) {
  std::set<std::string> names;
  for (const std::uint16_t port : {1, 65535})
    for (const Road road : {Road::shared_memory, Road::unix_domain})
      for (const char* host : {"127.0.0.1", "::1"})
        for (const bool any_host : {false, true}) {
          const std::string name = socket_name({all_roads, any_host}, host, port, road);
          EXPECT_TRUE(os::UnixAddress::parse(name)) << name;
          names.insert(name);
        }
  EXPECT_EQ(names.size(), 12u) << "the host does not count where the server has all";
}

TEST(ClosedRoads, OpenAfterATimeThatDoubles) {
  ClosedRoads closed;
  const ClosedRoads::Server server{"a", 2}, other{"a", 3};
  os::TimePoint now{1h};
  EXPECT_FALSE(closed.is_closed(server, now));
  for (auto time : {100ms, 200ms, 400ms}) {
    closed.close(server, now);
    EXPECT_TRUE(closed.is_closed(server, now + time - 1ns));
    EXPECT_FALSE(closed.is_closed(server, now + time));
    EXPECT_FALSE(closed.is_closed(other, now));
    now += time;
  }
  for (int i = 0; i < 20; ++i) closed.close(server, now);
  EXPECT_FALSE(closed.is_closed(server, now + ClosedRoads::longest));
  closed.open(server);
  EXPECT_FALSE(closed.is_closed(server, now));
  closed.close(server, now);
  EXPECT_FALSE(closed.is_closed(server, now + ClosedRoads::first)) << "it begins with the first again";
}

// A reference with a false offer closes no road of the true one.
TEST(ClosedRoads, AreThoseOfOneOffer) {
  ClosedRoads closed;
  const os::TimePoint now{1h};
  closed.close({"a", 2, true}, now);
  EXPECT_TRUE(closed.is_closed({"a", 2, true}, now));
  EXPECT_FALSE(closed.is_closed({"a", 2, false}, now));
}

TEST(ClosedRoads, RememberALimitedNumber) {
  ClosedRoads closed;
  const os::TimePoint now{1h};
  for (std::uint16_t i = 0; i <= ClosedRoads::most; ++i) closed.close({"a", i}, now);
  EXPECT_FALSE(closed.is_closed({"a", 0}, now));
  EXPECT_TRUE(closed.is_closed({"a", ClosedRoads::most}, now));
}

// A stream over a socket that nothing else uses.
std::unique_ptr<transport::Stream> stream() {
  static const std::string name = "@takt-unit-later-" + std::to_string(os::process_number());
  static const auto listener = os::UnixListener::listen(*os::UnixAddress::parse(name), 64, 0);
  return std::make_unique<transport::SocketStream>(
      *os::connect_unix_at_once(listener->address(), 0, 0),
      transport::SocketStream::Facts{.ends = {"unix", "here", "there"}});
}

TEST(PreparedRoads, AreOpenedLaterAsManyAsAreWantedAndTakenOnce) {
  std::atomic<int> attempts{0}, told{0};
  PreparedRoads later([&](const PreparedRoads::Target&, os::TimePoint) -> PreparedRoads::Attempt {
    if (++attempts == 1) return {nullptr, true};
    return {stream(), false};
  });
  later.on_ready([&] { ++told; });
  const PreparedRoads::Target target{offer, {"iiop", "a", 2}, {}};
  later.want(target, false);
  later.want(target, true);
  later.want(target, false);
  EXPECT_FALSE(later.has_led_to(offer, target.to));
  EXPECT_TRUE(eventually([&] { return told != 0; }));
  EXPECT_EQ(attempts, 3) << "one has failed, and the first one wanted nothing";
  EXPECT_TRUE(later.has_led_to(offer, target.to));
  EXPECT_FALSE(later.has_led_to(offer, {"iiop", "a", 3}));
  transport::StreamOptions others;
  others.send_buffer_bytes = 1000;
  EXPECT_FALSE(later.take(offer, target.to, others));
  EXPECT_TRUE(later.take(offer, target.to, {}) && later.take(offer, target.to, {}));
  EXPECT_FALSE(later.take(offer, target.to, {}));
  later.stop();
  later.want(target, true);
  EXPECT_EQ(attempts, 3);
}

TEST(PreparedRoads, AreGivenUpWithoutAProspectAndClosedWithTheirOrb) {
  std::atomic<int> attempts{0}, told{0};
  bool admitted = false;
  PreparedRoads later([&](const PreparedRoads::Target& target, os::TimePoint) -> PreparedRoads::Attempt {
    ++attempts;
    if (target.to.port == 3 || (target.to.port == 5 && std::exchange(admitted, true)))
      return {nullptr, false};
    return {stream(), false};
  });
  later.on_ready([&] { ++told; });
  later.want({offer, {"iiop", "a", 3}, {}}, true);
  later.want({offer, {"iiop", "a", 4}, {}}, true);
  later.want({offer, {"iiop", "a", 5}, {}}, true);
  later.want({offer, {"iiop", "a", 5}, {}}, false);
  EXPECT_TRUE(eventually([&] { return told >= 3; }));  // no channel takes them, so it is told again
  EXPECT_EQ(attempts, 4);
  EXPECT_TRUE(later.take(offer, {"iiop", "a", 5}, {})) << "one was admitted before the other was refused";
  later.stop();
  EXPECT_FALSE(later.take(offer, {"iiop", "a", 4}, {}));
}

// The socket of another offer may be another server's.
TEST(PreparedRoads, AreOnlyForTheirOffer) {
  std::atomic<int> told{0};
  PreparedRoads later([&](const PreparedRoads::Target&, os::TimePoint) -> PreparedRoads::Attempt {
    return {stream(), false};
  });
  later.on_ready([&] { ++told; });
  const transport::Endpoint to{"iiop", "a", 2};
  reference::RoadOffer other = offer;
  other.any_host = !offer.any_host;
  later.want({other, to, {}}, true);
  later.want({offer, to, {}}, false);
  EXPECT_TRUE(eventually([&] { return told != 0; }));
  EXPECT_FALSE(later.has_led_to(offer, to));
  EXPECT_FALSE(later.take(offer, to, {}));
  EXPECT_TRUE(later.has_led_to(other, to));
  EXPECT_TRUE(later.take(other, to, {}));
}

TEST(OwnRoads, OfferOnlyAddressesAtWhichAllRoadsListen) {
  OwnRoads roads({.roads = RoadChoice::on}, true, here, Trust(std::nullopt), nullptr);
  const std::vector<transport::Endpoint> bound{{"iiop", "192.0.2.1", 1}, {"unix", "/a", 0}};
  EXPECT_FALSE(roads.offer_for(std::vector<giop::HostPort>{{"192.0.2.1", 1}}));
  const auto acceptors = roads.listen_beside(bound, bound, {});
  EXPECT_EQ(acceptors.size(), 2u);
  EXPECT_TRUE(roads.offer_for(std::vector<giop::HostPort>{{"192.0.2.1", 1}}));
  EXPECT_FALSE(roads.offer_for(std::vector<giop::HostPort>{{"192.0.2.1", 1}, {"192.0.2.2", 1}}));
  EXPECT_FALSE(roads.offer_for({}));
  // The same addresses again: another ORB has the names.
  OwnRoads second({.roads = RoadChoice::on}, true, here, Trust(std::nullopt), nullptr);
  EXPECT_TRUE(second.listen_beside(bound, bound, {}).empty());
  EXPECT_FALSE(second.offer_for(std::vector<giop::HostPort>{{"192.0.2.1", 1}}));
}

// As the port of a lane, or of the server while it drains.
TEST(OwnRoads, OfferNoAddressWhoseAcceptorsHaveClosed) {
  OwnRoads roads({.roads = RoadChoice::on}, true, here, Trust(std::nullopt), nullptr);
  const auto offers = [&](std::uint16_t port) {
    return roads.offer_for(std::vector<giop::HostPort>{{"192.0.2.1", port}}).has_value();
  };
  const auto listen = [&](std::uint16_t port) {
    const std::vector<transport::Endpoint> bound{{"iiop", "192.0.2.1", port}};
    return roads.listen_beside(bound, bound, {});
  };
  auto first = listen(11), second = listen(12);
  EXPECT_TRUE(offers(11) && offers(12));
  for (auto& acceptor : first) acceptor->close();
  EXPECT_FALSE(offers(11));
  {
    // The server that is started at the port while this one drains.
    OwnRoads next({.roads = RoadChoice::on}, true, here, Trust(std::nullopt), nullptr);
    const std::vector<transport::Endpoint> bound{{"iiop", "192.0.2.1", 11}};
    EXPECT_EQ(next.listen_beside(bound, bound, {}).size(), 2u);
  }
  first.clear();
  EXPECT_TRUE(offers(12));
  second.clear();
  EXPECT_FALSE(offers(12));
  first = listen(11);
  EXPECT_TRUE(offers(11));
}

TEST(OwnRoads, AcceptNobodyMoreOnceTheyStop) {
  OwnRoads roads({.roads = RoadChoice::unix_domain}, true, here, Trust(std::nullopt), nullptr);
  const std::vector<transport::Endpoint> bound{{"iiop", "192.0.2.1", 21}};
  const auto acceptors = roads.listen_beside(bound, bound, {});
  ASSERT_EQ(acceptors.size(), 1u);
  const auto at = os::UnixAddress::parse(socket_name({all_roads, false}, "192.0.2.1", 21, Road::unix_domain));
  const auto waiting = os::connect_unix_at_once(*at, 0, 0);
  ASSERT_TRUE(waiting);
  acceptors[0]->stop_new_attempts();
  EXPECT_FALSE(os::connect_unix_at_once(*at, 0, 0));
  EXPECT_TRUE(acceptors[0]->accept());
  EXPECT_EQ(acceptors[0]->accept().error(), transport::AcceptError::closed);
}

TEST(OwnRoads, OfAWildcardAreNamedByThePortAlone) {
  OwnRoads roads({.roads = RoadChoice::on}, true, here, Trust(std::nullopt), nullptr);
  const std::vector<transport::Endpoint> bound{{"iiop", "::", 3}, {"iiop", "192.0.2.1", 4}},
      published{{"iiop", "192.0.2.1", 3}, {"iiop", "192.0.2.2", 3}, {"iiop", "192.0.2.1", 4}};
  const auto acceptors = roads.listen_beside(bound, published, {});
  EXPECT_EQ(acceptors.size(), 4u);
  const auto offer = roads.offer_for(std::vector<giop::HostPort>{{"192.0.2.1", 3}, {"192.0.2.2", 3}});
  ASSERT_TRUE(offer);
  EXPECT_TRUE(read(offer->data)->any_host);
  EXPECT_FALSE(roads.offer_for(std::vector<giop::HostPort>{{"192.0.2.1", 3}, {"192.0.2.1", 4}}));
}

TEST(Trust, IsForThisUserAndNeverForUnmappedOnes) {
  const auto listener = os::UnixListener::listen(*os::UnixAddress::parse("@takt-unit-trust"), 4, 0);
  const auto socket = os::connect_unix_at_once(listener->address(), 0, 0);
  ASSERT_TRUE(socket);
  EXPECT_EQ(Trust(std::nullopt).objection_to(*socket), "");
  EXPECT_NE(Trust(12345, std::nullopt).objection_to(*socket).find("not of this user"), std::string::npos);
  EXPECT_NE(Trust(12345, 54321).objection_to(*socket).find("-ORBLocalGroup"), std::string::npos);
  const auto peer = os::peer_of_unix_socket(*socket);
  EXPECT_EQ(Trust(12345, peer->group).objection_to(*socket), "");
}

}  // namespace
}  // namespace takt::roads
