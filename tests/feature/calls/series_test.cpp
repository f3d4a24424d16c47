// Calls that are sent together.
#include <list>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <takt/invocation/call_series.h>

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

TEST(CallSeries, HasABoundedNumberOfCalls) {
  const Listening orbs;
  EXPECT_EQ(make_together(orbs.echo, Texts(1000, "x")).size(), takt::invocation::CallSeries::most_calls);
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
