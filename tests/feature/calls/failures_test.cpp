// Errors for clients of servers that are gone, silent, hostile or shutting down.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <future>
#include <thread>

#include <takt/reference/messaging.h>

#include "gate.h"
#include "hostile_server.h"
#include "orbs.h"

namespace feature {

using Octets = std::vector<std::uint8_t>;

EchoRef reach(const Orb& orb, const std::string& url) {
  return takt::reference::make_stub<::Calls::Echo>(orb->string_to_object(url)->_ref());
}

// The port in a stringified reference, which follows the host at the next multiple of two.
std::uint16_t port_of(const std::string& ior) {
  std::string octets;
  for (std::size_t i = 4; i + 1 < ior.size(); i += 2)
    octets.push_back(static_cast<char>(std::stoi(ior.substr(i, 2), nullptr, 16)));
  const std::string host("127.0.0.1\0", 10);
  std::size_t at = octets.find(host) + host.size();
  at += at % 2;  // the profile begins at a multiple of four
  return static_cast<std::uint16_t>(static_cast<unsigned char>(octets[at]) |
                                    static_cast<unsigned char>(octets[at + 1]) << 8);
}

std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                       std::filesystem::directory_iterator());
}

void call_servers_that_depart(const char* connections) {
  constexpr int ports = 32;  // twice as many as are tolerated at first
  std::string endpoints = "iiop://127.0.0.1:0";
  for (int i = 2; i < ports; ++i) endpoints += ",iiop://127.0.0.1:0";
  const auto orb = make_orb({"-ORBClientConnections", connections}, "client");
  auto departing = std::make_unique<ServerAndClient>(Options{"-ORBListenEndpoints", endpoints});
  departing->server->register_object_key("Echo", departing->server->string_to_object(departing->ior));
  std::vector<EchoRef> echoes;
  for (const std::string& each : departing->server->_published_endpoints()) {
    const std::string address = each.substr(each.find(' ') + 1);
    echoes.push_back(reach(orb, "corbaloc:iiop:1.2@" + address + "/Echo"));
    echoes.back()->nothing();
  }
  ASSERT_EQ(std::ssize(echoes), ports);  // one is that of all such servers
  departing.reset();
  const ServerAndClient next;
  const auto before = open_descriptors();
  reach(orb, next.ior)->nothing();
  EXPECT_LE(open_descriptors(), before - ports + 2);  // both ends of the next connection
  EXPECT_THROW(echoes.front()->nothing(), CORBA::SystemException);
}

// A thread that calls server after server does not use up the descriptors.
struct Departed : testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, Departed,
                         testing::Values("exclusive", "cached", "multiplexed", "multiplexed-active"));

TEST_P(Departed, ServersLeaveNoConnectionsBehind) {
  std::jthread(call_servers_that_depart, GetParam());  // which has no connections yet
}

// The system does not tell that the other end of datagrams has gone.
TEST(Failures, DepartedServersOfDatagramsLeaveNoConnectionsBehind) {
  std::jthread([] {
    const auto client = make_orb({}, "client");
    const auto before = open_descriptors();
    for (int i = 0; i < 20; ++i) {  // more than are tolerated at first
      const OrbPair departing({}, {}, "udp://127.0.0.1:0");
      const std::string ior = departing.server->object_to_string(departing.root->id_to_reference(
          departing.root->activate_object(CORBA::make_reference<EchoServant>())));
      reach(client, ior)->nothing();
    }
    EXPECT_LE(open_descriptors(), before + 8);
    client->destroy();
  });
}

TEST(Failures, NobodyListens) {
  auto orb = make_orb({}, "client");
  auto echo = reach(orb, "corbaloc:iiop:1.2@127.0.0.1:1/Object");
  try {
    echo->nothing();
    FAIL() << "nothing was thrown";
  } catch (const CORBA::TRANSIENT& failure) {
    EXPECT_EQ(failure.completed(), CORBA::COMPLETED_NO);
    const std::string text = failure.what();
    EXPECT_NE(text.find("127.0.0.1:1"), std::string::npos) << text;
    EXPECT_NE(text.find("refused"), std::string::npos) << text;
  }
  orb->destroy();
}

TEST(Failures, ASilentServerCostsTheTimeoutAndNoMore) {
  HostileServer server([](int fd, int) {
    while (!receive_some(fd).empty()) {
    }
  });
  auto orb = make_orb({"-ORBRoundTripTimeout", "200ms"}, "client");
  auto echo = reach(orb, server.url());
  try {
    echo->nothing();
    FAIL() << "nothing was thrown";
  } catch (const CORBA::TIMEOUT& failure) {
    EXPECT_EQ(failure.completed(), CORBA::COMPLETED_MAYBE);
    EXPECT_NE(std::string(failure.what()).find("200 ms"), std::string::npos) << failure.what();
  }
  orb->destroy();
}

TEST(Failures, AServerThatHangsUpIsACommFailure) {
  HostileServer server([](int fd, int) { receive_some(fd); });
  auto orb = make_orb({}, "client");
  try {
    reach(orb, server.url())->nothing();
    FAIL() << "nothing was thrown";
  } catch (const CORBA::COMM_FAILURE& failure) {
    EXPECT_EQ(failure.completed(), CORBA::COMPLETED_MAYBE);
  }
  orb->destroy();
}

// A client gives up on a reply that arrives very slowly, although the server is never silent for long. False:
// the time was over before the request was sent, as can happen on a busy machine.
bool give_up_what_trickles(const char* connections, const char* timeout, std::uint64_t round_trip) {
  std::atomic<bool> begun{false}, given_up{false};
  {
    HostileServer server([&](int fd, int) {
      const Octets request = receive_some(fd);
      if (request.size() <= 16) return;
      begun = true;
      Octets reply{'G', 'I', 'O', 'P', 1, 2, 1, 1, 0, 0, 16, 0};
      reply.insert(reply.end(), request.begin() + 12, request.begin() + 16);  // the request id
      reply.insert(reply.end(), 8, 0);
      reply.insert(reply.end(), {0xf0, 0xff, 0x0f, 0});  // as the size of the message
      send_octets(fd, reply);
      const std::uint8_t octet = 7;
      for (int i = 0; i < 1000 && !given_up; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        given_up = ::send(fd, &octet, 1, MSG_NOSIGNAL) < 0;
      }
    });
    auto orb = make_orb({"-ORBClientConnections", connections, "-ORBRoundTripTimeout", timeout}, "client");
    CORBA::PolicyList policies;
    if (round_trip != 0)
      policies = {CORBA::make_reference<Messaging::RelativeRoundtripTimeoutPolicy>(round_trip)};
    const auto called =
        reach(orb, server.url())->_set_policy_overrides(policies, CORBA::SetOverrideType::ADD_OVERRIDE);
    EXPECT_THROW((void)takt::reference::make_stub<::Calls::Echo>(called->_ref())->echo_octets({1}),
                 CORBA::TIMEOUT)
        << connections;
    orb->destroy();
  }
  EXPECT_EQ(given_up, begun) << connections;
  return begun;
}
void expect_to_give_up_what_trickles(const char* timeout, std::uint64_t round_trip) {
  for (const char* connections : {"exclusive", "cached", "multiplexed", "multiplexed-active"}) {
    bool begun = false;
    for (int i = 0; i < 20 && !begun; ++i) begun = give_up_what_trickles(connections, timeout, round_trip);
    EXPECT_TRUE(begun) << connections;
  }
}

TEST(Failures, AReplyThatTricklesIsGivenUpAtTheDeadline) {
  expect_to_give_up_what_trickles("30s", 1'000'000);
}

TEST(Failures, AReplyThatTricklesIsGivenUpAfterTenRoundTripTimeouts) {
  expect_to_give_up_what_trickles("100ms", 0);
}

TEST(Failures, GarbageIsACommFailure) {
  HostileServer server([](int fd, int) {
    receive_some(fd);
    send_octets(fd, Octets(100, 0x41));
  });
  auto orb = make_orb({}, "client");
  EXPECT_THROW(reach(orb, server.url())->nothing(), CORBA::COMM_FAILURE);
  orb->destroy();
}

TEST(Failures, AnOrderlyCloseIsRetriedOnANewConnection) {
  HostileServer server([](int fd, int number) {
    const Octets request = receive_some(fd);
    if (number == 0) {
      send_octets(fd, {'G', 'I', 'O', 'P', 1, 2, 1, 5, 0, 0, 0, 0});
    } else if (request.size() > 16) {
      Octets reply{'G', 'I', 'O', 'P', 1, 2, 1, 1, 12, 0, 0, 0};
      reply.insert(reply.end(), request.begin() + 12, request.begin() + 16);  // the request id
      reply.insert(reply.end(), 8, 0);
      send_octets(fd, reply);
      receive_some(fd);
    }
  });
  auto orb = make_orb({}, "client");
  reach(orb, server.url())->nothing();
  orb->destroy();
}

TEST(Failures, AOnewayIsNotSentToAServerThatHasClosedTheIdleConnection) {
  for (const char* const connections : {"exclusive", "cached"}) {
    std::promise<void> closed;
    std::promise<Octets> second;
    HostileServer server([&](int fd, int number) {
      const Octets request = receive_some(fd);
      if (number == 1) second.set_value(request);
      if (number != 0 || request.size() <= 16) return;
      Octets reply{'G', 'I', 'O', 'P', 1, 2, 1, 1, 12, 0, 0, 0};
      reply.insert(reply.end(), request.begin() + 12, request.begin() + 16);  // the request id
      reply.insert(reply.end(), 8, 0);
      send_octets(fd, reply);
      ::shutdown(fd, SHUT_RDWR);
      closed.set_value();
    });
    const auto orb = make_orb({"-ORBClientConnections", connections}, "client");
    const auto echo = reach(orb, server.url());
    echo->nothing();
    closed.get_future().wait();
    echo->note(7);
    auto arrived = second.get_future();
    ASSERT_EQ(arrived.wait_for(std::chrono::seconds(20)), std::future_status::ready) << connections;
    const Octets request = arrived.get();
    EXPECT_NE(std::string(request.begin(), request.end()).find("note"), std::string::npos);
    orb->destroy();
  }
}

// The addressing mode holds for the object that asks for it, and not for the one to which the call is
// forwarded.
TEST(Failures, AForwardAfterAnotherAddressingModeReachesItsObject) {
  const ServerAndClient there;
  Octets ior;
  for (std::size_t i = 12; i + 1 < there.ior.size(); i += 2)  // behind the byte order
    ior.push_back(static_cast<std::uint8_t>(std::stoi(there.ior.substr(i, 2), nullptr, 16)));
  HostileServer server([&](int fd, int) {
    for (const auto& [status, body] : {std::pair<std::uint8_t, Octets>{5, {1, 0}}, {3, ior}}) {
      const Octets request = receive_some(fd);
      if (request.size() <= 16) return;
      const std::size_t size = 12 + body.size();
      Octets reply{'G', 'I', 'O', 'P', 1, 2, 1, 1};
      reply.insert(reply.end(),
                   {static_cast<std::uint8_t>(size), static_cast<std::uint8_t>(size >> 8), 0, 0});
      reply.insert(reply.end(), request.begin() + 12, request.begin() + 16);  // the request id
      reply.insert(reply.end(), {status, 0, 0, 0, 0, 0, 0, 0});
      reply.insert(reply.end(), body.begin(), body.end());
      send_octets(fd, reply);
    }
  });
  auto orb = make_orb({}, "client");
  EXPECT_EQ(reach(orb, server.url())->cube(3), 27);
  orb->destroy();
}

// The id comes in parts, which move while the rest is read.
TEST(Failures, ASystemExceptionWithALongIdIsUnknown) {
  HostileServer server([](int fd, int) {
    const Octets request = receive_some(fd);
    if (request.size() <= 16) return;
    constexpr std::size_t characters = 1'000'000, size = 12 + 4 + characters + 8;
    Octets reply{'G', 'I', 'O', 'P', 1, 2, 1, 1};
    const auto put = [&](std::size_t number) {
      for (int shift = 0; shift < 32; shift += 8) reply.push_back(static_cast<std::uint8_t>(number >> shift));
    };
    put(size);
    reply.insert(reply.end(), request.begin() + 12, request.begin() + 16);  // the request id
    put(2);                                                                 // a system exception
    put(0);                                                                 // no contexts
    put(characters);
    reply.insert(reply.end(), characters - 1, 'A');
    reply.push_back(0);
    put(7);
    put(1);
    send_octets(fd, reply);
    receive_some(fd);
  });
  auto orb = make_orb({}, "client");
  EXPECT_THROW(reach(orb, server.url())->nothing(), CORBA::UNKNOWN);
  orb->destroy();
}

// A server that closes with its reply, or whose close arrives in pieces, has not begun the next request.
TEST(Failures, AnOrderlyCloseBehindAReplyIsRetriedToo) {
  const Octets close{'G', 'I', 'O', 'P', 1, 2, 1, 5, 0, 0, 0, 0};
  for (const char* connections : {"exclusive", "multiplexed"}) {
    HostileServer server([close](int fd, int number) {
      const Octets request = receive_some(fd);
      Octets reply{'G', 'I', 'O', 'P', 1, 2, 1, 1, 12, 0, 0, 0};
      if (request.size() <= 16) return;
      reply.insert(reply.end(), request.begin() + 12, request.begin() + 16);  // the request id
      reply.insert(reply.end(), 8, 0);
      if (number == 0) reply.insert(reply.end(), close.begin(), close.end());
      send_octets(fd, reply);
      if (number != 0) receive_some(fd);
    });
    auto orb = make_orb({"-ORBClientConnections", connections}, "client");
    const auto echo = reach(orb, server.url());
    EXPECT_NO_THROW(echo->nothing()) << connections;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // time for the server to close
    EXPECT_NO_THROW(echo->nothing()) << connections;
    orb->destroy();
  }
}

// The request was served, so it must not be sent again.
TEST(Failures, ACloseInTheMiddleOfAReplyIsNotRetried) {
  for (const char* connections : {"exclusive", "multiplexed"}) {
    std::atomic<int> requests{0};
    HostileServer server([&](int fd, int) {
      const Octets request = receive_some(fd);
      if (request.size() <= 16) return;
      ++requests;
      Octets octets{'G', 'I', 'O', 'P', 1, 2, 3, 1, 20, 0, 0, 0};               // more fragments follow
      octets.insert(octets.end(), request.begin() + 12, request.begin() + 16);  // the request id
      octets.insert(octets.end(), 16, 0);
      octets.insert(octets.end(), {'G', 'I', 'O', 'P', 1, 2, 1, 5, 0, 0, 0, 0});
      send_octets(fd, octets);
      receive_some(fd);
    });
    auto orb = make_orb({"-ORBClientConnections", connections}, "client");
    try {
      reach(orb, server.url())->cube(2);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const CORBA::COMM_FAILURE& failure) {
      EXPECT_EQ(failure.completed(), CORBA::COMPLETED_MAYBE) << failure.what();
    }
    orb->destroy();
    EXPECT_EQ(requests, 1) << connections;
  }
}

TEST(Failures, ASystemExceptionIsReadBeforeItsConnectionGoes) {
  HostileServer server([](int fd, int) {
    const Octets request = receive_some(fd);
    if (request.size() <= 16) return;
    std::string id = "IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0";
    id.resize(40);  // with the terminating zero and padding
    Octets reply{'G', 'I', 'O', 'P', 1, 2, 1, 1, 64, 0, 0, 0};
    reply.insert(reply.end(), request.begin() + 12, request.begin() + 16);  // the request id
    reply.insert(reply.end(), {2, 0, 0, 0, 0, 0, 0, 0, 39, 0, 0, 0});
    reply.insert(reply.end(), id.begin(), id.end());
    reply.insert(reply.end(), {7, 0, 0, 0, 1, 0, 0, 0});
    reply.insert(reply.end(), {'G', 'I', 'O', 'P', 1, 2, 1, 5, 0, 0, 0, 0});
    send_octets(fd, reply);
  });
  auto orb = make_orb({"-ORBClientConnections", "multiplexed"}, "client");
  try {
    reach(orb, server.url())->nothing();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const CORBA::OBJECT_NOT_EXIST& failure) {
    EXPECT_EQ(failure.minor(), 7u);
    EXPECT_EQ(failure.completed(), CORBA::COMPLETED_NO);
  }
  orb->destroy();
}

TEST(Failures, MessageErrorIsACommFailure) {
  HostileServer server([](int fd, int) {
    receive_some(fd);
    send_octets(fd, {'G', 'I', 'O', 'P', 1, 0, 0, 6, 0, 0, 0, 0});
  });
  auto orb = make_orb({}, "client");
  EXPECT_THROW(reach(orb, server.url())->nothing(), CORBA::COMM_FAILURE);
  orb->destroy();
}

struct TextsOfEndings : testing::TestWithParam<const char*> {
  // The text of the failure of a call that gets these octets.
  std::string text_of(const Octets& answer) {
    HostileServer server([&](int fd, int) {
      receive_some(fd);
      send_octets(fd, answer);
      while (!receive_some(fd).empty()) {
      }
    });
    const auto orb = make_orb({"-ORBClientConnections", GetParam(), "-ORBRoundTripTimeout", "5s"}, "client");
    std::string text;
    try {
      reach(orb, server.url())->nothing();
    } catch (const CORBA::COMM_FAILURE& failure) {
      text = failure.what();
    }
    orb->destroy();
    return text;
  }
};
INSTANTIATE_TEST_SUITE_P(, TextsOfEndings,
                         testing::Values("exclusive", "cached", "multiplexed", "multiplexed-active"));

TEST_P(TextsOfEndings, SayWhatTheServerHasSent) {
  const std::string error = text_of({'G', 'I', 'O', 'P', 1, 2, 1, 6, 0, 0, 0, 0});
  EXPECT_NE(error.find("MessageError"), error.npos) << error;
  const std::string too_long = text_of({'G', 'I', 'O', 'P', 1, 2, 1, 1, 0xff, 0xff, 0xff, 0x7f});
  EXPECT_NE(too_long.find("longer than the limit"), too_long.npos) << too_long;
}

TEST(Failures, AReplyThatClaimsTooMuchIsRefused) {
  HostileServer server([](int fd, int) {
    receive_some(fd);
    send_octets(fd, {'G', 'I', 'O', 'P', 1, 2, 1, 1, 0xff, 0xff, 0xff, 0x7f});
    while (!receive_some(fd).empty()) {
    }
  });
  auto orb = make_orb({"-ORBRoundTripTimeout", "5s"}, "client");
  EXPECT_THROW(reach(orb, server.url())->nothing(), CORBA::COMM_FAILURE);
  orb->destroy();
}

TEST(Failures, AfterShutdownCallsAreRefused) {
  ServerAndClient orbs;
  EXPECT_EQ(orbs.echo->cube(2), 8);
  orbs.client->shutdown(true);
  EXPECT_THROW(orbs.echo->cube(2), CORBA::BAD_INV_ORDER);
}

TEST(Failures, ACallThatShutdownCutsMayHaveRun) {
  ServerAndClient orbs;
  const auto keeper = CORBA::make_reference<Keeper>();
  const auto kept = orbs.publish<::Calls::Echo>(keeper);
  std::thread ending([&] {
    EXPECT_TRUE(keeper->gate.entered_by(1));
    orbs.client->shutdown(true);
  });
  try {
    kept->nothing();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const CORBA::BAD_INV_ORDER& failure) {
    EXPECT_EQ(failure.completed(), CORBA::COMPLETED_MAYBE);
  }
  ending.join();
  keeper->gate.open();
}

TEST(Failures, AnAnyMayOutliveItsOrb) {
  CORBA::Any any;
  {
    ServerAndClient orbs;
    any <<= orbs.echo;
  }
  EchoRef echo;
  ASSERT_TRUE(any >>= echo);
  EXPECT_THROW(echo->cube(2), CORBA::SystemException);
}

TEST(Failures, AServerThatGoesAwayInGoodOrderLeavesNoDoubt) {
  auto orbs = std::make_unique<ServerAndClient>();
  EXPECT_EQ(orbs->echo->cube(2), 8);
  orbs->server->shutdown(true);
  EXPECT_THROW(orbs->echo->cube(2), CORBA::TRANSIENT) << "closed in good order, then nobody listens";
}

TEST(Failures, HostileOctetsDisturbNobodyElse) {
  ServerAndClient orbs;
  EXPECT_EQ(orbs.echo->cube(2), 8);
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port_of(orbs.ior));
  ASSERT_EQ(::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  send_octets(fd, Octets(64, 0xff));
  const Octets answer = receive_some(fd);
  ASSERT_GE(answer.size(), 12u);
  EXPECT_EQ(answer[7], 6) << "MessageError";
  EXPECT_TRUE(receive_some(fd).empty()) << "and closed";
  ::close(fd);
  EXPECT_EQ(orbs.echo->cube(3), 27);
}

}  // namespace feature
