// Calls that are sent together.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <takt/invocation/call_series.h>
#include <takt/reference/messaging.h>

#include "hostile_server.h"
#include "orbs.h"

namespace feature {
namespace {

using ::Calls::Echo;
using Refuse = takt::PreparedCall<Echo, Echo::_operations::refuse>;
using Series = takt::SeriesOf<Echo::_operations::refuse>;
using Outcome = takt::invocation::CallSeries::Outcome;

// Keeps the texts that it gets, in order. Raises Refused for texts that begin with "no", and NO_PERMISSION
// for those that begin with "out".
class Listener final : public EchoServant {
 public:
  void refuse(const std::string& why) override {
    const std::lock_guard lock(mutex_);
    heard_.push_back(why);
    if (why == "slow") std::this_thread::sleep_for(std::chrono::milliseconds(80));
    if (why.starts_with("no")) throw ::Calls::Refused(why, 7);
    if (why.starts_with("out")) throw CORBA::NO_PERMISSION(5, CORBA::COMPLETED_NO);
  }
  std::vector<std::string> heard() {
    const std::lock_guard lock(mutex_);
    return heard_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> heard_;
};

// Calls together need a connection that has been used, GIOP without short heads and without compression.
class Listening : public OrbPair {
 public:
  explicit Listening(const Options& server_options = {}, const Options& client_options = {})
      : OrbPair(with({"-ORBMessaging", "giop", "-ORBCompression", "off"}, server_options),
                with({"-ORBMessaging", "giop", "-ORBCompression", "off"}, client_options)),
        listener(CORBA::make_reference<Listener>()),
        echo(publish<Echo>(listener)) {
    echo->nothing();
  }

  const CORBA::servant_reference<Listener> listener;
  const EchoRef echo;
};

// The outcome of each call: "done", "again", or the exception's name.
std::vector<std::string> make_together(const EchoRef& target, const std::vector<std::string>& texts) {
  std::vector<std::string> outcomes;
  std::list<Refuse> calls;
  for (const std::string& text : texts) calls.emplace_back(text);
  Series series(*target);
  if (!series.begin()) return {"not together"};
  for (const Refuse& call : calls)
    if (!series.add(call.arguments())) break;
  series.send();
  for (std::size_t i = 0; i < series.size(); ++i) try {
      outcomes.push_back(series.next() == Outcome::done ? "done" : "again");
    } catch (const CORBA::Exception& failure) {
      outcomes.push_back(failure._name());
    }
  return outcomes;
}

using Texts = std::vector<std::string>;

TEST(CallSeries, IsCarriedOutInOrder) {
  for (const char* connections : {"exclusive", "cached"}) {
    const Listening orbs({}, {"-ORBClientConnections", connections});
    Texts texts;
    for (int i = 0; i < 100; ++i)
      texts.push_back(std::to_string(i) + std::string(i % 7 == 0 ? 5000 : i, 'x'));
    for (int round = 0; round < 2; ++round)
      EXPECT_EQ(make_together(orbs.echo, texts), Texts(100, "done")) << connections;
    Texts twice = texts;
    twice.insert(twice.end(), texts.begin(), texts.end());
    EXPECT_EQ(orbs.listener->heard(), twice);
    orbs.echo->nothing();  // the connection is as it was
  }
}

TEST(CallSeries, GivesEachCallItsOwnOutcome) {
  const Listening orbs;
  EXPECT_EQ(make_together(orbs.echo, {"a", "no", "b", "out", "c"}),
            (Texts{"done", "Refused", "done", "NO_PERMISSION", "done"}));
  EXPECT_EQ(orbs.listener->heard(), (Texts{"a", "no", "b", "out", "c"}));
  EXPECT_EQ(make_together(orbs.echo, {"no", "out", "no"}), (Texts{"Refused", "NO_PERMISSION", "Refused"}));
  orbs.echo->nothing();
}

TEST(CallSeries, WithoutALimitOfTimeWaitsForItsAnswers) {
  for (const char* connections : {"exclusive", "cached"}) {
    const Listening orbs({}, {"-ORBRoundTripTimeout", "0", "-ORBClientConnections", connections});
    EXPECT_EQ(make_together(orbs.echo, {"a", "no", "b"}), (Texts{"done", "Refused", "done"})) << connections;
  }
}

// The deadline of a policy is one for all replies.
TEST(CallSeries, EndsAtItsDeadline) {
  for (const char* connections : {"exclusive", "cached"}) {
    const Listening orbs({}, {"-ORBClientConnections", connections});
    constexpr TimeBase::TimeT limit = 200 * 10'000;  // 200 ms
    const CORBA::PolicyList policies{CORBA::make_reference<Messaging::RelativeRoundtripTimeoutPolicy>(limit)};
    const auto echo = IDL::traits<Echo>::narrow(
        orbs.echo->_set_policy_overrides(policies, CORBA::SetOverrideType::ADD_OVERRIDE));
    echo->nothing();
    const Texts outcomes = make_together(echo, Texts(5, "slow"));
    ASSERT_EQ(outcomes.size(), 5u) << connections;
    EXPECT_EQ(outcomes.back(), "TIMEOUT") << connections;
  }
}

TEST(CallSeries, HasABoundedNumberOfCalls) {
  const Listening orbs;
  EXPECT_EQ(make_together(orbs.echo, Texts(1000, "x")).size(), takt::invocation::CallSeries::most_calls);
}

TEST(CallSeries, HasNoRequestThatIsLongerThanTheOrbSends) {
  const Listening orbs({}, {"-ORBMaxRequestSize", "8KiB"});
  EXPECT_EQ(make_together(orbs.echo, {"a", std::string(9000, 'x')}), Texts{"done"});
}

// Such a server may carry out the second call before the first.
TEST(CallSeries, IsNotForServersThatServeSeveralRequestsOfAConnectionAtOnce) {
  const Listening pool({"-ORBServerConcurrency", "worker-pool"}),
      framework({"-ORBServerConcurrency", "threading-framework"}),
      followers({"-ORBServerConcurrency", "leader-followers"}),
      reactive({"-ORBServerConcurrency", "reactive"});
  EXPECT_EQ(make_together(pool.echo, {"x"}), Texts{"not together"});
  EXPECT_EQ(make_together(framework.echo, {"x"}), Texts{"not together"});
  EXPECT_EQ(make_together(followers.echo, {"x", "y"}), Texts(2, "done"));
  EXPECT_EQ(make_together(reactive.echo, {"x", "y"}), Texts(2, "done"));
}

TEST(CallSeries, IsNotWithinTheProcessNorTheFirstCallNorByAnotherProtocol) {
  const Listening orbs;
  const auto near =
      IDL::traits<Echo>::narrow(orbs.root->id_to_reference(orbs.root->servant_to_id(orbs.listener)));
  EXPECT_EQ(make_together(near, {"x"}), Texts{"not together"});
  const auto client = make_orb({"-ORBMessaging", "giop", "-ORBCompression", "off"}, "unused connection");
  const auto far =
      IDL::traits<Echo>::unchecked_narrow(client->string_to_object(orbs.client->object_to_string(orbs.echo)));
  EXPECT_EQ(make_together(far, {"x"}), Texts{"not together"});
  far->nothing();
  EXPECT_EQ(make_together(far, {"x"}), Texts{"done"});
  client->destroy();
  const Listening old({"-ORBGIOPVersion", "1.1"});
  EXPECT_EQ(make_together(old.echo, {"x"}), Texts{"not together"});
  EXPECT_EQ(orbs.listener->heard(), Texts{"x"});
}

using Message = std::vector<std::uint8_t>;

// A peer between a server and its client. It passes on `replies` replies of a series, then sends `last` and
// closes the connection. Reads the server's address out of a reference, and puts its own in the place.
class Between {
 public:
  Between(std::string ior, std::size_t replies, Message last)
      : replies_(replies), last_(std::move(last)), hostile_([this](int fd, int) { pass(fd); }) {
    const std::string host = "3132372e302e302e3100";  // "127.0.0.1", behind which the port follows
    const std::size_t at = ior.find(host) + host.size();
    server_ = port_of(ior.substr(at, 4));
    const std::string url = hostile_.url();
    const std::size_t digits = url.rfind(':') + 1;
    const auto own = static_cast<std::uint16_t>(std::stoi(url.substr(digits)));
    char hex[5];
    std::snprintf(hex, sizeof hex, "%02x%02x", own & 0xff, own >> 8);
    reference = ior.replace(at, 4, hex);
  }
  std::string reference;

 private:
  static std::uint16_t port_of(const std::string& hex) {
    const unsigned long octets = std::stoul(hex, nullptr, 16);
    return static_cast<std::uint16_t>(octets >> 8 | (octets & 0xff) << 8);
  }
  // Reads one whole message.
  static Message receive(int fd) {
    Message message(12);
    if (::recv(fd, message.data(), 12, MSG_WAITALL) != 12) return {};
    std::uint32_t length = 0;
    std::memcpy(&length, &message[8], sizeof length);
    message.resize(12 + length);
    if (::recv(fd, &message[12], length, MSG_WAITALL) != static_cast<ssize_t>(length)) return {};
    return message;
  }
  void pass(int client) {
    const int server = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(server_);
    if (::connect(server, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
      std::thread requests([&] {
        for (Message octets; !(octets = receive_some(client)).empty();) send_octets(server, octets);
      });
      send_octets(client, receive(server));  // the reply to the call before the series
      for (std::size_t i = 0; i < replies_; ++i) send_octets(client, receive(server));
      receive(server);
      send_octets(client, last_);
      ::shutdown(client, SHUT_RDWR);
      requests.join();
    }
    ::close(server);
  }

  const std::size_t replies_;
  const Message last_;
  std::uint16_t server_ = 0;
  HostileServer hostile_;
};

// The outcomes of five calls, of which a server that fails has answered two.
Texts outcomes_with(const Message& last) {
  const Listening orbs;
  const Between between(orbs.server->object_to_string(orbs.root->servant_to_reference(orbs.listener)), 2,
                        last);
  const auto echo = IDL::traits<Echo>::unchecked_narrow(orbs.client->string_to_object(between.reference));
  echo->nothing();
  const Texts outcomes = make_together(echo, {"a", "b", "c", "d", "e"});
  EXPECT_EQ(outcomes.size(), 5u);
  EXPECT_EQ(Texts(outcomes.begin(), outcomes.begin() + 2), Texts(2, "done"));
  return Texts(outcomes.begin() + 2, outcomes.end());
}

TEST(CallSeries, LosesTheCallsThatWereNotAnsweredWhenTheServerIsGone) {
  EXPECT_EQ(outcomes_with({}), Texts(3, "COMM_FAILURE"));
}

// Those that the server has not begun may be made again.
TEST(CallSeries, IsMadeAgainFromWhereTheServerClosedInGoodOrder) {
  EXPECT_EQ(outcomes_with({'G', 'I', 'O', 'P', 1, 2, 1, 5, 0, 0, 0, 0}), Texts(3, "again"));
}

TEST(CallSeries, EndsWithWhatIsNoReply) {
  for (const Message& last : {Message{'G', 'I', 'O', 'P', 1, 2, 1, 6, 0, 0, 0, 0},  // MessageError
                              Message{'n', 'o', 'i', 's', 'e', 0, 0, 0, 0, 0, 0, 0},
                              Message{'G', 'I', 'O', 'P', 1, 2, 1, 1, 0xff, 0xff, 0xff, 0x7f}})
    for (const std::string& each : outcomes_with(last)) EXPECT_NE(each, "done");
}

// Whether one of them was carried out is not known.
TEST(CallSeries, FailsAsAWholeWithItsConnection) {
  Listening orbs;
  orbs.server->shutdown(false);
  orbs.run_returns();
  const Texts outcomes = make_together(orbs.echo, {"a", "b", "c"});
  for (const std::string& each : outcomes)
    EXPECT_TRUE(each == "again" || each == "COMM_FAILURE" || each == "TRANSIENT" || each == "not together")
        << each;
}

// A series that its maker gives up leaves no reply behind for later calls.
TEST(CallSeries, EndsItsConnectionWhenItIsGivenUp) {
  for (const char* connections : {"exclusive", "cached"}) {
    const Listening orbs({}, {"-ORBClientConnections", connections});
    const Refuse call("x");
    {
      Series series(*orbs.echo);
      ASSERT_TRUE(series.begin());
      for (int i = 0; i < 3; ++i) ASSERT_TRUE(series.add(call.arguments()));
      series.send();
      series.next();
    }
    EXPECT_EQ(orbs.echo->cube(3), 27) << connections;
    {
      Series unsent(*orbs.echo);
      if (unsent.begin()) unsent.add(call.arguments());
    }
    EXPECT_EQ(orbs.echo->cube(2), 8) << connections;
  }
}

}  // namespace
}  // namespace feature
