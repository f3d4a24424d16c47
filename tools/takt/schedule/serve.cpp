// takt schedule serve: runs the Scheduling Service.
#include <memory>

#include <takt/corba.h>

#include "common/command.h"
#include "common/orb.h"
#include "common/serving.h"
#include "schedule/strategy.h"
#include "scheduling/service/scheduler_servant.h"

namespace takt::command {
namespace {

using namespace takt::scheduling;

struct ServeSettings {
  std::string store, reference = "-", listen;
  StrategyOptions strategy;
  std::vector<std::string> orb_options;
};

CORBA::servant_reference<SchedulerServant> servant_for(const ServeSettings& settings) {
  const PriorityOptions options = settings.strategy.priorities();
  if (settings.store.empty()) return CORBA::make_reference<SchedulerServant>(Scheduler(options));
  auto store = Store::open(settings.store);
  if (!store) fail(store.error());
  auto operations = store->read();
  if (!operations) fail(settings.store + ": " + operations.error());
  return CORBA::make_reference<SchedulerServant>(Scheduler(options, std::move(*operations)),
                                                 std::make_unique<Store>(std::move(*store)));
}

IDL::traits<CORBA::ORB>::ref_type orb_for(const ServeSettings& settings) {
  std::vector<std::string> words;
  if (!settings.listen.empty()) words = {"-ORBListenEndpoints", settings.listen};
  words.insert(words.end(), settings.orb_options.begin(), settings.orb_options.end());
  return orb_of(words, "");
}

void run(const ServeSettings& settings) {
  const AwaitedSignals signals{SIGINT, SIGTERM};
  const auto servant = servant_for(settings);
  const auto orb = orb_for(settings);
  const auto root = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  const auto poa =
      root->create_POA("Scheduling", root->the_POAManager(),
                       {root->create_lifespan_policy(PortableServer::LifespanPolicyValue::PERSISTENT),
                        root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)});
  const PortableServer::ObjectId id{'S', 'c', 'h', 'e', 'd', 'u', 'l', 'e', 'r'};
  poa->activate_object_with_id(id, servant);
  const auto object = poa->id_to_reference(id);
  orb->register_object_key("Scheduler", object);
  const TakesRequests serving(orb);
  announce_until_signal(*orb, object, settings.reference, signals);
  orb->destroy();
}

}  // namespace

void add_schedule_serve(const Command& schedule) {
  const auto settings = std::make_shared<ServeSettings>();
  const Command serve = schedule.add_command(
      "serve", "Serves RT_Scheduler::Scheduler, where operations are registered, until Ctrl-C.");
  serve.add("--store", settings->store, "SQLite file that stores registrations");
  serve.add("-o,--output", settings->reference, "file to write the reference to").show_default();
  serve.add("--listen", settings->listen,
            "endpoints to listen on, as for -ORBListenEndpoints: iiop://:2809, for example");
  settings->strategy.add_to_service(serve);
  take_orb_options(serve, settings->orb_options, "-ORBServerConcurrency leader-followers");
  serve.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command
