// The servant, and two ORBs in one process that communicate over loopback sockets.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <takt/corba.h>
#include <takt/rt/rtcorba.h>

#include "../make_orb.h"
#include "own_priority.h"
#include "probeS.h"

namespace real_time {

using feature::make_orb;
using feature::Orb;
using ProbeRef = IDL::traits<RtTest::Probe>::ref_type;
using RTCORBA::PriorityModel;

template <class T>
CORBA::object_reference<T> initial(const Orb& orb, const char* name) {
  return IDL::traits<T>::narrow(orb->resolve_initial_references(name));
}

inline RtTest::Seen what_i_run_at(const CORBA::object_reference<RTCORBA::Current>& current) {
  const OwnPriority own = own_priority(current);
  return {own.corba, own.native, own.fifo, own.thread};
}

class ProbeServant final : public virtual CORBA::servant_traits<RtTest::Probe>::base_type {
 public:
  explicit ProbeServant(const Orb& orb) : current_(initial<RTCORBA::Current>(orb, "RTCurrent")) {}
  RtTest::Seen look() override { return what_i_run_at(current_); }
  RtTest::Seen look_through(ProbeRef other) override { return other->look(); }
  bool meet(std::uint32_t callers) override {
    std::unique_lock lock(mutex_);
    ++inside_;
    changed_.notify_all();
    return changed_.wait_for(lock, std::chrono::seconds(3), [&] { return inside_ >= callers; });
  }

 private:
  const CORBA::object_reference<RTCORBA::Current> current_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint32_t inside_ = 0;
};

// A server whose priorities equal the system's, and a client.
class TwoOrbs {
 public:
  explicit TwoOrbs(std::vector<std::string> client_options = {},
                   std::vector<std::string> server_options = {"-ORBListenEndpoints", "iiop://127.0.0.1:0"})
      : server(make_orb(with_mapping(std::move(server_options)), "rt-server")),
        client(make_orb(with_mapping(std::move(client_options)), "rt-client")),
        rt(initial<RTCORBA::RTORB>(server, "RTORB")),
        current(initial<RTCORBA::Current>(client, "RTCurrent")),
        root(initial<PortableServer::POA>(server, "RootPOA")) {
    root->the_POAManager()->activate();
  }
  ~TwoOrbs() {
    client->destroy();
    server->destroy();
  }

  CORBA::object_reference<PortableServer::POA> make_poa(const CORBA::PolicyList& policies) {
    return root->create_POA("poa" + std::to_string(++poas_), root->the_POAManager(), policies);
  }
  // The client's reference.
  ProbeRef to_client(const CORBA::object_reference<CORBA::Object>& object) {
    return IDL::traits<RtTest::Probe>::narrow(client->string_to_object(server->object_to_string(object)));
  }
  ProbeRef probe(const CORBA::object_reference<PortableServer::POA>& poa) {
    return to_client(poa->id_to_reference(poa->activate_object(CORBA::make_reference<ProbeServant>(server))));
  }
  RTCORBA::ThreadpoolId lanes(std::vector<RTCORBA::ThreadpoolLane> list) {
    return rt->create_threadpool_with_lanes(0, list, false, false, 0, 0);
  }

  Orb server, client;
  CORBA::object_reference<RTCORBA::RTORB> rt;
  CORBA::object_reference<RTCORBA::Current> current;  // the client's
  CORBA::object_reference<PortableServer::POA> root;

 private:
  static std::vector<std::string> with_mapping(std::vector<std::string> options) {
    options.insert(options.end(), {"-ORBPriorityMapping", "direct"});
    return options;
  }
  int poas_ = 0;
};

// A thread that may change its priority freely.
template <class Body>
void in_a_thread(Body body) {
  std::thread(std::move(body)).join();
}

}  // namespace real_time
