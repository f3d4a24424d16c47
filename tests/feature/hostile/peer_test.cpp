// Peers that stop, trickle, flood or do not read affect only their own connection.
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
    const std::size_t now = peer.send_while_it_takes(many, 2s);  // unless the connection is closed before
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
  start({"-ORBSendTimeout", "300ms", "-ORBMaxMessageSize", "64MiB"});
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
  start({"-ORBSendTimeout", "50ms", "-ORBMaxMessageSize", "64MiB"});
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

// Reads enough at a time for the server to make progress again and again.
TEST_P(Peers, AReaderThatTakesALittleOfItsReplyWithinEachSendTimeoutIsGivenUp) {
  start({"-ORBSendTimeout", "50ms", "-ORBMaxMessageSize", "64MiB"});
  RawPeer peer(place->port);
  const Octets data(60 * 1024 * 1024, 7);
  MessageOctets message = request(1, place->key, "echo_octets", {}, true);
  message.sequence(data);
  ASSERT_TRUE(peer.send(message.finish()));
  std::size_t received = 0;
  for (std::size_t now = 1; now != 0; received += now) {
    now = peer.receive(512 * 1024).size();
    std::this_thread::sleep_for(20ms);
  }
  EXPECT_LT(received, data.size() * 3 / 4)
      << "what it took in ten times the timeout, and what was on its way";
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

// An incomplete request must not occupy an adapter with one upcall at a time, or one that asks servant
// managers.
struct SharedAdapters : Peers {
  using Poa = IDL::traits<PortableServer::POA>::ref_type;

  // Another client calls a reference while the peer's request for `of_peer` is incomplete.
  void expect_a_trickle_keeps_nobody_out(const Poa& poa, const PortableServer::ObjectId& of_peer,
                                         const PortableServer::ObjectId& of_other) {
    const auto ior_of = [&](const PortableServer::ObjectId& id) {
      return orbs->server->object_to_string(poa->create_reference_with_id(id, "IDL:Calls/Echo:1.0"));
    };
    const Place there(ior_of(of_peer));
    RawPeer peer(there.port);
    MessageOctets message = request(1, there.key, "echo_octets", {}, true);
    message.u32(1'000'000).raw(Octets(100));
    ASSERT_TRUE(peer.send(message.finish(999'900)));
    std::this_thread::sleep_for(100ms);  // time for the server to reach the point where it would wait
    const auto echo = IDL::traits<Calls::Echo>::narrow(orbs->client->string_to_object(ior_of(of_other)));
    EXPECT_EQ(echo->cube(3), 27);
    ASSERT_TRUE(peer.send(Octets(999'900))) << "the request goes on";
    // If the octets would be badly aligned for the system to copy, a context of 16 octets shifts them.
    const std::size_t least = 12 + 12 + 4 + 1'000'000, size = peer.receive_message(10s).size();
    EXPECT_TRUE(size == least || size == least + 16) << size;
  }
  Poa adapter(CORBA::PolicyList policies) {
    const auto root =
        IDL::traits<PortableServer::POA>::narrow(orbs->server->resolve_initial_references("RootPOA"));
    policies.push_back(root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID));
    return root->create_POA("shared", root->the_POAManager(), policies);
  }
};

TEST_P(SharedAdapters, ASingleThreadedOneIsNotKeptByATrickle) {
  start();
  const auto root =
      IDL::traits<PortableServer::POA>::narrow(orbs->server->resolve_initial_references("RootPOA"));
  const auto poa =
      adapter({root->create_thread_policy(PortableServer::ThreadPolicyValue::SINGLE_THREAD_MODEL)});
  const auto id = PortableServer::string_to_ObjectId("echo");
  poa->activate_object_with_id(id, CORBA::make_reference<EchoServant>());
  expect_a_trickle_keeps_nobody_out(poa, id, id);
}

TEST_P(SharedAdapters, AServantActivatorIsNotKeptByATrickle) {
  class Activator final : public virtual PortableServer::ServantActivator {
    CORBA::servant_reference<PortableServer::Servant> incarnate(
        const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>) override {
      return CORBA::make_reference<EchoServant>();
    }
    void etherealize(const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>,
                     CORBA::servant_reference<PortableServer::Servant>, bool, bool) override {}
  };
  start();
  const auto root =
      IDL::traits<PortableServer::POA>::narrow(orbs->server->resolve_initial_references("RootPOA"));
  const auto poa = adapter({root->create_request_processing_policy(
      PortableServer::RequestProcessingPolicyValue::USE_SERVANT_MANAGER)});
  poa->set_servant_manager(CORBA::make_reference<Activator>());
  expect_a_trickle_keeps_nobody_out(poa, PortableServer::string_to_ObjectId("peer"),
                                    PortableServer::string_to_ObjectId("other"));
}

INSTANTIATE_TEST_SUITE_P(Servers, SharedAdapters,
                         testing::Values("thread-per-connection", "leader-followers", "worker-pool"),
                         name_of);

INSTANTIATE_TEST_SUITE_P(Servers, Peers, testing::ValuesIn(server_concurrencies), name_of);

}  // namespace
}  // namespace feature
