// Priorities from the calling thread to the servant.
#include <gtest/gtest.h>

#include "probe_servant.h"

namespace real_time {
namespace {

TEST(RtCurrent, HasNoPriorityBeforeItIsSet) {
  const TwoOrbs orbs;
  in_a_thread([&] { EXPECT_THROW(orbs.current->the_priority(), CORBA::INITIALIZE); });
}

TEST(RtCurrent, SettingItSetsTheThreadsPriority) {
  REQUIRE_REAL_TIME();
  const TwoOrbs orbs;
  in_a_thread([&] {
    orbs.current->the_priority(7);
    EXPECT_EQ(orbs.current->the_priority(), 7);
    const auto seen = what_i_run_at(orbs.current);
    EXPECT_TRUE(seen.real_time());
    EXPECT_EQ(seen.native_priority(), 7);
  });
}

TEST(RtCurrent, WhatHasNoNativePriorityIsRefused) {
  const TwoOrbs orbs;
  in_a_thread([&] {
    EXPECT_THROW(orbs.current->the_priority(-1), CORBA::BAD_PARAM);
    try {
      orbs.current->the_priority(100);  // the direct mapping ends at 99
      FAIL();
    } catch (const CORBA::DATA_CONVERSION& failure) {
      EXPECT_EQ(failure.minor(), CORBA::omg_minor(2));
    }
  });
}

TEST(ClientPropagated, TheUpcallRunsAtTheClientsPriority) {
  REQUIRE_REAL_TIME();
  TwoOrbs orbs;
  const auto probe =
      orbs.probe(orbs.make_poa({orbs.rt->create_priority_model_policy(PriorityModel::CLIENT_PROPAGATED, 3)}));
  in_a_thread([&] {
    for (const std::int16_t priority : {12, 5, 30}) {
      orbs.current->the_priority(priority);
      const auto seen = probe->look();
      EXPECT_EQ(seen.corba_priority(), priority);
      EXPECT_EQ(seen.native_priority(), priority);
      EXPECT_TRUE(seen.real_time());
    }
  });
}

TEST(ClientPropagated, ARequestWithoutPriorityRunsAtTheServers) {
  REQUIRE_REAL_TIME();
  TwoOrbs orbs;
  const auto probe =
      orbs.probe(orbs.make_poa({orbs.rt->create_priority_model_policy(PriorityModel::CLIENT_PROPAGATED, 3)}));
  in_a_thread([&] { EXPECT_EQ(probe->look().native_priority(), 3); });
}

TEST(ClientPropagated, TheThreadIsBackAtItsPriorityAfterTheUpcall) {
  REQUIRE_REAL_TIME();
  TwoOrbs orbs;
  const auto propagated =
      orbs.probe(orbs.make_poa({orbs.rt->create_priority_model_policy(PriorityModel::CLIENT_PROPAGATED, 3)}));
  const auto plain = orbs.probe(orbs.root);
  in_a_thread([&] {  // both over one connection, and therefore in one thread of the server
    orbs.current->the_priority(12);
    EXPECT_EQ(propagated->look().native_priority(), 12);
    const auto seen = plain->look();
    EXPECT_EQ(seen.corba_priority(), -1);
    EXPECT_FALSE(seen.real_time());
  });
}

TEST(ClientPropagated, ANestedCallInheritsThePriority) {
  REQUIRE_REAL_TIME();
  TwoOrbs orbs;
  TwoOrbs others;
  const auto policy = orbs.rt->create_priority_model_policy(PriorityModel::CLIENT_PROPAGATED, 3);
  const auto first = orbs.probe(orbs.make_poa({policy}));
  const auto second = others.probe(others.make_poa({policy}));
  in_a_thread([&] {
    orbs.current->the_priority(21);
    const auto seen = first->look_through(IDL::traits<RtTest::Probe>::narrow(
        orbs.client->string_to_object(others.client->object_to_string(second))));
    EXPECT_EQ(seen.corba_priority(), 21);
    EXPECT_EQ(seen.native_priority(), 21);
  });
}

// Notes the thread in which it forwards.
class Forwarder final : public virtual PortableServer::ServantLocator {
 public:
  Forwarder(const Orb& orb, const ProbeRef& target)
      : current_(initial<RTCORBA::Current>(orb, "RTCurrent")), target_(target) {}
  CORBA::servant_reference<PortableServer::Servant> preinvoke(
      const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>, const std::string&,
      PortableServer::ServantLocator::Cookie&) override {
    seen = own_priority(current_);
    throw PortableServer::ForwardRequest(target_);
  }
  void postinvoke(const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>,
                  const std::string&, PortableServer::ServantLocator::Cookie,
                  CORBA::servant_reference<PortableServer::Servant>) override {}

  OwnPriority seen;

 private:
  const CORBA::object_reference<RTCORBA::Current> current_;
  const ProbeRef target_;
};

// From the caller's thread to a lane of the first server, and from there to one of the second.
TEST(ClientPropagated, AForwardedCallKeepsItsPriorityAndItsLane) {
  REQUIRE_REAL_TIME();
  for (const char* connections : {"exclusive", "cached", "multiplexed", "multiplexed-active"}) {
    SCOPED_TRACE(connections);
    TwoOrbs orbs({"-ORBClientConnections", connections}), others;
    const auto with_lanes = [](const TwoOrbs& pair) -> CORBA::PolicyList {
      return {pair.rt->create_threadpool_policy(pair.lanes({{10, 1, 0}, {40, 1, 0}})),
              pair.rt->create_priority_model_policy(PriorityModel::CLIENT_PROPAGATED, 10)};
    };
    const auto target = others.probe(others.make_poa(with_lanes(others)));
    const auto forwarder = CORBA::make_reference<Forwarder>(
        orbs.server, IDL::traits<RtTest::Probe>::narrow(
                         orbs.server->string_to_object(others.client->object_to_string(target))));
    CORBA::PolicyList policies = with_lanes(orbs);
    policies.push_back(orbs.root->create_request_processing_policy(
        PortableServer::RequestProcessingPolicyValue::USE_SERVANT_MANAGER));
    policies.push_back(
        orbs.root->create_servant_retention_policy(PortableServer::ServantRetentionPolicyValue::NON_RETAIN));
    const auto poa = orbs.make_poa(policies);
    poa->set_servant_manager(forwarder);
    for (const std::int16_t priority : {40, 25, 10, 99, 5}) {
      // A new reference, because references remember where their calls have been forwarded.
      const auto probe = orbs.to_client(poa->create_reference("IDL:RtTest/Probe:1.0"));
      in_a_thread([&] {
        orbs.current->the_priority(priority);
        const auto seen = probe->look();
        const std::string lane = priority >= 40 ? "takt-lane-40" : "takt-lane-10";
        EXPECT_EQ(forwarder->seen.native, priority);
        EXPECT_EQ(forwarder->seen.thread, lane);
        EXPECT_EQ(seen.corba_priority(), priority);
        EXPECT_EQ(seen.native_priority(), priority);
        EXPECT_EQ(seen.thread(), lane);
      });
    }
  }
}

TEST(ServerDeclared, TheUpcallRunsAtTheServersPriority) {
  REQUIRE_REAL_TIME();
  TwoOrbs orbs;
  const auto probe =
      orbs.probe(orbs.make_poa({orbs.rt->create_priority_model_policy(PriorityModel::SERVER_DECLARED, 8)}));
  in_a_thread([&] {
    orbs.current->the_priority(30);
    const auto seen = probe->look();
    EXPECT_EQ(seen.corba_priority(), 8);
    EXPECT_EQ(seen.native_priority(), 8);
  });
}

TEST(ServerDeclared, AnObjectMayHaveAPriorityOfItsOwn) {
  REQUIRE_REAL_TIME();
  TwoOrbs orbs;
  const auto poa = orbs.make_poa({orbs.rt->create_priority_model_policy(PriorityModel::SERVER_DECLARED, 8)});
  const auto id = poa->activate_object_with_priority(CORBA::make_reference<ProbeServant>(orbs.server), 17);
  const auto probe = orbs.to_client(poa->id_to_reference(id));
  in_a_thread([&] { EXPECT_EQ(probe->look().native_priority(), 17); });
}

// It may be in the place of one with a priority.
TEST(ServerDeclared, AnObjectThatIsIncarnatedHasNoPriorityOfItsOwn) {
  REQUIRE_REAL_TIME();
  using namespace PortableServer;
  struct Activator final : ServantActivator {
    explicit Activator(const Orb& of) : orb(of) {}
    CORBA::servant_reference<Servant> incarnate(const ObjectId&, CORBA::object_reference<POA>) override {
      return CORBA::make_reference<ProbeServant>(orb);
    }
    void etherealize(const ObjectId&, CORBA::object_reference<POA>, CORBA::servant_reference<Servant>, bool,
                     bool) override {}
    const Orb orb;
  };
  TwoOrbs orbs;
  const auto before =
      orbs.make_poa({orbs.rt->create_priority_model_policy(PriorityModel::SERVER_DECLARED, 8)});
  before->deactivate_object(
      before->activate_object_with_priority(CORBA::make_reference<ProbeServant>(orbs.server), 17));
  const auto poa = orbs.root->create_POA(
      "incarnating", orbs.root->the_POAManager(),
      {orbs.rt->create_priority_model_policy(PriorityModel::SERVER_DECLARED, 9),
       orbs.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID),
       orbs.root->create_request_processing_policy(RequestProcessingPolicyValue::USE_SERVANT_MANAGER)});
  poa->set_servant_manager(CORBA::make_reference<Activator>(orbs.server));
  const auto probe =
      orbs.to_client(poa->create_reference_with_id(string_to_ObjectId("it"), "IDL:RtTest/Probe:1.0"));
  in_a_thread([&] { EXPECT_EQ(probe->look().native_priority(), 9); });
}

TEST(ServerDeclared, ACollocatedCallRunsAtTheServersPriorityToo) {
  REQUIRE_REAL_TIME();
  TwoOrbs orbs;
  const auto poa = orbs.make_poa({orbs.rt->create_priority_model_policy(PriorityModel::SERVER_DECLARED, 8)});
  const auto probe = IDL::traits<RtTest::Probe>::narrow(
      poa->id_to_reference(poa->activate_object(CORBA::make_reference<ProbeServant>(orbs.server))));
  in_a_thread([&] {
    EXPECT_EQ(probe->look().native_priority(), 8);
    EXPECT_FALSE(what_i_run_at(orbs.current).real_time());
  });
}

// Sets the calling thread's priority as the program itself does.
void run_in_fifo(int native) {
  sched_param parameters{};
  parameters.sched_priority = native;
  ASSERT_EQ(::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &parameters), 0);
}

struct Collocated {
  explicit Collocated(PriorityModel model)
      : poa(orbs.make_poa({orbs.rt->create_priority_model_policy(model, 3)})),
        probe(IDL::traits<RtTest::Probe>::narrow(
            poa->id_to_reference(poa->activate_object(CORBA::make_reference<ProbeServant>(orbs.server))))) {}
  TwoOrbs orbs;
  CORBA::object_reference<PortableServer::POA> poa;
  ProbeRef probe;
};

TEST(CollocatedCalls, LeaveAThreadThePriorityThatTheProgramHasGivenIt) {
  REQUIRE_REAL_TIME();
  const Collocated local(PriorityModel::SERVER_DECLARED);
  in_a_thread([&] {
    for (const int native : {50, 40}) {
      run_in_fifo(native);
      EXPECT_EQ(local.probe->look().native_priority(), 3);
      const auto after = what_i_run_at(local.orbs.current);
      EXPECT_EQ(after.native_priority(), native);
      EXPECT_TRUE(after.real_time());
      EXPECT_EQ(after.corba_priority(), -1);
    }
  });
}

TEST(CollocatedCalls, LeaveAThreadThePriorityThatItHasInherited) {
  REQUIRE_REAL_TIME();
  const Collocated local(PriorityModel::CLIENT_PROPAGATED);
  in_a_thread([&] {
    local.orbs.current->the_priority(60);
    in_a_thread([&] {  // it has the native priority, but none of CORBA
      EXPECT_EQ(local.probe->look().native_priority(), 3);
      EXPECT_EQ(what_i_run_at(local.orbs.current).native_priority(), 60);
    });
  });
}

}  // namespace
}  // namespace real_time
