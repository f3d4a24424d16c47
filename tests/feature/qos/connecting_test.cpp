// Policies and connecting: what a call's time covers, what counts as a reconnect, and where a call goes that
// has been forwarded.
#include <gtest/gtest.h>

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "../full_port.h"
#include "hostile_server.h"
#include "qos_test.h"
#include "raw_peer.h"

namespace feature {
namespace {

using Clock = std::chrono::steady_clock;

template <class Call>
std::chrono::milliseconds time_of(const Call& call) {
  const auto begun = Clock::now();
  call();
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begun);
}

TEST(Connecting, CountsInACallsTime) {
  FullPort slow;
  const ServerAndClient orbs;
  const auto object =
      with<CORBA::Object>(orbs.client->string_to_object(slow.url()), {round_trip(orbs.client, 1500ms)});
  std::jthread opens([&] {
    std::this_thread::sleep_for(300ms);
    slow.open();
  });
  const auto passed = time_of([&] { EXPECT_THROW(object->_non_existent(), CORBA::TIMEOUT); });
  EXPECT_GE(passed, 1450ms);
  EXPECT_LE(passed, 2200ms) << "it connects after a second, and nobody answers";
}

// A reply of that status, to the request with these octets; append the body.
MessageOctets reply_to(const std::vector<std::uint8_t>& request, std::uint32_t status) {
  std::uint32_t id = 0;
  if (request.size() >= 16) std::memcpy(&id, &request[12], sizeof id);
  return MessageOctets(1).u32(id).u32(status).u32(0);
}
std::vector<std::uint8_t> answer_to(const std::vector<std::uint8_t>& request) {
  return reply_to(request, 0).raw({0}).finish();  // FALSE
}
// The profile of an object with that key.
std::vector<std::uint8_t> profile_of(std::uint16_t port, std::uint8_t key) {
  const auto profile = MessageOctets(0)
                           .raw({1, 1, 2, 0})
                           .text("127.0.0.1")
                           .raw({static_cast<std::uint8_t>(port), static_cast<std::uint8_t>(port >> 8)})
                           .sequence({key})
                           .u32(0)
                           .finish();
  return {profile.begin() + 12, profile.end()};
}
std::vector<std::uint8_t> forward_to(std::uint16_t port, const std::vector<std::uint8_t>& request) {
  return reply_to(request, 3).text("").u32(1).u32(0).sequence(profile_of(port, 'X')).finish();
}

TEST(Connecting, AfterAForwardEndsWithTheCall) {
  const FullPort full;
  HostileServer server([&](int fd, int) {
    const auto request = receive_some(fd);
    std::this_thread::sleep_for(400ms);
    send_octets(fd, forward_to(full.port(), request));
    (void)receive_some(fd);
  });
  const ServerAndClient orbs;
  const auto object =
      with<CORBA::Object>(orbs.client->string_to_object(server.url()), {round_trip(orbs.client, 500ms)});
  const auto passed = time_of([&] { EXPECT_THROW(object->_non_existent(), CORBA::TIMEOUT); });
  EXPECT_GE(passed, 450ms);
  EXPECT_LE(passed, 750ms);
}

// The time of a call, or of its connection, is shared by the addresses that are left.
TEST(Connecting, ASilentAddressLeavesTimeForTheNextOne) {
  const FullPort silent;
  HostileServer server([](int fd, int) {
    for (auto request = receive_some(fd); !request.empty(); request = receive_some(fd))
      send_octets(fd, answer_to(request));
  });
  const auto orb = make_orb({"-ORBConnectTimeout", "3s"}, "client");
  const std::string url = server.url(), second = url.substr(url.find("iiop:"));
  const auto object =
      orb->string_to_object("corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(silent.port()) + "," + second);
  const auto timed = with<CORBA::Object>(object, {round_trip(orb, 3s)});
  for (const auto& each : {object, timed}) {
    std::jthread([&] {  // with connections of its own
      EXPECT_NO_THROW(EXPECT_FALSE(each->_non_existent()));
      CORBA::PolicyList inconsistent;
      EXPECT_TRUE(each->_validate_connection(inconsistent));
    });
  }
  orb->destroy();
}

// A further connection that a call has no time for says nothing about those of other calls.
TEST(Connecting, ACallWithoutTimeLeavesTheConnectionsOfOthersAlone) {
  FullPort port(FullPort::Filled::later);
  std::promise<void> held, may_answer;
  std::jthread server([&] {
    const int fd = port.accept();
    port.fill();
    const auto request = receive_some(fd);
    held.set_value();
    may_answer.get_future().wait();
    send_octets(fd, answer_to(request));
    send_octets(fd, answer_to(receive_some(fd)));
    (void)receive_some(fd);
    ::close(fd);
  });
  const auto orb = make_orb({"-ORBClientConnections", "cached", "-ORBConnectTimeout", "5s"}, "client");
  const auto object = orb->string_to_object(port.url());
  std::thread other([&] {
    EXPECT_FALSE(object->_non_existent());
    EXPECT_NO_THROW(EXPECT_FALSE(object->_non_existent())) << "over the same connection";
  });
  held.get_future().wait();
  EXPECT_THROW((void)with<CORBA::Object>(object, {round_trip(orb, 300ms)})->_non_existent(), CORBA::TIMEOUT);
  may_answer.set_value();
  other.join();
  orb->destroy();
}

// The reason is the end of the ORB, whatever the connect has come to.
TEST(Connecting, EndsSoonAfterTheOrb) {
  const FullPort silent;
  const auto orb = make_orb({"-ORBConnectTimeout", "30s"}, "ends-soon");
  const auto object = orb->string_to_object(silent.url());
  auto called = std::async(std::launch::async, [&] { object->_non_existent(); });
  std::this_thread::sleep_for(300ms);
  orb->destroy();
  EXPECT_EQ(called.wait_for(15s), std::future_status::ready);
  EXPECT_THROW(called.get(), CORBA::BAD_INV_ORDER);
}

TEST(Connecting, TheNextProfileIsNotNamedAsTheServerOfTheFirstWanted) {
  auto first = std::make_unique<LoopbackListener>(1);
  std::jthread closes([&] {
    const int fd = ::accept(first->fd(), nullptr, nullptr);
    send_octets(fd, reply_to(receive_some(fd), 5).raw({1, 0}).finish());  // NEEDS_ADDRESSING_MODE: a profile
    (void)receive_some(fd);
    first.reset();
    send_octets(fd, MessageOctets(5).finish());  // CloseConnection
    ::close(fd);
  });
  std::atomic<int> mode{-1};
  HostileServer second([&](int fd, int) {
    const auto request = receive_some(fd);
    if (request.size() > 21) mode = request[20];
    send_octets(fd, answer_to(request));
    (void)receive_some(fd);
  });
  const std::string url = second.url();
  const auto second_port = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
  const auto octets = MessageOctets(0)
                          .raw({1})
                          .text("")
                          .u32(2)
                          .u32(0)
                          .sequence(profile_of(first->port(), 'A'))
                          .u32(0)
                          .sequence(profile_of(second_port, 'B'))
                          .finish();
  std::string ior = "IOR:";
  for (auto octet = octets.begin() + 12; octet != octets.end(); ++octet) {
    constexpr char digits[] = "0123456789abcdef";
    ior += {digits[*octet >> 4], digits[*octet & 15]};
  }
  const auto orb = make_orb({}, "client");
  EXPECT_FALSE(orb->string_to_object(ior)->_non_existent());
  EXPECT_EQ(mode, 0) << "by its key";
  orb->destroy();
}

CORBA::object_reference<CORBA::Object> never_reconnected(
    const Orb& orb, const CORBA::object_reference<CORBA::Object>& object) {
  return with<CORBA::Object>(object, {policy(orb, Messaging::REBIND_POLICY_TYPE, Messaging::NO_RECONNECT)});
}

TEST(NoReconnect, AllowsTheSecondAddressOfAFirstCall) {
  HostileServer server([](int fd, int) { send_octets(fd, answer_to(receive_some(fd))); });
  const ServerAndClient orbs;
  const std::string url = server.url(), second = url.substr(url.find("iiop:"));
  const auto object = never_reconnected(
      orbs.client, orbs.client->string_to_object("corbaloc:iiop:1.2@127.0.0.1:1," + second));
  EXPECT_FALSE(object->_non_existent());
}

TEST(NoReconnect, AllowsAnotherAttemptWhereNoneHasConnected) {
  const ServerAndClient orbs;
  const auto object =
      never_reconnected(orbs.client, orbs.client->string_to_object("corbaloc::127.0.0.1:1/Object"));
  for (int i = 0; i < 2; ++i) EXPECT_THROW(object->_non_existent(), CORBA::TRANSIENT);
}

TEST(NoReconnect, HoldsForAConnectionThatWasThereBefore) {
  HostileServer server([](int fd, int) {
    for (int i = 0; i < 2; ++i) send_octets(fd, answer_to(receive_some(fd)));
    (void)receive_some(fd);  // then closes silently
  });
  const ServerAndClient orbs;
  const auto plain = orbs.client->string_to_object(server.url());
  EXPECT_FALSE(plain->_non_existent());
  const auto object = never_reconnected(orbs.client, plain);
  EXPECT_FALSE(object->_non_existent());
  EXPECT_THROW(object->_non_existent(), CORBA::COMM_FAILURE);
  EXPECT_THROW(object->_non_existent(), CORBA::REBIND);
}

TEST(NoReconnect, HoldsForAThreadsPolicy) {
  HostileServer server([](int fd, int) {
    send_octets(fd, answer_to(receive_some(fd)));
    (void)receive_some(fd);
  });
  const ServerAndClient orbs;
  const auto of_thread = manager_of(orbs.client, "PolicyCurrent");
  of_thread->set_policy_overrides(
      {policy(orbs.client, Messaging::REBIND_POLICY_TYPE, Messaging::NO_RECONNECT)},
      SetOverrideType::SET_OVERRIDE);
  const auto first = orbs.client->string_to_object(server.url()),
             second = orbs.client->string_to_object(server.url());
  EXPECT_FALSE(first->_non_existent());
  EXPECT_THROW(second->_non_existent(), CORBA::COMM_FAILURE) << "by the connection of the first";
  EXPECT_THROW(second->_non_existent(), CORBA::REBIND);
  of_thread->set_policy_overrides({}, SetOverrideType::SET_OVERRIDE);
}

TEST(Forwarded, ToAnObjectThatIsGoneACallAsksTheOriginalAgain) {
  const ServerAndClient orbs, repository;
  const auto poa =
      IDL::traits<PortableServer::POA>::narrow(orbs.server->resolve_initial_references("RootPOA"));
  const auto first = poa->activate_object(CORBA::make_reference<EchoServant>()),
             second = poa->activate_object(CORBA::make_reference<EchoServant>());
  const auto move_to = [&](const PortableServer::ObjectId& object) {
    const std::string ior = orbs.server->object_to_string(poa->id_to_reference(object));
    repository.server->register_object_key("moving", repository.server->string_to_object(ior));
  };
  move_to(first);
  const std::string endpoint = repository.server->_published_endpoints().front();
  const auto moving =
      orbs.client->string_to_object("corbaloc::" + endpoint.substr(endpoint.find(' ') + 1) + "/moving");
  const auto echo = takt::reference::make_stub<::Calls::Echo>(moving->_ref());
  EXPECT_EQ(echo->cube(2), 8);
  poa->deactivate_object(first);
  move_to(second);
  EXPECT_THROW(echo->cube(2), CORBA::OBJECT_NOT_EXIST);
  EXPECT_EQ(echo->cube(2), 8);
}

}  // namespace
}  // namespace feature
