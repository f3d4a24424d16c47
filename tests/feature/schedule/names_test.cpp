// Finding the operation of the schedule that a request is for.
#include "flight.h"

namespace flight {
namespace names_test {

// How often each operation of the schedule has begun.
std::vector<std::uint64_t> begun(const ScheduledOrbs& orbs) {
  std::vector<std::uint64_t> counts;
  for (const auto& one : orbs.scheduler->statistics()) counts.push_back(one.begun);
  return counts;
}
using Counts = std::vector<std::uint64_t>;

TEST(ScheduleNames, TheLongestNameThatFitsCounts) {
  ScheduledOrbs orbs(
      {{.name = "look"}, {.name = "Unit::look"}, {.name = "Flight::Unit::look"}, {.name = "spin"}});
  const auto unit = orbs.unit();
  unit->look();
  unit->spin(1);
  EXPECT_EQ(begun(orbs), (Counts{0, 0, 1, 1}));
}

TEST(ScheduleNames, OuterModulesMayBeLeftOutButNotPartsOfThem) {
  ScheduledOrbs orbs({{.name = "Unit::look"}, {.name = "nit::look"}, {.name = "Other::Unit::look"}});
  orbs.unit()->look();
  EXPECT_EQ(begun(orbs), (Counts{1, 0, 0}));
}

TEST(ScheduleNames, AFullNameHoldsForInterfacesThatInheritTheOperationUnlessTheyHaveTheirOwn) {
  ScheduledOrbs orbs({{.name = "Flight::Unit::look"},
                      {.name = "Flight::Unit::spin"},
                      {.name = "Wing::spin"},
                      {.name = "Flight::Wing::trim"}});
  const auto wing = orbs.wing();
  const auto unit = orbs.unit();
  wing->look();
  wing->spin(1);
  wing->trim();
  unit->spin(1);
  EXPECT_EQ(begun(orbs), (Counts{1, 1, 1, 1}));
}

TEST(ScheduleNames, OperationsThatAreNotInTheScheduleAreServedAsWithout) {
  ScheduledOrbs orbs({{.name = "Flight::Wing::look"}});
  const auto unit = orbs.unit();
  EXPECT_EQ(unit->look().corba_priority(), -1);
  EXPECT_TRUE(unit->_is_a("IDL:Flight/Unit:1.0"));
  EXPECT_EQ(begun(orbs), (Counts{0}));
}

TEST(ScheduleNames, ADefaultServantsOperationsAreKnownByItsInterface) {
  ScheduledOrbs orbs({{.name = "look"}, {.name = "Flight::Unit::look"}});
  const auto poa = orbs.root->create_POA(
      "default", orbs.root->the_POAManager(),
      {orbs.root->create_request_processing_policy(
           PortableServer::RequestProcessingPolicyValue::USE_DEFAULT_SERVANT),
       orbs.root->create_id_uniqueness_policy(PortableServer::IdUniquenessPolicyValue::MULTIPLE_ID),
       orbs.root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)});
  poa->set_servant(CORBA::make_reference<UnitServant>(orbs.server));
  const auto reference =
      poa->create_reference_with_id(PortableServer::string_to_ObjectId("any"), "IDL:Flight/Unit:1.0");
  const auto unit = IDL::traits<Flight::Unit>::narrow(
      orbs.client->string_to_object(orbs.server->object_to_string(reference)));
  unit->look();
  EXPECT_EQ(begun(orbs), (Counts{0, 1}));
  poa->set_servant(CORBA::make_reference<WingServant>(orbs.server));
  unit->look();
  EXPECT_EQ(begun(orbs), (Counts{0, 2})) << "a Wing inherits the operation";
}

class UnitLocator final : public virtual PortableServer::ServantLocator {
 public:
  explicit UnitLocator(const Orb& orb) : unit_(CORBA::make_reference<UnitServant>(orb)) {}
  CORBA::servant_reference<PortableServer::Servant> preinvoke(
      const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>, const std::string&,
      PortableServer::ServantLocator::Cookie&) override {
    return unit_;
  }
  void postinvoke(const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>,
                  const std::string&, PortableServer::ServantLocator::Cookie,
                  CORBA::servant_reference<PortableServer::Servant>) override {}

 private:
  const CORBA::servant_reference<UnitServant> unit_;
};

TEST(ScheduleNames, ALocatorsOperationsAreKnownByTheirNamesAlone) {
  ScheduledOrbs orbs({{.name = "look"}, {.name = "Flight::Unit::look"}});
  const auto poa = orbs.root->create_POA(
      "located", orbs.root->the_POAManager(),
      {orbs.root->create_request_processing_policy(
           PortableServer::RequestProcessingPolicyValue::USE_SERVANT_MANAGER),
       orbs.root->create_servant_retention_policy(PortableServer::ServantRetentionPolicyValue::NON_RETAIN),
       orbs.root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)});
  poa->set_servant_manager(CORBA::make_reference<UnitLocator>(orbs.server));
  const auto reference =
      poa->create_reference_with_id(PortableServer::string_to_ObjectId("any"), "IDL:Flight/Unit:1.0");
  IDL::traits<Flight::Unit>::narrow(orbs.client->string_to_object(orbs.server->object_to_string(reference)))
      ->look();
  EXPECT_EQ(begun(orbs), (Counts{1, 0}));
}

TEST(ScheduleNames, AnObjectsPlaceMayBeTakenByOneOfAnotherInterface) {
  ScheduledOrbs orbs({{.name = "Flight::Unit::look"}, {.name = "Flight::Wing::look"}});
  for (int i = 0; i < 5; ++i) {
    const auto unit_id = orbs.root->activate_object(CORBA::make_reference<UnitServant>(orbs.server));
    IDL::traits<Flight::Unit>::narrow(
        orbs.client->string_to_object(orbs.server->object_to_string(orbs.root->id_to_reference(unit_id))))
        ->look();
    orbs.root->deactivate_object(unit_id);
    const auto wing_id = orbs.root->activate_object(CORBA::make_reference<WingServant>(orbs.server));
    IDL::traits<Flight::Wing>::narrow(
        orbs.client->string_to_object(orbs.server->object_to_string(orbs.root->id_to_reference(wing_id))))
        ->look();
    orbs.root->deactivate_object(wing_id);
  }
  EXPECT_EQ(begun(orbs), (Counts{5, 5}));
}

TEST(ScheduleNames, AThousandOperationsAreToldApart) {
  std::vector<ScheduledOperation> many;
  for (int i = 0; i < 1000; ++i) many.push_back({.name = "Flight::Unit::operation" + std::to_string(i)});
  many.push_back({.name = "Flight::Unit::look"});
  ScheduledOrbs orbs(many);
  const auto unit = orbs.unit();
  for (int i = 0; i < 10; ++i) unit->look();
  EXPECT_EQ(orbs.of("Flight::Unit::look").begun, 10u);
}

TEST(ScheduleNames, EveryWayToServeFindsTheOperation) {
  for (const char* way :
       {"thread-per-connection", "leader-followers", "worker-pool", "threading-framework"}) {
    SCOPED_TRACE(way);
    ScheduledOrbs orbs({{.name = "Flight::Unit::look"}}, {"-ORBServerConcurrency", way});
    const auto unit = orbs.unit();
    for (int i = 0; i < 3; ++i) unit->look();
    EXPECT_EQ(begun(orbs), (Counts{3}));
  }
}

}  // namespace names_test
}  // namespace flight
