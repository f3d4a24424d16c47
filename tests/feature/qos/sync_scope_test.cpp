// Oneways with SYNC_WITH_SERVER: the reply leaves when the servant has been found, before the upcall.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <future>
#include <string>
#include <type_traits>
#include <utility>

#include <takt/reference/messaging.h>

#include "../../eventually.h"
#include "orbs.h"

namespace feature {
namespace {

using Manager = std::function<CORBA::servant_reference<PortableServer::Servant>()>;

class Activator final : public virtual PortableServer::ServantActivator {
 public:
  explicit Activator(Manager incarnates) : incarnates_(std::move(incarnates)) {}
  CORBA::servant_reference<PortableServer::Servant> incarnate(
      const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>) override {
    return incarnates_();
  }
  void etherealize(const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>,
                   CORBA::servant_reference<PortableServer::Servant>, bool, bool) override {}

 private:
  const Manager incarnates_;
};

class Locator final : public virtual PortableServer::ServantLocator {
 public:
  explicit Locator(Manager locates) : locates_(std::move(locates)) {}
  CORBA::servant_reference<PortableServer::Servant> preinvoke(const PortableServer::ObjectId&,
                                                              CORBA::object_reference<PortableServer::POA>,
                                                              const std::string&, Cookie&) override {
    return locates_();
  }
  void postinvoke(const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>,
                  const std::string&, Cookie, CORBA::servant_reference<PortableServer::Servant>) override {}

 private:
  const Manager locates_;
};

// note() waits until the test lets it go on.
class Waiting final : public EchoServant {
 public:
  void note(std::int32_t value) override {
    go_on.get_future().wait();
    EchoServant::note(value);
    done.set_value();
  }
  std::promise<void> go_on, done;
};

class SyncWithServer : public testing::TestWithParam<const char*> {
 protected:
  EchoRef confirmed(const EchoRef& echo) const {
    CORBA::Any scope;
    scope <<= Messaging::SYNC_WITH_SERVER;
    return IDL::traits<Calls::Echo>::narrow(
        echo->_set_policy_overrides({orbs.client->create_policy(Messaging::SYNC_SCOPE_POLICY_TYPE, scope)},
                                    CORBA::SetOverrideType::SET_OVERRIDE));
  }
  // An object of an adapter whose servant manager is `manager`.
  template <class ServantManager>
  EchoRef managed(Manager manager) const {
    const bool retain = std::is_same_v<ServantManager, Activator>;
    const Poa poa = orbs.make_poa({orbs.root->create_request_processing_policy(
                                       PortableServer::RequestProcessingPolicyValue::USE_SERVANT_MANAGER),
                                   orbs.root->create_servant_retention_policy(
                                       retain ? PortableServer::ServantRetentionPolicyValue::RETAIN
                                              : PortableServer::ServantRetentionPolicyValue::NON_RETAIN)});
    poa->set_servant_manager(CORBA::make_reference<ServantManager>(std::move(manager)));
    return confirmed(orbs.seen_by_client<Calls::Echo>(poa->create_reference("IDL:Calls/Echo:1.0")));
  }
  template <class Exception>
  void expect_both_managers_to_throw(const Exception& thrown) {
    const Manager throws = [&]() -> CORBA::servant_reference<PortableServer::Servant> { throw thrown; };
    EXPECT_THROW(managed<Activator>(throws)->note(1), Exception);
    EXPECT_THROW(managed<Locator>(throws)->note(1), Exception);
  }

  ServerAndClient orbs{{"-ORBServerConcurrency", GetParam()}};
};

// Without a queue, whose reader confirms the requests that it has put there.
class SyncWithServerAtOnce : public SyncWithServer {};

std::string name_of(const testing::TestParamInfo<const char*>& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(EveryConcurrency, SyncWithServer, testing::ValuesIn(server_concurrencies), name_of);
INSTANTIATE_TEST_SUITE_P(WithoutQueue, SyncWithServerAtOnce,
                         testing::Values("thread-per-connection", "reactive", "leader-followers"), name_of);

TEST_P(SyncWithServer, DeactivatedObjectsDoNotExist) {
  const auto servant = CORBA::make_reference<EchoServant>();
  const auto id = orbs.root->activate_object(servant);
  const EchoRef echo = confirmed(orbs.seen_by_client<Calls::Echo>(orbs.root->id_to_reference(id)));
  echo->note(5);
  EXPECT_TRUE(takt::test::eventually([&] { return echo->noted() == 5; }))
      << "it was confirmed before its upcall";
  orbs.root->deactivate_object(id);
  EXPECT_THROW(echo->note(6), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(echo->note(6), CORBA::OBJECT_NOT_EXIST) << "the connection went on";
  EXPECT_EQ(servant->noted(), 5);
}

TEST_P(SyncWithServer, AdaptersThatAreGoneAreTold) {
  const Poa poa = orbs.make_poa({});
  const EchoRef echo = confirmed(orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>(), poa));
  poa->destroy(true, true);
  EXPECT_THROW(echo->note(1), CORBA::OBJECT_NOT_EXIST);
}

TEST_P(SyncWithServer, TheCallerDoesNotWaitForTheUpcall) {
  const auto servant = CORBA::make_reference<Waiting>();
  const EchoRef echo = confirmed(orbs.publish<Calls::Echo>(servant));
  echo->note(7);  // would wait for ever
  EXPECT_EQ(servant->noted(), 0);
  servant->go_on.set_value();
  servant->done.get_future().wait();
  EXPECT_EQ(servant->noted(), 7);
}

TEST_P(SyncWithServerAtOnce, TheReplyLeavesAfterTheServantManager) {
  std::atomic<int> asked{0};
  const Manager finds = [&]() -> CORBA::servant_reference<PortableServer::Servant> {
    ++asked;
    return CORBA::make_reference<EchoServant>();
  };
  managed<Activator>(finds)->note(1);
  EXPECT_EQ(asked, 1);
  managed<Locator>(finds)->note(1);
  EXPECT_EQ(asked, 2);
}

TEST_P(SyncWithServerAtOnce, ExceptionsOfServantManagersReachTheCaller) {
  expect_both_managers_to_throw(CORBA::NO_PERMISSION());
  expect_both_managers_to_throw(CORBA::OBJECT_NOT_EXIST());
}

TEST_P(SyncWithServerAtOnce, ForwardsOfServantManagersAreFollowed) {
  const auto elsewhere =
      orbs.root->id_to_reference(orbs.root->activate_object(CORBA::make_reference<EchoServant>()));
  const Manager forwards = [&]() -> CORBA::servant_reference<PortableServer::Servant> {
    throw PortableServer::ForwardRequest(elsewhere);
  };
  const EchoRef there = orbs.seen_by_client<Calls::Echo>(elsewhere);
  managed<Activator>(forwards)->note(11);
  EXPECT_EQ(there->noted(), 11);
  managed<Locator>(forwards)->note(12);
  EXPECT_EQ(there->noted(), 12);
}

TEST_P(SyncWithServer, ExceptionsOfServantsDoNotReachTheCaller) {
  class Throwing final : public EchoServant {
    void note(std::int32_t) override { throw CORBA::NO_PERMISSION(); }
  };
  const EchoRef echo = confirmed(orbs.publish<Calls::Echo>(CORBA::make_reference<Throwing>()));
  for (int i = 0; i < 3; ++i) EXPECT_NO_THROW(echo->note(i));
  EXPECT_EQ(echo->cube(3), 27) << "the replies are still matched to their requests";
}

}  // namespace
}  // namespace feature
