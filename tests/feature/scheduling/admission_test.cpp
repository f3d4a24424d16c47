// A client asks a server for a place in its schedule.
#include "scheduling/service/admission_servant.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <takt/corba.h>

#include <atomic>

#include "../../eventually.h"
#include "../make_orb.h"
#include "scheduling/service/admitted_client.h"

namespace feature {
namespace admission_test {

using namespace std::chrono_literals;
using namespace RT_Scheduler;
using takt::scheduling::AdmissionServant;
using takt::scheduling::Declaration;
using takt::scheduling::LiveSchedule;
using takt::test::eventually;

constexpr std::uint64_t ms = 10'000;  // in units of 100 ns

Declaration own(const std::string& name, std::chrono::nanoseconds wcet, std::chrono::nanoseconds period,
                std::chrono::nanoseconds deadline) {
  Declaration made;
  made.name = name;
  made.needs.worstcase_execution_time = wcet;
  made.needs.period = period;
  made.needs.deadline = deadline;
  for (const char* key : {"wcet", "period", "deadline"}) made.note(key);
  return made;
}

Operation_Needs needs(const std::string& name, std::uint64_t wcet, std::uint64_t period,
                      Named_Call_Set calls = {}) {
  return {name, wcet, period, Importance::MEDIUM_IMPORTANCE, Criticality::MEDIUM_CRITICALITY, {}, calls};
}

class AdmissionByClients : public testing::Test {
 protected:
  explicit AdmissionByClients(std::chrono::nanoseconds lease = {})
      : server_(make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBPriorityMapping", "direct"},
                         "admission-server")),
        client_(make_orb({"-ORBRoundTripTimeout", "10s"}, "admission-client")),
        scheduler(IDL::traits<takt::rt::RunTimeScheduler>::narrow(
            server_->resolve_initial_references("RunTimeScheduler"))),
        schedule_(takt::scheduling::target_of(scheduler),
                  {.maximum_priority = 40, .most_clients = 3, .lease = lease}) {
    EXPECT_TRUE(schedule_.begin({own("fast", 2ms, 10ms, 10ms), own("slow", 10ms, 50ms, 20ms)}));
    const auto root =
        IDL::traits<PortableServer::POA>::narrow(server_->resolve_initial_references("RootPOA"));
    root->the_POAManager()->activate();
    const auto object =
        root->id_to_reference(root->activate_object(CORBA::make_reference<AdmissionServant>(schedule_)));
    admission = IDL::traits<Admission>::narrow(client_->string_to_object(server_->object_to_string(object)));
  }
  ~AdmissionByClients() override {
    admission.reset();
    client_->destroy();
    server_->destroy();
  }
  Client_Id admit(Operation_Needs_Set operations) { return admission->admit("test", operations, priorities); }

 private:
  Orb server_, client_;

 protected:
  CORBA::object_reference<takt::rt::RunTimeScheduler> scheduler;
  Assigned_Priority_Set priorities;
  IDL::traits<Admission>::ref_type admission;

 private:
  LiveSchedule schedule_;
};

TEST_F(AdmissionByClients, AnAdmittedOperationIsInTheServersScheduleUntilItIsReleased) {
  const auto id = admit({needs("RT_Scheduler::Admission::_get_clients", 1 * ms, 100 * ms)});
  ASSERT_EQ(priorities.size(), 1u);
  EXPECT_EQ(priorities[0].entry_point_(), "RT_Scheduler::Admission::_get_clients");
  EXPECT_LT(priorities[0].priority_(), 14) << "its rate is the lowest";
  EXPECT_GE(priorities[0].priority_(), 1);
  EXPECT_EQ(admission->clients(), 1);
  EXPECT_EQ(scheduler->statistics("RT_Scheduler::Admission::_get_clients").begun, 1u);
  admission->release(id);
  EXPECT_EQ(admission->clients(), 0);
  EXPECT_EQ(scheduler->statistics().size(), 2u);
  EXPECT_EQ(scheduler->changes(), 2u);
  EXPECT_THROW(admission->release(id), UNKNOWN_CLIENT);
}

TEST_F(AdmissionByClients, ARefusalNamesTheOperationAndTheTime) {
  try {
    admit({needs("frame", 6 * ms, 15 * ms)});
    FAIL() << "there is no time for it";
  } catch (const NOT_ADMITTED& refused) {
    EXPECT_EQ(refused.entry_point_(), "slow");
    EXPECT_EQ(refused.over(), 8 * ms);
    EXPECT_NE(refused.reason().find("takes up to 28 ms"), std::string::npos) << refused.reason();
  }
  EXPECT_EQ(scheduler->changes(), 0u);
}

TEST_F(AdmissionByClients, WhatCannotBeIsRefused) {
  EXPECT_THROW(admit({needs("", 1, 10 * ms)}), BAD_REQUIREMENTS);
  EXPECT_THROW(admit({needs("fast", 1, 10 * ms)}), BAD_REQUIREMENTS) << "the server's own";
  EXPECT_THROW(admit({needs("a", 1, 0)}), BAD_REQUIREMENTS) << "it has no rate";
  EXPECT_THROW(admit({needs("a", ~0ull, ~0ull)}), BAD_REQUIREMENTS);
  EXPECT_THROW(admit({needs("a", 1, 10 * ms, {{"b", 1, Dependency_Type::TWO_WAY_CALL}})}), BAD_REQUIREMENTS);
  EXPECT_THROW(admit({needs("a", 1, 10 * ms, {{"fast", -1, Dependency_Type::TWO_WAY_CALL}})}),
               BAD_REQUIREMENTS);
  EXPECT_THROW(admit({needs("a", 1, 10 * ms, {{"a", 1, Dependency_Type::TWO_WAY_CALL}})}), BAD_REQUIREMENTS);
  EXPECT_EQ(admission->clients(), 0);
  for (const char* name : {"a", "b", "c"}) admit({needs(name, 1, 100 * ms)});
  try {
    admit({needs("d", 1, 100 * ms)});
    FAIL() << "it is one client too many";
  } catch (const NOT_ADMITTED& refused) {
    EXPECT_EQ(refused.entry_point_(), "");
    EXPECT_EQ(refused.over(), 0u);
  }
}

TEST_F(AdmissionByClients, WhomOthersCallStays) {
  const auto callee = admit({needs("callee", 1, 0 * ms),
                             needs("caller", 1, 100 * ms, {{"callee", 2, Dependency_Type::TWO_WAY_CALL}})});
  const auto other = admit({needs("other", 0, 200 * ms, {{"callee", 1, Dependency_Type::TWO_WAY_CALL}})});
  EXPECT_THROW(admission->release(callee), BAD_REQUIREMENTS);
  EXPECT_EQ(admission->clients(), 2);
  admission->release(other);
  admission->release(callee);
  EXPECT_EQ(admission->clients(), 0);
}

class AdmissionWithLeases : public AdmissionByClients {
 protected:
  AdmissionWithLeases() : AdmissionByClients(1500ms) {}
  static constexpr const char* asked = "RT_Scheduler::Admission::_get_clients";
};

TEST_F(AdmissionByClients, ThereAreNoLeasesUnlessTheServerHasThem) {
  EXPECT_EQ(admission->lease(), 0u);
  const auto id = admit({needs("a", 1, 100 * ms)});
  admission->renew(id);
  EXPECT_EQ(admission->clients(), 1);
}

TEST_F(AdmissionWithLeases, AClientThatEndsWithoutAWordIsReleased) {
  EXPECT_EQ(admission->lease(), 1500 * ms);
  const auto id = admit({needs(asked, 1 * ms, 100 * ms)});
  EXPECT_TRUE(eventually([&] { return admission->clients() == 0; }));
  EXPECT_EQ(scheduler->statistics().size(), 2u);
  EXPECT_THROW(admission->renew(id), UNKNOWN_CLIENT);
}

TEST_F(AdmissionWithLeases, AnAdmittedClientStaysAsLongAsItsObject) {
  std::atomic<bool> lost{false};
  {
    const takt::scheduling::AdmittedClient client(admission, "alive", {needs(asked, 1 * ms, 100 * ms)},
                                                  [&](const std::string&) { lost = true; });
    EXPECT_EQ(client.priorities().size(), 1u);
    admit({needs("a", 1, 100 * ms)});
    EXPECT_TRUE(eventually([&] { return admission->clients() == 1; })) << "the other one has not renewed";
    EXPECT_EQ(scheduler->statistics().size(), 3u);
  }
  EXPECT_EQ(admission->clients(), 0);
  EXPECT_FALSE(lost);
}

// No thread can have so large a stack.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    pthread_getattr_default_np(&usual_);
    pthread_attr_t huge;
    pthread_attr_init(&huge);
    pthread_attr_setstacksize(&huge, std::size_t{1} << 46);
    pthread_setattr_default_np(&huge);
    pthread_attr_destroy(&huge);
  }
  ~NoMoreThreads() {
    pthread_setattr_default_np(&usual_);
    pthread_attr_destroy(&usual_);
  }
  NoMoreThreads(const NoMoreThreads&) = delete;
  NoMoreThreads& operator=(const NoMoreThreads&) = delete;

 private:
  pthread_attr_t usual_{};
};

TEST_F(AdmissionWithLeases, AnAdmittedClientThatCannotRenewGivesItsPlaceBack) {
  EXPECT_EQ(admission->clients(), 0);  // makes the connection and its threads
  {
    const NoMoreThreads none;
    EXPECT_THROW(takt::scheduling::AdmittedClient(admission, "mute", {needs(asked, 1 * ms, 100 * ms)}),
                 CORBA::NO_RESOURCES);
  }
  EXPECT_EQ(admission->clients(), 0);
}

TEST_F(AdmissionWithLeases, AnAdmittedClientIsToldThatItsPlaceIsLost) {
  std::atomic<int> lost{0};
  const takt::scheduling::AdmittedClient client(
      admission, "unlucky", {needs("a", 1 * ms, 100 * ms)}, [&](const std::string& why) {
        EXPECT_NE(why.find("has run out"), std::string::npos) << why;
        ++lost;
      });
  admission->release(client.id());
  EXPECT_TRUE(eventually([&] { return lost == 1; }));
}

}  // namespace admission_test
}  // namespace feature
