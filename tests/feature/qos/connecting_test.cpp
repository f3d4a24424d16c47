// Policies and connecting: what a call's time covers, what counts as a reconnect, and where a call goes that
// has been forwarded.
#include <gtest/gtest.h>

#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "../loopback_listener.h"
#include "hostile_server.h"
#include "qos_test.h"
#include "raw_peer.h"

namespace feature {
namespace {

using Clock = std::chrono::steady_clock;

// A port whose queue of connections is full: Linux drops the requests of further ones, which come again after
// a second.
class FullPort {
 public:
  FullPort() {
    for (int i = 0; i < 4; ++i) {
      fillers_.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
      (void)::connect(fillers_.back(), reinterpret_cast<const sockaddr*>(&listener_.address()),
                      sizeof listener_.address());
    }
  }
  ~FullPort() {
    for (const int fd : fillers_) ::close(fd);
  }
  FullPort(const FullPort&) = delete;
  FullPort& operator=(const FullPort&) = delete;

  // Takes what waits, and what comes later.
  void open() {
    ::listen(listener_.fd(), 16);
    for (const int fd : fillers_) ::close(fd);
    fillers_.clear();
  }
  std::uint16_t port() const { return listener_.port(); }
  std::string url() const { return "corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(port()) + "/Object"; }

 private:
  const LoopbackListener listener_{0};
  std::vector<int> fillers_;
};

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
std::vector<std::uint8_t> forward_to(std::uint16_t port, const std::vector<std::uint8_t>& request) {
  const auto profile = MessageOctets(0)
                           .raw({1, 1, 2, 0})
                           .text("127.0.0.1")
                           .raw({static_cast<std::uint8_t>(port), static_cast<std::uint8_t>(port >> 8)})
                           .sequence({'X'})
                           .u32(0)
                           .finish();
  return reply_to(request, 3).text("").u32(1).u32(0).sequence({profile.begin() + 12, profile.end()}).finish();
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
