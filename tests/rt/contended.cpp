// An urgent call contends with a low-priority call while a thread of medium priority burns the core: reports
// whether the call ends before the burner.
//
//   rt_contended single-thread|main-thread|activator|leader|succession|active|handler|handler-in-reader RUNS
//       [ORB option ...] [-- client's ...]
//
// single-thread, main-thread: the low call is in an upcall of the same adapter; activator: in its servant
// activator. leader: the low call's thread reads the shared connection; succession: it could be the next to
// read; active: a thread started by the low caller's reads. handler: the same with an asynchronous call,
// until its handler runs in a thread of the ORB; handler-in-reader: in the thread that reads.
#include <takt/corba.h>
#include <takt/orb/asynchronous.h>
#include <takt/rt/rtcorba.h>

#include <array>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contended_sides.h"

namespace {

using namespace contention;

std::function<void()> let_others_begin;
std::array<std::counting_semaphore<>, 3> released{std::counting_semaphore<>(0), std::counting_semaphore<>(0),
                                                  std::counting_semaphore<>(0)};
std::array<std::counting_semaphore<>, 3> waiting{std::counting_semaphore<>(0), std::counting_semaphore<>(0),
                                                 std::counting_semaphore<>(0)};

void begin_and_burn_here() {
  let_others_begin();
  burn(holder_burns);
}

class Worker final : public virtual CORBA::servant_traits<Contended::Worker>::base_type {
 public:
  void quick() override {}
  void begin_and_burn() override { begin_and_burn_here(); }
  void wait_for(std::int32_t which) override {
    waiting[static_cast<std::size_t>(which)].release();
    released[static_cast<std::size_t>(which)].acquire();
  }
};

class Activator final : public virtual PortableServer::ServantActivator {
 public:
  CORBA::servant_reference<PortableServer::Servant> incarnate(
      const PortableServer::ObjectId& id, CORBA::object_reference<PortableServer::POA>) override {
    if (PortableServer::ObjectId_to_string(id).starts_with("low")) begin_and_burn_here();
    return CORBA::make_reference<Worker>();
  }
  void etherealize(const PortableServer::ObjectId&, CORBA::object_reference<PortableServer::POA>,
                   CORBA::servant_reference<PortableServer::Servant>, bool, bool) override {}
};

// One lane for each caller.
Poa contended_adapter(const Sides& sides, std::string_view what) {
  using namespace PortableServer;
  const auto rt = IDL::traits<RTCORBA::RTORB>::narrow(sides.server->resolve_initial_references("RTORB"));
  const auto pool = rt->create_threadpool_with_lanes(0, {{low, 1, 0}, {urgent, 1, 0}}, false, false, 0, 0);
  CORBA::PolicyList policies{rt->create_threadpool_policy(pool),
                             rt->create_priority_model_policy(RTCORBA::PriorityModel::CLIENT_PROPAGATED, low),
                             sides.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID)};
  if (what == "activator") {
    policies.push_back(
        sides.root->create_request_processing_policy(RequestProcessingPolicyValue::USE_SERVANT_MANAGER));
  } else {
    policies.push_back(sides.root->create_thread_policy(what == "main-thread"
                                                            ? ThreadPolicyValue::MAIN_THREAD_MODEL
                                                            : ThreadPolicyValue::SINGLE_THREAD_MODEL));
  }
  const auto poa = sides.root->create_POA("contended", sides.root->the_POAManager(), policies);
  if (what == "activator")
    poa->set_servant_manager(CORBA::make_reference<Activator>());
  else
    poa->activate_object_with_id(string_to_ObjectId("worker"), CORBA::make_reference<Worker>());
  return poa;
}

// In the activator case, both callers use a new object in each run, so that they contend for the activator.
void contend_for_adapter(const Sides& sides, std::string_view what, int runs) {
  const auto poa = contended_adapter(sides, what);
  const bool activates = what == "activator";
  const auto worker = [&](const std::string& name) {
    return sides.as_client_sees(poa->create_reference_with_id(
        PortableServer::string_to_ObjectId(activates ? name : "worker"), "IDL:Contended/Worker:1.0"));
  };
  WorkerRef of_low = worker("first"), of_urgent = of_low;
  Race race;
  Actor burner(burning, {}, [&] { race.burn_against_it(); });
  const auto connect_at = [&](int priority) {
    return [&, priority] {
      sides.use_priority(priority);
      of_low->quick();
    };
  };
  Actor urgent_caller(urgent, connect_at(urgent), [&] {
    race.begin();
    of_urgent->quick();
    race.call_ended();
  });
  Actor low_caller(low, connect_at(low), [&] {
    if (activates)
      of_low->quick();
    else
      of_low->begin_and_burn();
  });
  let_others_begin = [&] {
    urgent_caller.go();  // preempts this thread, until the urgent caller waits for it
    burner.go();
  };
  for (int run = 0; run < runs; ++run) {
    if (activates) {
      of_low = worker("low" + std::to_string(run));
      of_urgent = worker("urgent" + std::to_string(run));
    }
    low_caller.go();
    urgent_caller.done();
    burner.done();
    low_caller.done();
    std::this_thread::sleep_for(200ms);  // for the time that real-time throttling reserves for others
  }
  race.print(std::string(what).c_str());
}

// The server's threads have the highest priority, so that only the client's can be in the way.
void contend_for_connection(const Sides& sides, std::string_view what, int runs) {
  const auto id = sides.root->activate_object(CORBA::make_reference<Worker>());
  const auto worker = sides.as_client_sees(sides.root->id_to_reference(id));
  const auto connect = [&] { worker->quick(); };
  const bool succession = what == "succession";
  Race race;
  Actor burner(burning, {}, [&] { race.burn_against_it(); });
  const auto waits_for = [&](std::int32_t which) { return [&, which] { worker->wait_for(which); }; };
  Actor low_caller(low, connect, waits_for(1));
  Actor first_leader(above_all, connect, waits_for(0));
  Actor urgent_caller(urgent, connect, [&] {
    if (!succession) race.begin();
    worker->wait_for(2);
    race.call_ended();
  });
  const auto begin = [](Actor& caller, std::size_t which) {
    caller.go();
    waiting[which].acquire();
    std::this_thread::sleep_for(20ms);  // until it waits for its reply
  };
  for (int run = 0; run < runs; ++run) {
    if (succession) begin(first_leader, 0);
    begin(low_caller, 1);
    if (succession) {
      begin(urgent_caller, 2);
      released[0].release();
      first_leader.done();
      std::this_thread::sleep_for(20ms);  // until its successor reads
      race.begin();
      burner.go();
      released[2].release();
    } else {
      released[2].release();
      burner.go();
      urgent_caller.go();
      waiting[2].acquire();
    }
    urgent_caller.done();
    burner.done();
    released[1].release();
    low_caller.done();
    std::this_thread::sleep_for(200ms);
  }
  race.print(std::string(what).c_str());
}

class Handler final : public virtual Contended::AMI_WorkerHandler {
 public:
  explicit Handler(std::function<void()> run) : run_(std::move(run)) {}
  void quick() override { run_(); }
  void quick_excep(IDL::traits<Messaging::ExceptionHolder>::ref_type) override {}
  void begin_and_burn() override {}
  void begin_and_burn_excep(IDL::traits<Messaging::ExceptionHolder>::ref_type) override {}
  void wait_for() override { run_(); }
  void wait_for_excep(IDL::traits<Messaging::ExceptionHolder>::ref_type) override {}

 private:
  const std::function<void()> run_;
};

// The low caller has begun the thread of the connection.
void contend_for_handler(const Sides& sides, std::string_view what, int runs) {
  using Delivery = takt::AsyncSettings::Delivery;
  const bool in_reader = what == "handler-in-reader";
  takt::use_async_settings(sides.client,
                           {.delivery = in_reader ? Delivery::reading_thread : Delivery::thread});
  const auto id = sides.root->activate_object(CORBA::make_reference<Worker>());
  const auto worker = sides.as_client_sees(sides.root->id_to_reference(id));
  Race race;
  std::binary_semaphore connected(0), handled(0);
  Actor burner(burning, {}, [&] { race.burn_against_it(); });
  Actor low_caller(
      low,
      [&] {
        worker->sendc_quick(CORBA::make_reference<Handler>([&] { connected.release(); }));
        connected.acquire();
      },
      [] {});
  const auto handler = CORBA::make_reference<Handler>([&] {
    race.call_ended();
    handled.release();
  });
  Actor urgent_caller(
      urgent, [&] { sides.use_priority(urgent); },
      [&] {
        race.begin();
        worker->sendc_wait_for(handler, 2);
        handled.acquire();
      });
  for (int run = 0; run < runs; ++run) {
    released[2].release();
    burner.go();
    urgent_caller.go();
    waiting[2].acquire();
    urgent_caller.done();
    burner.done();
    std::this_thread::sleep_for(200ms);
  }
  race.print(std::string(what).c_str());
}

}  // namespace

int main(int argc, char** argv) try {
  auto [what, runs, server, client] = asked_of(argc, argv, "rt_contended");
  stay_on_one_core();
  const bool for_handler = what.starts_with("handler");
  const bool for_connection = what == "leader" || what == "succession" || what == "active";
  if (for_handler) {
    server.insert(server.end(), {"-ORBServerConcurrency", "worker-pool"});
    client.insert(client.end(), {"-ORBPriorityMapping", "direct"});
  } else if (for_connection) {
    server.insert(server.end(), {"-ORBServerConcurrency", "worker-pool"});
    client.insert(client.end(),
                  {"-ORBClientConnections", what == "active" ? "multiplexed-active" : "multiplexed"});
  } else {
    for (auto* options : {&server, &client})
      options->insert(options->end(), {"-ORBPriorityMapping", "direct"});
  }
  run_at(above_all);
  const Sides sides(server, client);
  if (for_handler)
    contend_for_handler(sides, what, runs);
  else if (for_connection)
    contend_for_connection(sides, what, runs);
  else
    contend_for_adapter(sides, what, runs);
} catch (const std::exception& failure) {
  std::fprintf(stderr, "rt_contended: %s\n", failure.what());
  return 1;
}
