// Invalid requests, and requests for objects that do not exist, get the answers that the standard requires.
#include "hostile_fixture.h"

namespace feature {
namespace {

using Requests = Hostile;

TEST_P(Requests, UnknownObject) {
  start();
  RawPeer peer(place->port);
  ASSERT_TRUE(peer.send(request(1, {'n', 'o', 'b', 'o', 'd', 'y'}, "nothing").finish()));
  EXPECT_EQ(exception_of(peer.receive_message()), "IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0");
  ASSERT_TRUE(peer.send(request(2, {}, "nothing").finish()));
  EXPECT_EQ(exception_of(peer.receive_message()), "IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0");
  expect_others_served();
}

// The answer "unknown" would be one about the object.
TEST_P(Requests, ToLocateAnObjectByAProfileOfOthersAskForItsKey) {
  start();
  RawPeer peer(place->port);
  ASSERT_TRUE(
      peer.send({'G', 'I', 'O', 'P', 1, 2,   1,   3,   20, 0, 0, 0, 7, 0, 0, 0,     // the request id
                 1,   0,   0,   0,   0, 'O', 'A', 'T', 4,  0, 0, 0, 1, 0, 0, 0}));  // a profile of TAO's
  const Octets reply = peer.receive_message();
  ASSERT_EQ(reply.size(), 22u);
  EXPECT_EQ(Octets(reply.begin() + 12, reply.end()), (Octets{7, 0, 0, 0, 5, 0, 0, 0, 0, 0}));
  expect_others_served();
}

TEST_P(Requests, UnknownOperation) {
  start();
  RawPeer peer(place->port);
  for (const char* operation : {"no_such", "", "_get_", "Nothing", "_not_an_operation"}) {
    ASSERT_TRUE(peer.send(request(1, place->key, operation).finish()));
    EXPECT_EQ(exception_of(peer.receive_message()), "IDL:omg.org/CORBA/BAD_OPERATION:1.0") << operation;
  }
  expect_others_served();
}

TEST_P(Requests, UnknownInterface) {
  start();
  RawPeer peer(place->port);
  ASSERT_TRUE(peer.send(request(1, place->key, "_is_a", {}, true).text("IDL:Nobody/Knows:1.0").finish()));
  const Octets reply = peer.receive_message();
  ASSERT_EQ(reply.size(), 25u);
  EXPECT_EQ(reply[16], 0) << "no exception";
  EXPECT_EQ(reply[24], 0) << "false";
}

TEST_P(Requests, UnknownCodeSet) {
  start();
  RawPeer peer(place->port);
  const Octets chosen{1, 0, 0, 0, 0x78, 0x56, 0x34, 0x12, 0x09, 0x01, 0x01, 0x00};
  MessageOctets message = request(1, place->key, "join", {{1, chosen}}, true);
  ASSERT_TRUE(peer.send(message.text("gr\xc3\xbc\xc3\x9f").text("b").finish()));
  EXPECT_EQ(exception_of(peer.receive_message()), "IDL:omg.org/CORBA/CODESET_INCOMPATIBLE:1.0");
  expect_others_served();
}

TEST_P(Requests, ArgumentsThatEndTooSoon) {
  start();
  RawPeer peer(place->port);
  ASSERT_TRUE(peer.send(request(1, place->key, "cube").finish()));
  EXPECT_EQ(exception_of(peer.receive_message()), "IDL:omg.org/CORBA/MARSHAL:1.0");
  MessageOctets lying = request(2, place->key, "echo_points", {}, true);
  ASSERT_TRUE(peer.send(lying.u32(0xffffffff).finish()));
  EXPECT_EQ(exception_of(peer.receive_message()), "IDL:omg.org/CORBA/MARSHAL:1.0");
  ASSERT_TRUE(peer.send(request(3, place->key, "cube", {}, true).raw({3}).finish()));
  EXPECT_EQ(peer.receive_message().back(), 27) << "the connection is still good";
}

TEST_P(Requests, WhatIsNotGiopGetsMessageErrorAndIsClosed) {
  start();
  const Octets bad[] = {
      Octets(64, 0xff),
      {'G', 'I', 'O', 'P', 1, 3, 1, 0, 0, 0, 0, 0},              // a minor version above Takt's
      {'G', 'I', 'O', 'P', 2, 0, 1, 0, 0, 0, 0, 0},              // a major version
      {'G', 'I', 'O', 'P', 1, 0, 2, 0, 0, 0, 0, 0},              // an invalid byte order
      {'G', 'I', 'O', 'P', 1, 2, 0x81, 0, 0, 0, 0, 0},           // an unknown flag
      {'G', 'I', 'O', 'P', 1, 2, 1, 9, 0, 0, 0, 0},              // an unknown type
      {'G', 'I', 'O', 'P', 1, 2, 1, 0, 0, 0, 0, 0},              // a request without a head
      {'G', 'I', 'O', 'P', 1, 2, 1, 7, 4, 0, 0, 0, 1, 0, 0, 0},  // a fragment without a message
      {'g', 'i', 'o', 'p', 1, 2, 1, 0, 0, 0, 0, 0},
      {'G', 'E', 'T', ' ', '/', ' ', 'H', 'T', 'T', 'P', '/', '1'},
  };
  for (const Octets& octets : bad) {
    RawPeer peer(place->port);
    ASSERT_TRUE(peer.send(octets));
    const Octets answer = peer.receive_message();
    EXPECT_EQ(type_of(answer), error_type) << &octets - bad;
    EXPECT_EQ(answer.size(), 12u);
    if (answer.size() == 12) {
      EXPECT_EQ(answer[4], 1);
      EXPECT_EQ(answer[5], 2) << "the highest that the server speaks";
    }
    EXPECT_TRUE(peer.closes_within(10s)) << &octets - bad;
  }
  expect_others_served();
}

// A valid request with each bit changed in turn: the server answers or closes, and keeps serving.
TEST_P(Requests, ARequestWithAnyBitChanged) {
  start({"-ORBMessageTimeout", "50ms"});
  const Octets good = request(7, place->key, "join", {{1, {1, 0, 0, 0, 1, 0, 5, 1, 9, 1, 1, 0}}}, true)
                          .text("a")
                          .text("b")
                          .finish();
  for (std::size_t at = 0; at < good.size(); ++at)
    for (const int bit : {0, 1, 3, 7}) {
      Octets changed = good;
      changed[at] = static_cast<std::uint8_t>(changed[at] ^ 1 << bit);
      RawPeer peer(place->port);
      ASSERT_TRUE(peer.send(changed));
      ::shutdown(peer.fd(), SHUT_WR);
      ASSERT_TRUE(peer.closes_within(10s)) << at << ' ' << bit;
    }
  expect_others_served();
}

INSTANTIATE_TEST_SUITE_P(Servers, Requests, testing::ValuesIn(server_concurrencies), name_of);

}  // namespace
}  // namespace feature
