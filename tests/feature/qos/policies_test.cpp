// Policies of ORB, thread and reference: their precedence, and their effect on calls.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <future>

#include "hostile_server.h"
#include "qos_test.h"

namespace feature {
namespace {

class Policies : public testing::TestWithParam<const char*> {
 protected:
  std::vector<std::string> client_options() const { return {"-ORBClientConnections", GetParam()}; }
  ServerAndClient orbs{{}, client_options()};
  CORBA::object_reference<CORBA::PolicyManager> of_orb = manager_of(orbs.client, "ORBPolicyManager");
  CORBA::object_reference<CORBA::PolicyManager> of_thread = manager_of(orbs.client, "PolicyCurrent");
  ~Policies() override { of_thread->set_policy_overrides({}, SetOverrideType::SET_OVERRIDE); }

  // Repeats the call if its time was over before the request was sent, as can happen on a busy machine.
  bool too_slow(const EchoRef& echo, std::uint32_t ms) {
    for (int i = 0; i < 100; ++i) try {
        echo->sleep_ms(ms);
        return false;
      } catch (const CORBA::TIMEOUT& timeout) {
        if (timeout.completed() == CORBA::COMPLETED_MAYBE) return true;
      }
    ADD_FAILURE() << "no request leaves in its time";
    return true;
  }
};

INSTANTIATE_TEST_SUITE_P(EveryMux, Policies,
                         testing::Values("exclusive", "cached", "multiplexed", "multiplexed-active"),
                         [](const auto& tested) {
                           return std::string(tested.param) == "multiplexed-active"
                                      ? "active"
                                      : std::string(tested.param);
                         });

TEST_P(Policies, TheReferencesGoBeforeTheThreadsAndThoseBeforeTheOrbs) {
  EXPECT_FALSE(too_slow(orbs.echo, 60));
  of_orb->set_policy_overrides({round_trip(orbs.client, 20ms)}, SetOverrideType::ADD_OVERRIDE);
  EXPECT_TRUE(too_slow(orbs.echo, 1000));
  of_thread->set_policy_overrides({round_trip(orbs.client, 10s)}, SetOverrideType::ADD_OVERRIDE);
  EXPECT_FALSE(too_slow(orbs.echo, 60));
  const EchoRef hurried = with(orbs.echo, {round_trip(orbs.client, 20ms)});
  EXPECT_TRUE(too_slow(hurried, 1000));
  EXPECT_FALSE(too_slow(orbs.echo, 60)) << "the reference that it was made of has changed";
  of_thread->set_policy_overrides({}, SetOverrideType::SET_OVERRIDE);
  EXPECT_TRUE(too_slow(orbs.echo, 1000)) << "the ORB's";
  of_orb->set_policy_overrides({}, SetOverrideType::SET_OVERRIDE);
  EXPECT_FALSE(too_slow(orbs.echo, 60));
}

TEST_P(Policies, AnOrbsChangeReachesThreadsThatHaveCalledBefore) {
  std::promise<void> called, changed;
  auto outcome = std::async(std::launch::async, [&] {
    orbs.echo->nothing();
    called.set_value();
    changed.get_future().wait();
    return too_slow(orbs.echo, 1000);
  });
  called.get_future().wait();
  of_orb->set_policy_overrides({round_trip(orbs.client, 20ms)}, SetOverrideType::ADD_OVERRIDE);
  changed.set_value();
  EXPECT_TRUE(outcome.get());
}

TEST_P(Policies, EndTimesAreMoments) {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  const TimeBase::TimeT now = 0x01b21dd213814000 + units(since_1970);
  const auto reply_end = Messaging::REPLY_END_TIME_POLICY_TYPE;
  const auto later = policy(orbs.client, reply_end, TimeBase::UtcT(now + units(10s), 0, 0, 0));
  EXPECT_FALSE(too_slow(with(orbs.echo, {later}), 5));
  const auto passed = policy(orbs.client, reply_end, TimeBase::UtcT(now - 1, 0, 0, 0));
  const EchoRef late = with(orbs.echo, {passed});
  EXPECT_THROW(late->nothing(), CORBA::TIMEOUT);
  CORBA::PolicyList inconsistent;
  EXPECT_FALSE(late->_validate_connection(inconsistent));
  ASSERT_EQ(inconsistent.size(), 1u);
  EXPECT_EQ(inconsistent.front(), passed);
}

TEST_P(Policies, ASlowReplyIsNoConcernOfARequestTimeout) {
  const auto soon = policy(orbs.client, Messaging::RELATIVE_REQ_TIMEOUT_POLICY_TYPE, units(200ms));
  EXPECT_FALSE(too_slow(with(orbs.echo, {soon}), 300));
}

TEST_P(Policies, AOnewayWaitsForWhatItsScopeSays) {
  const auto scope = [&](Messaging::SyncScope value) {
    return with(orbs.echo, {policy(orbs.client, Messaging::SYNC_SCOPE_POLICY_TYPE, value)});
  };
  for (const auto value :
       {Messaging::SYNC_NONE, Messaging::SYNC_WITH_TRANSPORT, Messaging::SYNC_WITH_SERVER}) {
    scope(value)->note(100 + value);
    EXPECT_EQ(scope(value)->noted(), 100 + value);
  }
  scope(Messaging::SYNC_WITH_TARGET)->note(7);
  EXPECT_EQ(orbs.servant->noted(), 7) << "it has returned before the upcall";
  orbs.server->shutdown(true);
  EXPECT_THROW(scope(Messaging::SYNC_WITH_TARGET)->note(8), CORBA::SystemException);
}

TEST_P(Policies, ARepeatedCallOfOneBudgetStaysWithinItsTime) {
  const EchoRef echo = with(orbs.echo, {round_trip(orbs.client, 2s)});
  for (int i = 0; i < 200; ++i) EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(orbs.echo->cube(3), 27);
  EXPECT_EQ(echo->cube(3), 27);
}

TEST_P(Policies, AConnectionIsOpenedBeforeItIsNeeded) {
  std::atomic<int> connections{0};
  std::promise<void> connected;
  HostileServer server([&](int fd, int) {
    if (++connections == 1) connected.set_value();
    char octet = 0;
    (void)::recv(fd, &octet, 1, 0);
  });
  const auto object = orbs.client->string_to_object(server.url());
  CORBA::PolicyList inconsistent;
  EXPECT_TRUE(object->_validate_connection(inconsistent));
  EXPECT_TRUE(object->_validate_connection(inconsistent));
  EXPECT_TRUE(inconsistent.empty());
  EXPECT_EQ(connected.get_future().wait_for(10s), std::future_status::ready);
  orbs.client->shutdown(false);
  EXPECT_EQ(connections, 1);
}

TEST_P(Policies, ALostConnectionIsNotOpenedAgainWhereThatIsForbidden) {
  HostileServer server([](int fd, int) {
    char head[12];
    (void)::recv(fd, head, sizeof head, MSG_WAITALL);  // then closes silently
  });
  const auto object =
      with<CORBA::Object>(orbs.client->string_to_object(server.url()),
                          {policy(orbs.client, Messaging::REBIND_POLICY_TYPE, Messaging::NO_RECONNECT)});
  EXPECT_THROW(object->_non_existent(), CORBA::COMM_FAILURE);
  EXPECT_THROW(object->_non_existent(), CORBA::REBIND);
  CORBA::PolicyList inconsistent;
  EXPECT_TRUE(object->_validate_connection(inconsistent));
  EXPECT_THROW(object->_non_existent(), CORBA::COMM_FAILURE);
}

TEST_P(Policies, AForwardIsNotFollowedWhereThatIsForbidden) {
  orbs.server->register_object_key("alias", orbs.client->string_to_object(orbs.ior));
  const std::string endpoint = orbs.server->_published_endpoints().front();
  const auto alias =
      orbs.client->string_to_object("corbaloc::" + endpoint.substr(endpoint.find(' ') + 1) + "/alias");
  EXPECT_THROW(
      with<CORBA::Object>(alias, {policy(orbs.client, Messaging::REBIND_POLICY_TYPE, Messaging::NO_REBIND)})
          ->_non_existent(),
      CORBA::REBIND);
  EXPECT_FALSE(alias->_non_existent());
}

TEST_P(Policies, CreatingAPolicySaysWhatIsWrong) {
  const auto reason = [&](CORBA::PolicyType type, auto value) -> int {
    try {
      policy(orbs.client, type, value);
      return -1;
    } catch (const CORBA::PolicyError& error) {
      return error.reason();
    }
  };
  EXPECT_EQ(reason(Messaging::SYNC_SCOPE_POLICY_TYPE, std::int16_t{4}), CORBA::BAD_POLICY_VALUE);
  EXPECT_EQ(reason(Messaging::SYNC_SCOPE_POLICY_TYPE, std::string("x")), CORBA::BAD_POLICY_TYPE);
  EXPECT_EQ(reason(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, std::uint64_t{0}), CORBA::BAD_POLICY_VALUE);
  EXPECT_EQ(reason(Messaging::REQUEST_PRIORITY_POLICY_TYPE, std::int16_t{4}), CORBA::BAD_POLICY_TYPE);
  EXPECT_EQ(reason(Messaging::REQUEST_PRIORITY_POLICY_TYPE, Messaging::PriorityRange(4, 3)),
            CORBA::BAD_POLICY_VALUE);
  EXPECT_EQ(reason(Messaging::REQUEST_PRIORITY_POLICY_TYPE, Messaging::PriorityRange(-1, 3)),
            CORBA::BAD_POLICY_VALUE);
  EXPECT_EQ(reason(Messaging::REQUEST_PRIORITY_POLICY_TYPE, Messaging::PriorityRange(3, 3)), -1);
  for (const CORBA::PolicyType type : {26, 33, 35})  // for routers and asynchronous replies
    EXPECT_EQ(reason(type, std::int16_t{4}), CORBA::UNSUPPORTED_POLICY);
  EXPECT_EQ(reason(0x12345678, std::int16_t{4}), CORBA::BAD_POLICY);
  EXPECT_EQ(reason(takt::CONNECTION_TIMEOUT_POLICY_TYPE, std::uint64_t{1}), -1);
}

TEST_P(Policies, OverridesAreCheckedAndCanBeRead) {
  const PolicyRef first = round_trip(orbs.client, 1s), second = round_trip(orbs.client, 2s);
  const PolicyRef scope = policy(orbs.client, Messaging::SYNC_SCOPE_POLICY_TYPE, Messaging::SYNC_WITH_TARGET);
  try {
    of_thread->set_policy_overrides({first, second, {}}, SetOverrideType::SET_OVERRIDE);
    ADD_FAILURE();
  } catch (const CORBA::InvalidPolicies& invalid) {
    EXPECT_EQ(invalid.indices(), (std::vector<std::uint16_t>{1, 2}));
  }
  EXPECT_TRUE(of_thread->get_policy_overrides({}).empty());
  of_orb->set_policy_overrides({first}, SetOverrideType::SET_OVERRIDE);
  of_thread->set_policy_overrides({second}, SetOverrideType::SET_OVERRIDE);
  of_thread->set_policy_overrides({scope}, SetOverrideType::ADD_OVERRIDE);
  EXPECT_EQ(of_thread->get_policy_overrides({}).size(), 2u);
  EXPECT_EQ(of_thread->get_policy_overrides({Messaging::SYNC_SCOPE_POLICY_TYPE}), CORBA::PolicyList{scope});
  EXPECT_EQ(orbs.echo->_get_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE), second);
  const EchoRef own = with(orbs.echo, {first});
  EXPECT_EQ(own->_get_client_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE), first);
  EXPECT_EQ(own->_get_policy_overrides({}), CORBA::PolicyList{first});
  EXPECT_FALSE(own->_get_policy(Messaging::REBIND_POLICY_TYPE));
}

}  // namespace
}  // namespace feature
