// A chain of servers, each an ORB, in one process.
#pragma once

#include <sys/resource.h>

#include <takt/rt/rtcorba.h>

#include "chainS.h"
#include "gate.h"
#include "qos_test.h"

namespace feature {

using HopRef = IDL::traits<QosTest::Hop>::ref_type;
inline constexpr auto work_time = 2ms;
// How long the machine may interrupt a thread between the ORB's clock reading and the servant's, when many
// timers expire together.
inline constexpr auto interruption = 1ms;

// How often this thread was preempted.
inline long times_preempted() {
  rusage used{};
  ::getrusage(RUSAGE_THREAD, &used);
  return used.ru_nivcsw;
}

class HopServant final : public virtual CORBA::servant_traits<QosTest::Hop>::base_type {
 public:
  QosTest::Seen look() override {
    QosTest::Seen seen;
    const takt::Quality* quality = takt::present_quality();
    seen.present(quality != nullptr);
    if (!quality) return seen;
    seen.importance(quality->importance);
    seen.period_ns(static_cast<std::uint64_t>(quality->period.count()));
    seen.communication_class(static_cast<std::uint16_t>(quality->communication));
    seen.deadline(quality->deadline != takt::Quality::no_deadline);
    if (seen.deadline()) seen.remaining_ns((quality->deadline - takt::Quality::Clock::now()).count());
    return seen;
  }
  QosTest::Seen look_on() override { return next->look(); }
  void work() override {
    const takt::Quality* quality = takt::present_quality();
    // A busy machine may delay the thread by any time between the ORB's clock reading and this one.
    thread_local long preempted = -1;  // at the end of this thread's last upcall
    if (quality && takt::Quality::Clock::now() - interruption > quality->deadline &&
        times_preempted() == preempted)
      ++started_late;
    ++started;
    std::this_thread::sleep_for(work_time);
    if (next) next->work();
    preempted = times_preempted();
  }
  void wait() override { gate.wait(); }

  HopRef next;
  Gate gate;
  std::atomic<int> started{0}, started_late{0};
};

// A server in the chain. "lanes": a POA with a lane of one thread; else a value of -ORBServerConcurrency,
// with one thread in a pool.
class Hop {
 public:
  explicit Hop(const std::string& architecture, const std::string& endpoint = "iiop://127.0.0.1:0") {
    std::vector<std::string> options{"-ORBListenEndpoints", endpoint};
    if (architecture != "lanes") options.insert(options.end(), {"-ORBServerConcurrency", architecture});
    if (architecture == "leader-followers" || architecture == "worker-pool" ||
        architecture == "threading-framework")
      options.insert(options.end(), {"-ORBServerThreads", "1", "-ORBMaxQueuedRequests", "1000"});
    orb = make_orb(std::move(options), "hop");
    auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    poa->the_POAManager()->activate();
    if (architecture == "lanes") poa = poa->create_POA("lanes", poa->the_POAManager(), lane());
    servant = CORBA::make_reference<HopServant>();
    ior = orb->object_to_string(poa->id_to_reference(poa->activate_object(servant)));
    running = std::thread([serving = orb] { serving->run(); });
  }
  ~Hop() {
    orb->shutdown(true);
    running.join();
    servant->next.reset();
    orb->destroy();
  }
  HopRef seen_from(const Orb& other) const {
    return IDL::traits<QosTest::Hop>::narrow(other->string_to_object(ior));
  }

  Orb orb;
  CORBA::servant_reference<HopServant> servant;
  std::string ior;
  std::thread running;

 private:
  CORBA::PolicyList lane() {
    const auto rt = IDL::traits<RTCORBA::RTORB>::narrow(orb->resolve_initial_references("RTORB"));
    const auto pool = rt->create_threadpool_with_lanes(0, {{1, 1, 0}}, false, false, 0, 0);
    return {rt->create_threadpool_policy(pool),
            rt->create_priority_model_policy(RTCORBA::PriorityModel::SERVER_DECLARED, 1)};
  }
};

}  // namespace feature
