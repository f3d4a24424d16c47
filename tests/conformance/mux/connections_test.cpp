// Which connections exist: by priority, by reference, and opened in advance.
#include <gtest/gtest.h>

#include "architectures.h"

namespace feature {
namespace {

std::vector<Architecture> private_architectures() {
  std::vector<Architecture> chosen;
  for (const Architecture& architecture : architectures)
    if (architecture.private_to_reference) chosen.push_back(architecture);
  return chosen;
}

class Connections : public Clients {
 protected:
  static constexpr RTCORBA::Priority low = 5, high = 20;
  static bool validate(const EchoRef& echo) {
    CORBA::PolicyList inconsistent;
    return echo->_validate_connection(inconsistent);
  }
};

TEST_P(Connections, EachBandHasItsOwn) {
  RecordingServer server;
  const auto echo = reach(server);
  at_priority(low, [&] {
    echo->nothing();
    for (const RTCORBA::Priority priority : {high, low, high, low}) {
      priorities->the_priority(priority);
      echo->nothing();
    }
  }).get();
  EXPECT_EQ(used(server), GetParam().banded ? 2u : 1u);
  EXPECT_EQ(server.connections().size(), used(server));
}

TEST_P(Connections, ReferencesShareThemUnlessTheyArePrivate) {
  RecordingServer server;
  const auto one = reach(server), other = reach(server), copy = one;
  for (int i = 0; i < 3; ++i) {
    one->nothing();
    other->nothing();
    copy->nothing();
  }
  EXPECT_EQ(used(server), GetParam().private_to_reference ? 2u : 1u);
}

TEST_P(Connections, OneReferenceMayHaveItsOwnAmongOthers) {
  RecordingServer server;
  const auto echo = reach(server);
  const auto own = IDL::traits<::Calls::Echo>::narrow(echo->_set_policy_overrides(
      {rt->create_private_connection_policy()}, CORBA::SetOverrideType::ADD_OVERRIDE));
  own->nothing();
  echo->nothing();
  own->nothing();
  EXPECT_EQ(used(server), 2u);
  EXPECT_TRUE(own->_get_policy(RTCORBA::PRIVATE_CONNECTION_POLICY_TYPE));
}

// A thread that goes on to other references must close private connections that it can never use again.
class PrivateConnections : public Connections {};
TEST_P(PrivateConnections, GoWithTheirReferences) {
  RecordingServer server;
  for (int i = 0; i < 10; ++i) reach(server)->nothing();
  EXPECT_TRUE(eventually([&] {
    std::size_t open = 0;
    for (const auto& connection : server.connections()) open += connection.closed ? 0 : 1;
    return open == 1;
  }));
}

TEST_P(Connections, AllAreOpenedByValidation) {
  RecordingServer server;
  const auto echo = reach(server);
  at_priority(low, [&] {
    EXPECT_TRUE(validate(echo));
    const std::size_t needed = GetParam().banded ? 2 : 1;
    EXPECT_TRUE(eventually([&] { return server.connections().size() == needed; }));
    EXPECT_TRUE(validate(echo));
    for (const RTCORBA::Priority priority : {high, low}) {
      priorities->the_priority(priority);
      echo->nothing();
    }
    EXPECT_EQ(server.connections().size(), needed) << "the calls have opened none";
    EXPECT_EQ(used(server), needed);
  }).get();
}

TEST_P(Connections, AllLanesAreOpenedByValidation) {
  RecordingServer slow, fast;
  const std::string ior =
      ior_of(slow, GetParam().banded, {{{"127.0.0.1", slow.port()}, 0}, {{"127.0.0.1", fast.port()}, high}});
  const auto echo = takt::reference::make_stub<::Calls::Echo>(orb->string_to_object(ior)->_ref());
  at_priority(low, [&] {
    EXPECT_TRUE(validate(echo));
    EXPECT_TRUE(eventually([&] { return slow.connections().size() == 1 && fast.connections().size() == 1; }));
    for (const RTCORBA::Priority priority : {high, low, high}) {
      priorities->the_priority(priority);
      echo->nothing();
    }
    EXPECT_EQ(slow.connections().size(), 1u);
    EXPECT_EQ(slow.connections()[0].request_ids.size(), 1u);
    EXPECT_EQ(fast.connections().size(), 1u);
    EXPECT_EQ(fast.connections()[0].request_ids.size(), 2u);
  }).get();
}

// Where threads share connections, a connection opened by one serves the others too.
TEST_P(Connections, ValidationIsForOneThreadOrForAll) {
  RecordingServer server;
  const auto echo = reach(server);
  EXPECT_TRUE(validate(echo));
  const std::size_t opened = GetParam().banded ? 2 : 1;
  at_priority(high, [&] { echo->nothing(); }).get();
  EXPECT_EQ(server.connections().size(), opened + (GetParam().shared() ? 0 : 1));
}

TEST_P(Connections, ValidationSaysWhatCannotBeReached) {
  std::string ior;
  {
    RecordingServer server;
    ior = ior_of(server, GetParam().banded);
  }
  const auto gone = takt::reference::make_stub<::Calls::Echo>(orb->string_to_object(ior)->_ref());
  try {
    validate(gone);
    FAIL() << "nothing was thrown";
  } catch (const CORBA::TRANSIENT& failure) {
    EXPECT_NE(std::string(failure.what()).find("127.0.0.1"), std::string::npos) << failure.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Connections, testing::ValuesIn(architectures),
                         [](const auto& which) { return std::string(which.param.name); });

INSTANTIATE_TEST_SUITE_P(Each, PrivateConnections, testing::ValuesIn(private_architectures()),
                         [](const auto& which) { return std::string(which.param.name); });

}  // namespace
}  // namespace feature
