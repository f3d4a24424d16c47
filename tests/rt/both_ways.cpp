// An urgent call over a bidirectional connection, whose threads began at a low priority, contends with a
// thread of medium priority that burns the core: reports whether the call ends before the burner.
//
//   rt_both_ways reply|reply-in-crowd|request|declared|queue|call-back RUNS [ORB option ...] [-- client's
//   ...]
//
// reply: the client's threads are in the way, of which one reads the reply; reply-in-crowd: and less urgent
// calls wait for theirs; request, declared: the server's threads are in the way, of which one reads the
// request, and another serves it at the client's priority or the adapter's; queue: the only one that could
// serve it is in a low upcall; call-back: the client's, which serve a call by the urgent
// call's servant. After "plain-", request, declared and queue go over usual connections.
#include <takt/corba.h>
#include <takt/reference/messaging.h>
#include <takt/rt/rtcorba.h>

#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "contended_sides.h"

namespace {

using namespace contention;
using RTCORBA::PriorityModel;

std::function<void()> let_others_begin;
std::counting_semaphore<> released(0), waiting(0);

class Worker final : public virtual CORBA::servant_traits<Contended::Worker>::base_type {
 public:
  void quick() override {}
  void begin_and_burn() override {
    let_others_begin();
    burn(holder_burns);
  }
  void wait_for(std::int32_t) override {
    waiting.release();
    released.acquire();
  }
};

class Back final : public virtual CORBA::servant_traits<Contended::Back>::base_type {
 public:
  void call(WorkerRef other) override { other->quick(); }
};

Poa adapter_of(const Orb& orb, PriorityModel model, int priority) {
  const auto root = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  const auto rt = IDL::traits<RTCORBA::RTORB>::narrow(orb->resolve_initial_references("RTORB"));
  root->the_POAManager()->activate();
  return root->create_POA(
      "prioritized", root->the_POAManager(),
      {rt->create_priority_model_policy(model, static_cast<RTCORBA::Priority>(priority))});
}

// Calls that are not answered before it ends.
class Crowd {
 public:
  explicit Crowd(const WorkerRef& worker) {
    for (const int priority : {low, low + 2, burning - 1}) {
      threads_.emplace_back([worker, priority] {
        run_at(priority);
        worker->wait_for(priority);
      });
      waiting.acquire();
    }
  }
  ~Crowd() {
    released.release(static_cast<std::ptrdiff_t>(threads_.size()));
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::vector<std::thread> threads_;
};

// Threads of connections at that priority.
int threads_at(int priority) {
  int found = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::ifstream(thread.path() / "comm") >> name;
    sched_param parameters{};
    ::sched_getparam(std::stoi(thread.path().filename()), &parameters);
    found += name == "takt-both-ways" && parameters.sched_priority == priority ? 1 : 0;
  }
  return found;
}

// The urgent call, and what the low caller does meanwhile.
void race(const Sides& sides, int runs, const std::string& what, bool propagates,
          const std::function<void()>& call, const std::function<void()>& low_call,
          const std::function<void()>& connect, const std::function<void()>& when_connected = {}) {
  Race race;
  Actor burner(burning, {}, [&] { race.burn_against_it(); });
  const auto connect_at = [&](int priority) {
    return [&, priority] {
      if (propagates) sides.use_priority(priority);
      connect();
    };
  };
  Actor low_caller(low, connect_at(low), low_call);
  Actor urgent_caller(urgent, connect_at(urgent), [&] {
    race.begin();
    call();
    race.call_ended();
  });
  if (when_connected) when_connected();
  let_others_begin = [&] {
    urgent_caller.go();
    burner.go();
  };
  for (int run = 0; run < runs; ++run) {
    if (low_call) {
      low_caller.go();  // lets the others begin
    } else {
      burner.go();  // neither runs before this thread waits
      urgent_caller.go();
    }
    urgent_caller.done();
    burner.done();
    if (low_call) low_caller.done();
    std::this_thread::sleep_for(200ms);  // for the time that real-time throttling reserves for others
  }
  race.print(what.c_str());
}

}  // namespace

int main(int argc, char** argv) try {
  auto [what, runs, server, client] = asked_of(argc, argv, "rt_both_ways");
  const bool plain = what.starts_with("plain-");
  if (plain) what.erase(0, what.find('-') + 1);
  server.insert(server.end(),
                {"-ORBAcceptBidirectional", plain ? "off" : "any", "-ORBPriorityMapping", "direct"});
  client.insert(client.end(), {"-ORBBidirectionalPolicy", plain ? "normal" : "both", "-ORBPriorityMapping",
                               "direct", "-ORBListenEndpoints", "iiop://127.0.0.1:0",
                               "-ORBPublishedEndpoints", "iiop://127.0.0.1:1"});
  if (what == "queue")
    server.insert(server.end(), {"-ORBBidirectionalThreads", "1", "-ORBServerThreads", "1"});
  stay_on_one_core();
  const bool server_is_low = what == "request" || what == "declared" || what == "queue";
  run_at(server_is_low ? low : above_all);
  const Sides sides(server, client);
  const bool declared = what == "declared", waits_for_reply = what.starts_with("reply");
  const auto poa = waits_for_reply ? sides.root
                   : declared      ? adapter_of(sides.server, PriorityModel::SERVER_DECLARED, urgent)
                                   : adapter_of(sides.server, PriorityModel::CLIENT_PROPAGATED, low);
  const auto worker =
      sides.as_client_sees(poa->id_to_reference(poa->activate_object(CORBA::make_reference<Worker>())));
  const auto back =
      IDL::traits<Contended::Back>::narrow(sides.client->string_to_object(sides.server->object_to_string(
          poa->id_to_reference(poa->activate_object(CORBA::make_reference<Back>())))));
  const auto own = adapter_of(sides.client, PriorityModel::CLIENT_PROPAGATED, low);
  const auto here = IDL::traits<Contended::Worker>::narrow(
      own->id_to_reference(own->activate_object(CORBA::make_reference<Worker>())));
  run_at(above_all);
  // The client's threads of the connection have the priority of the first caller.
  if (server_is_low) worker->quick();
  const auto quick = [&] { worker->quick(); };
  const auto call_back = [&] { back->call(here); };
  if (what == "call-back") {
    race(sides, runs, what, true, call_back, {}, call_back);
  } else if (what == "queue") {
    race(sides, runs, what, true, quick, [&] { worker->begin_and_burn(); }, quick);
  } else {
    std::optional<Crowd> crowd;
    const auto join_crowd = [&] {
      if (what == "reply-in-crowd") crowd.emplace(worker);
    };
    race(sides, runs, what, !declared && !waits_for_reply, quick, {}, quick, join_crowd);
  }
  if (waits_for_reply && threads_at(urgent) != 0)
    throw std::runtime_error("a thread of the connection still runs at the priority of a call that is over");
} catch (const std::exception& failure) {
  std::fprintf(stderr, "rt_both_ways: %s\n", failure.what());
  return 1;
}
