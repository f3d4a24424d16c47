// bench_takt_server [-ORB options]
//   [--priorities lanes|queues|propagated|between|filtered|none [--levels WHICH]]
//   [--scheduled PRIORITY]: a schedule gives the operations of the cube's object that priority
//   [--burn MICROSECONDS]: duration of upcalls, except at the highest level
//   [--interceptors empty]: interceptors that do nothing
//   [--orderly YES]: ends by destroying the ORB
//   [--adapter single-thread|main-thread|default-servant|locator]: the policies of the object's adapter
#include <takt/orb/parts.h>
#include <takt/rt/rtcorba.h>
#include <takt/rt/schedule.h>
#include <takt/server/threading.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "common/levels.h"
#include "common/options.h"
#include "common/serve.h"
#include "empty_interceptors.h"
#include "servant.h"

void takt::choose_parts(Parts& parts) { add_all(parts); }

namespace {

using Orb = IDL::traits<CORBA::ORB>::ref_type;
using Poa = CORBA::object_reference<PortableServer::POA>;

std::string publish(const Orb& orb, const Poa& poa, const bench::Work& work = bench::Work()) {
  const auto id = poa->activate_object(CORBA::make_reference<CubeServant>(work));
  return orb->object_to_string(poa->id_to_reference(id));
}

class Locator final : public virtual PortableServer::ServantLocator {
 public:
  CORBA::servant_reference<PortableServer::Servant> preinvoke(const PortableServer::ObjectId&, Poa,
                                                              const std::string&, Cookie&) override {
    return servant_;
  }
  void postinvoke(const PortableServer::ObjectId&, Poa, const std::string&, Cookie,
                  CORBA::servant_reference<PortableServer::Servant>) override {}

 private:
  const CORBA::servant_reference<PortableServer::Servant> servant_ = CORBA::make_reference<CubeServant>();
};

// Publishes an object in an adapter with the kind of upcalls that `kind` names.
std::string publish_in(const Orb& orb, const Poa& root, const std::string& kind) {
  using namespace PortableServer;
  const bool one_at_a_time = kind == "single-thread" || kind == "main-thread";
  CORBA::PolicyList policies;
  if (one_at_a_time) {
    policies.push_back(root->create_thread_policy(kind == "main-thread"
                                                      ? ThreadPolicyValue::MAIN_THREAD_MODEL
                                                      : ThreadPolicyValue::SINGLE_THREAD_MODEL));
  } else {
    policies = {root->create_request_processing_policy(
                    kind == "locator" ? RequestProcessingPolicyValue::USE_SERVANT_MANAGER
                                      : RequestProcessingPolicyValue::USE_DEFAULT_SERVANT),
                root->create_servant_retention_policy(ServantRetentionPolicyValue::NON_RETAIN),
                root->create_id_uniqueness_policy(IdUniquenessPolicyValue::MULTIPLE_ID),
                root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID)};
  }
  static Poa poa;  // static, so that the locator always gets the same one
  poa = root->create_POA(kind, root->the_POAManager(), policies);
  if (one_at_a_time) return publish(orb, poa);
  if (kind == "locator")
    poa->set_servant_manager(CORBA::make_reference<Locator>());
  else
    poa->set_servant(CORBA::make_reference<CubeServant>());
  return orb->object_to_string(
      poa->create_reference_with_id(string_to_ObjectId("a cube of that adapter"), "IDL:Bench/Cube:1.0"));
}

// An adapter for the objects of one priority. lanes: a thread, a reactor and a port for each priority.
// queues: the same with a queue behind the reactor. propagated: the server's threads take on the priority of
// each request. between: the threads of lanes do. filtered: the threads behind its queue do.
Poa make_poa(const Orb& orb, const Poa& root, const std::string& how, RTCORBA::ThreadpoolId pool,
             int priority) {
  const auto rt = IDL::traits<RTCORBA::RTORB>::narrow(orb->resolve_initial_references("RTORB"));
  CORBA::PolicyList policies;
  if (how == "lanes" || how == "queues") {
    policies.push_back(rt->create_threadpool_policy(pool));
    policies.push_back(rt->create_priority_model_policy(RTCORBA::PriorityModel::SERVER_DECLARED,
                                                        static_cast<RTCORBA::Priority>(priority)));
  } else if (how == "propagated" || how == "filtered" || how == "between") {
    if (how == "between") policies.push_back(rt->create_threadpool_policy(pool));
    policies.push_back(rt->create_priority_model_policy(RTCORBA::PriorityModel::CLIENT_PROPAGATED,
                                                        static_cast<RTCORBA::Priority>(priority)));
  }
  return root->create_POA("priority-" + std::to_string(priority), root->the_POAManager(), policies);
}

// Publishes an object for each level.
std::string publish_levels(const Orb& orb, const Poa& root, const bench::Options& options) {
  const std::string how = options.text("priorities");
  const auto levels = bench::levels_of(options);
  const auto rt = IDL::traits<RTCORBA::RTORB>::narrow(orb->resolve_initial_references("RTORB"));
  RTCORBA::ThreadpoolId pool = 0;
  if (how == "lanes" || how == "queues" || how == "between") {
    RTCORBA::ThreadpoolLanes lanes;
    for (const int level : levels) lanes.push_back({static_cast<RTCORBA::Priority>(level), 1, 0});
    pool = rt->create_threadpool_with_lanes(0, lanes, false, how == "queues", 100, 0);
  }
  std::vector<std::string> endpoints;
  for (const int level : levels)
    endpoints.push_back(
        publish(orb, make_poa(orb, root, how, pool, level),
                level == levels.front() ? bench::Work() : bench::Work(options.number("burn", 0))));
  return bench::joined(endpoints);
}

std::string publish_all(const Orb& orb, const Poa& root, const bench::Options& options) {
  if (options.has("adapter")) return publish_in(orb, root, options.text("adapter"));
  return options.has("priorities") ? publish_levels(orb, root, options)
                                   : publish(orb, root, bench::Work(options.number("burn", 0)));
}

// Sends a request to the threads of its priority.
class ByPriority final : public takt::RequestFilter {
 public:
  ByPriority(int highest, takt::RequestQueueId high, takt::RequestQueueId low)
      : highest_(highest), high_(high), low_(low) {}
  std::optional<takt::RequestQueueId> choose(const takt::ArrivedRequest& request) override {
    return request.priority >= highest_ ? high_ : low_;
  }

 private:
  const int highest_;
  const takt::RequestQueueId high_, low_;
};

// Must be called before the root POA is requested. The reading thread inherits the calling thread's priority,
// the higher one.
void filter_by_priority(const Orb& orb, int highest) {
  const auto current = IDL::traits<RTCORBA::Current>::narrow(orb->resolve_initial_references("RTCurrent"));
  const auto threading =
      IDL::traits<takt::ThreadingFramework>::narrow(orb->resolve_initial_references("ThreadingFramework"));
  const auto queue_at = [&](const char* name, int priority) {
    return threading->add_queue({.name = name, .prepare = [current, priority] {
                                   current->the_priority(static_cast<RTCORBA::Priority>(priority));
                                 }});
  };
  const auto high = queue_at("high", highest), low = queue_at("low", bench::low_priority);
  threading->add_filter(std::make_shared<ByPriority>(highest, high, low));
  current->the_priority(static_cast<RTCORBA::Priority>(highest));
}

// Must be called before the root POA is requested.
void schedule_at(const Orb& orb, int priority) {
  const auto scheduler =
      IDL::traits<takt::rt::RunTimeScheduler>::narrow(orb->resolve_initial_references("RunTimeScheduler"));
  scheduler->install({{.name = "Bench::Cube::cube_octet", .priority = static_cast<std::int16_t>(priority)}});
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_takt_server", [&] {
    ::setenv("TAKT_LOCAL_ROADS", "off", 0);  // an endpoint of TCP is measured over TCP
    bench::intercept_if_asked(argc, argv);
    auto orb = CORBA::ORB_init(argc, argv);
    const bench::Options options(argc, argv);
    if (options.text("priorities") == "filtered") filter_by_priority(orb, bench::levels_of(options).front());
    if (options.has("scheduled")) schedule_at(orb, static_cast<int>(options.number("scheduled", 0)));
    auto root = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    const std::string endpoint = publish_all(orb, root, options);
    root->the_POAManager()->activate();
    std::thread([orb] { orb->run(); }).detach();
    bench::announce(endpoint);
    if (!options.has("orderly")) bench::exit_when_stdin_closes();
    bench::wait_until_stdin_closes();
    orb->destroy();
  });
}
