// Peers that stop, trickle, flood or do not read cost their own connection and nobody else's.
#include <algorithm>
#include <fstream>
#include <thread>

#include "hostile_fixture.h"

namespace feature {
namespace {

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0, resident = 0;
  file >> pages >> resident;
  return resident * 4096;
}

using Peers = Hostile;

TEST_P(Peers, HalfAHeaderThenSilence) {
  start({"-ORBMessageTimeout", "300ms"});
  RawPeer peer(place->port);
  ASSERT_TRUE(peer.send({'G', 'I', 'O', 'P', 1, 2}));
  expect_others_served();
  EXPECT_TRUE(peer.closes_within(10s));
  expect_others_served();
}

TEST_P(Peers, ATrickleDoesNotKeepAMessageOpen) {
  start({"-ORBMessageTimeout", "300ms"});
  RawPeer peer(place->port);
  const Octets message = request(1, place->key, "nothing").finish(10'000);
  ASSERT_TRUE(peer.send(message));
  bool closed = false;
  for (int i = 0; i < 100 && !closed; ++i) closed = !peer.send({0}) || peer.closes_within(100ms);
  EXPECT_TRUE(closed);
  expect_others_served();
}

TEST_P(Peers, ALongBodyThatStops) {
  start({"-ORBMessageTimeout", "300ms"});
  RawPeer peer(place->port);
  MessageOctets message = request(1, place->key, "echo_octets", {}, true);
  message.u32(1'000'000).raw(Octets(1000));
  ASSERT_TRUE(peer.send(message.finish(999'000)));
  expect_others_served();
  EXPECT_TRUE(peer.closes_within(10s));
  expect_others_served();
}

TEST_P(Peers, ALongBodyThatTrickles) {
  start({"-ORBMessageTimeout", "300ms"});
  RawPeer peer(place->port);
  MessageOctets message = request(1, place->key, "echo_octets", {}, true);
  message.u32(1'000'000).raw(Octets(1000));
  ASSERT_TRUE(peer.send(message.finish(999'000)));
  bool closed = false;
  for (int i = 0; i < 100 && !closed; ++i) closed = !peer.send({0}) || peer.closes_within(100ms);
  EXPECT_TRUE(closed);
  expect_others_served();
}

TEST_P(Peers, PartsThatNeverEnd) {
  start({"-ORBMessageTimeout", "300ms"});
  RawPeer peer(place->port);
  MessageOctets message = request(1, place->key, "echo_octets", {}, true);
  Octets first = message.align(8).finish();
  first[6] |= 2;
  Octets part = MessageOctets(7).u32(1).raw(Octets(8)).finish();
  part[6] |= 2;
  ASSERT_TRUE(peer.send(first));
  bool closed = false;
  for (int i = 0; i < 100 && !closed; ++i) closed = !peer.send(part) || peer.closes_within(100ms);
  EXPECT_TRUE(closed);
  expect_others_served();
}

TEST_P(Peers, AHeaderThatAnnouncesTooMuch) {
  start();
  RawPeer peer(place->port);
  ASSERT_TRUE(peer.send({'G', 'I', 'O', 'P', 1, 2, 1, 0, 0xff, 0xff, 0xff, 0x7f}));
  EXPECT_EQ(type_of(peer.receive_message()), error_type);
  EXPECT_TRUE(peer.closes_within(10s));
  expect_others_served();
}

TEST_P(Peers, AFloodWithoutReadingIsBoundedInMemoryAndTime) {
  start({"-ORBSendTimeout", "300ms"});
  expect_others_served();
  const std::size_t before = resident_bytes();
  RawPeer peer(place->port);
  MessageOctets one = request(1, place->key, "echo_octets", {}, true);
  one.sequence(Octets(4096));
  const Octets message = one.finish();
  Octets many;
  for (int i = 0; i < 64; ++i) many.insert(many.end(), message.begin(), message.end());
  std::size_t sent = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::size_t now = peer.send_while_it_takes(many, 2s);  // unless it is cut before
    sent += now;
    if (now < many.size()) break;
  }
  EXPECT_LT(sent, 1000 * many.size()) << "the server went on taking requests";
  expect_others_served();
  EXPECT_TRUE(peer.is_cut_within(10s));
  EXPECT_LT(resident_bytes(), before + 64 * 1024 * 1024);
  expect_others_served();
}

TEST_P(Peers, AReaderThatStopsInTheMiddleOfALongReply) {
  start({"-ORBSendTimeout", "300ms"});
  RawPeer peer(place->port);
  const Octets data(16 * 1024 * 1024, 7);
  MessageOctets message = request(1, place->key, "echo_octets", {}, true);
  message.sequence(data);
  ASSERT_TRUE(peer.send(message.finish()));
  EXPECT_EQ(peer.receive(1000).size(), 1000u);
  expect_others_served();
  std::this_thread::sleep_for(1500ms);
  EXPECT_LT(peer.receive(data.size()).size(), data.size() - 1000) << "only what was on its way";
  EXPECT_TRUE(peer.closes_within(10s));
  expect_others_served();
}

TEST_P(Peers, AReaderThatSipsAtALongReply) {
  start({"-ORBSendTimeout", "50ms"});
  RawPeer peer(place->port);
  const Octets data(16 * 1024 * 1024, 7);
  MessageOctets message = request(1, place->key, "echo_octets", {}, true);
  message.sequence(data);
  ASSERT_TRUE(peer.send(message.finish()));
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(peer.receive(4096).size(), 4096u);
    std::this_thread::sleep_for(20ms);
  }
  EXPECT_LT(peer.receive(data.size()).size(), data.size() - 300'000) << "only what was on its way";
  EXPECT_TRUE(peer.closes_within(10s));
  expect_others_served();
}

TEST_P(Peers, MessageErrorEndsTheConnection) {
  start();
  RawPeer peer(place->port);
  ASSERT_TRUE(peer.send({'G', 'I', 'O', 'P', 1, 2, 1, 6, 0, 0, 0, 0}));
  EXPECT_TRUE(peer.closes_within(10s));
  expect_others_served();
}

TEST_P(Peers, AReplyToNobodyIsRefused) {
  start();
  RawPeer peer(place->port);
  ASSERT_TRUE(peer.send(MessageOctets(1).u32(1).u32(0).u32(0).finish()));
  EXPECT_EQ(type_of(peer.receive_message()), error_type);
  EXPECT_TRUE(peer.closes_within(10s));
  expect_others_served();
}

INSTANTIATE_TEST_SUITE_P(Servers, Peers, testing::ValuesIn(server_concurrencies), name_of);

}  // namespace
}  // namespace feature
