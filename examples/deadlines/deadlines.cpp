// Timeouts and deadlines (docs/user/qos.md): a server and its client in one program, connected by a socket.
#include <chrono>
#include <iostream>
#include <thread>

#include <takt/corba.h>
#include <takt/reference/messaging.h>
#include <takt/reference/quality.h>

#include "deadlinesS.h"

namespace {

class Thermometer final : public CORBA::servant_traits<Demo::Sensor>::base_type {
 public:
  double read(std::uint32_t milliseconds) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    return 21.5;
  }
  std::int32_t time_left() override {
    const takt::Quality* quality = takt::present_quality();
    if (!quality || quality->deadline == takt::Quality::no_deadline) return -1;
    const auto left = quality->deadline - takt::Quality::Clock::now();
    return static_cast<std::int32_t>(std::chrono::duration_cast<std::chrono::milliseconds>(left).count());
  }
};

using SensorRef = IDL::traits<Demo::Sensor>::ref_type;
using OrbRef = IDL::traits<CORBA::ORB>::ref_type;

void call_slow_read(const char* how, const SensorRef& sensor) {
  try {
    sensor->read(300);
    std::cout << how << ": read\n";
  } catch (const CORBA::TIMEOUT&) {
    std::cout << how << ": timeout\n";
  }
}

void use(const OrbRef& orb, const SensorRef& sensor) {
  CORBA::PolicyList inconsistent;
  std::cout << "connected: " << sensor->_validate_connection(inconsistent) << '\n';
  call_slow_read("no limit", sensor);

  const auto tenth =
      CORBA::make_reference<Messaging::RelativeRoundtripTimeoutPolicy>(1'000'000);  // in units of 100 ns
  const auto hurried = IDL::traits<Demo::Sensor>::narrow(
      sensor->_set_policy_overrides({tenth}, CORBA::SetOverrideType::ADD_OVERRIDE));
  call_slow_read("reference", hurried);

  const auto thread =
      IDL::traits<CORBA::PolicyCurrent>::narrow(orb->resolve_initial_references("PolicyCurrent"));
  thread->set_policy_overrides({tenth}, CORBA::SetOverrideType::SET_OVERRIDE);
  call_slow_read("thread", sensor);
  thread->set_policy_overrides({}, CORBA::SetOverrideType::SET_OVERRIDE);

  const auto all =
      IDL::traits<CORBA::PolicyManager>::narrow(orb->resolve_initial_references("ORBPolicyManager"));
  all->set_policy_overrides({tenth}, CORBA::SetOverrideType::ADD_OVERRIDE);
  call_slow_read("ORB", sensor);
  all->set_policy_overrides({}, CORBA::SetOverrideType::SET_OVERRIDE);

  std::cout << "known to the server: " << sensor->time_left();
  const takt::DeadlineScope in_time(std::chrono::seconds(10));
  const auto left = sensor->time_left();
  std::cout << ", and in a scope " << (left > 0 && left <= 10'000 ? "what is left" : "nonsense") << '\n';
}

}  // namespace

int main(int argc, char* argv[]) {
  const auto server = CORBA::ORB_init(argc, argv, "server");
  int none = 0;
  const auto client = CORBA::ORB_init(none, nullptr, "client");
  const auto poa = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
  poa->the_POAManager()->activate();
  const auto reference = poa->id_to_reference(poa->activate_object(CORBA::make_reference<Thermometer>()));
  use(client,
      IDL::traits<Demo::Sensor>::narrow(client->string_to_object(server->object_to_string(reference))));
  client->destroy();
  server->destroy();
}
