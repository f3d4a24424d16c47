// Lanes for whose threads the operating system reserves processor time, and servants that check it.
#pragma once

#include <gtest/gtest.h>
#include <sched.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "probe_servant.h"
#include "reserving.h"
#include "threads/scheduling/reservation.h"

namespace real_time {

using namespace std::chrono_literals;

// The scheduling class of the calling thread: "2000 us reserved", "fifo 20" or "ordinary".
inline std::string own_class() {
  if (const auto reserved = takt::os::reservation())
    return std::to_string(reserved->runtime / 1us) + " us reserved";
  sched_param parameters{};
  ::sched_getparam(0, &parameters);
  return parameters.sched_priority > 0 ? "fifo " + std::to_string(parameters.sched_priority) : "ordinary";
}

// Reports the scheduling class in `thread`; look_through() does so after it has called the other servant.
class ReservedServant final : public virtual CORBA::servant_traits<RtTest::Probe>::base_type {
 public:
  RtTest::Seen look() override { return {-1, 0, false, own_class()}; }
  RtTest::Seen look_through(ProbeRef other) override {
    other->look();
    return look();
  }
  bool meet(std::uint32_t) override { return false; }
};

struct Reserving {
  explicit Reserving(std::vector<std::string> options)
      : server(make_orb(with_defaults(std::move(options)), "reserving")),
        client(make_orb(with_defaults({}), "reserving-client")),
        rt(initial<RTCORBA::RTORB>(server, "RTORB")),
        root(initial<PortableServer::POA>(server, "RootPOA")) {
    root->the_POAManager()->activate();
  }
  ~Reserving() {
    client->destroy();
    server->destroy();
  }
  // All programs share the processor time that can be reserved, so retries while others use it.
  RTCORBA::ThreadpoolId make(const RTCORBA::ThreadpoolLanes& lanes, bool buffered = false,
                             bool borrowing = false) const {
    for (int i = 0;; ++i) try {
        return rt->create_threadpool_with_lanes(0, lanes, borrowing, buffered, 10, 0);
      } catch (const CORBA::NO_RESOURCES&) {
        if (i == 200) throw;
        std::this_thread::sleep_for(10ms);
      }
  }
  ProbeRef probe(RTCORBA::ThreadpoolId pool, RTCORBA::Priority priority,
                 PriorityModel model = PriorityModel::SERVER_DECLARED) {
    const auto poa = root->create_POA(
        "poa" + std::to_string(++poas_), root->the_POAManager(),
        {rt->create_priority_model_policy(model, priority), rt->create_threadpool_policy(pool)});
    const auto object = poa->id_to_reference(poa->activate_object(CORBA::make_reference<ReservedServant>()));
    return to_client(object);
  }
  ProbeRef to_client(const CORBA::object_reference<CORBA::Object>& object) const {
    return IDL::traits<RtTest::Probe>::narrow(client->string_to_object(server->object_to_string(object)));
  }
  // The scheduling class of an upcall with the priority.
  std::string class_at(RTCORBA::ThreadpoolId pool, RTCORBA::Priority priority,
                       PriorityModel model = PriorityModel::SERVER_DECLARED) {
    return probe(pool, priority, model)->look().thread();
  }

  Orb server, client;
  CORBA::object_reference<RTCORBA::RTORB> rt;
  CORBA::object_reference<PortableServer::POA> root;

 private:
  static std::vector<std::string> with_defaults(std::vector<std::string> options) {
    options.insert(options.end(),
                   {"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBPriorityMapping", "direct"});
    return options;
  }
  int poas_ = 0;
};

}  // namespace real_time
