// Shutdown while calls are under way, and by those calls.
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "gate.h"
#include "orbs.h"

namespace feature {
namespace {

struct Ending : testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, Ending, testing::ValuesIn(server_concurrencies));

// With `reactive`, the thread that waits for the manager is that in run().
TEST_P(Ending, HeldRequestsEndAtOnce) {
  ServerAndClient orbs({"-ORBServerConcurrency", GetParam(), "-ORBHoldTimeout", "10s"});
  orbs.echo->nothing();
  orbs.root->the_POAManager()->hold_requests(false);
  auto held = std::async(std::launch::async, [&] { orbs.echo->nothing(); });
  std::this_thread::sleep_for(100ms);
  orbs.server->shutdown(true);
  EXPECT_THROW(held.get(), CORBA::OBJ_ADAPTER);  // TRANSIENT after the time for held requests
}

TEST_P(Ending, AnUpcallThatDoesNotEndIsLeft) {
  ServerAndClient orbs({"-ORBServerConcurrency", GetParam(), "-ORBShutdownTimeout", "600ms"});
  const auto keeper = CORBA::make_reference<Keeper>();
  const auto kept = orbs.publish<::Calls::Echo>(keeper);
  auto call = std::async(std::launch::async, [&] { kept->nothing(); });
  ASSERT_TRUE(keeper->gate.entered_by(1));
  const auto begun = std::chrono::steady_clock::now();
  orbs.server->shutdown(true);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 1150ms);
  EXPECT_FALSE(keeper->gate.left_by(1));
  EXPECT_THROW(call.get(), CORBA::COMM_FAILURE);
  EXPECT_THROW(kept->nothing(), CORBA::TRANSIENT);  // no listener is left
  keeper->gate.open();
  orbs.run_returns();
}

TEST_P(Ending, WaitsForCallsWithinTheProcess) {
  ServerAndClient orbs({"-ORBServerConcurrency", GetParam()});
  const auto keeper = CORBA::make_reference<Keeper>();
  const auto near =
      IDL::traits<::Calls::Echo>::narrow(orbs.root->id_to_reference(orbs.root->activate_object(keeper)));
  auto call = std::async(std::launch::async, [&] { near->nothing(); });
  ASSERT_TRUE(keeper->gate.entered_by(1));
  auto end = std::async(std::launch::async, [&] { orbs.server->shutdown(true); });
  EXPECT_EQ(end.wait_for(50ms), std::future_status::timeout);
  keeper->gate.open();
  end.get();
  EXPECT_TRUE(keeper->gate.left_by(1));
  call.get();
}

// Calls `act` while an object is incarnated or etherealized.
class Activator final : public virtual PortableServer::ServantActivator {
 public:
  explicit Activator(std::function<void()> act) : act_(std::move(act)) {}
  CORBA::servant_reference<PortableServer::Servant> incarnate(
      const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>) override {
    act_();
    return CORBA::make_reference<EchoServant>();
  }
  void etherealize(const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>,
                   CORBA::servant_reference<PortableServer::Servant>, bool, bool) override {
    act_();
  }

 private:
  const std::function<void()> act_;
};

// Waiting for the end from there would never end.
TEST(ServantManagers, DoNotWaitForThemselves) {
  ServerAndClient orbs;
  const auto id = PortableServer::string_to_ObjectId("object");
  const auto poa = orbs.make_poa(
      {orbs.root->create_request_processing_policy(
           PortableServer::RequestProcessingPolicyValue::USE_SERVANT_MANAGER),
       orbs.root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)});
  int asked = 0;
  poa->set_servant_manager(CORBA::make_reference<Activator>([&] {
    ++asked;
    EXPECT_THROW(orbs.server->shutdown(true), CORBA::BAD_INV_ORDER);
    EXPECT_THROW(orbs.server->destroy(), CORBA::BAD_INV_ORDER);
    EXPECT_THROW(poa->destroy(true, true), CORBA::BAD_INV_ORDER);
    EXPECT_THROW(poa->the_POAManager()->deactivate(false, true), CORBA::BAD_INV_ORDER);
  }));
  const auto object =
      orbs.seen_by_client<::Calls::Echo>(poa->create_reference_with_id(id, "IDL:Calls/Echo:1.0"));
  object->nothing();
  EXPECT_EQ(asked, 1);
  poa->deactivate_object(id);
  EXPECT_EQ(asked, 2);
  object->nothing();
  orbs.server->shutdown(true);
  EXPECT_EQ(asked, 4);
}

}  // namespace
}  // namespace feature
