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

#include "../orb_pair.h"
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
class TwoOrbs : public feature::OrbPair {
 public:
  explicit TwoOrbs(const feature::Options& client_options = {}, const feature::Options& server_options = {},
                   const std::string& endpoints = loopback)
      : OrbPair(with_mapping(server_options), with_mapping(client_options), endpoints,
                Server::serves_by_its_own_threads),
        rt(initial<RTCORBA::RTORB>(server, "RTORB")),
        current(initial<RTCORBA::Current>(client, "RTCurrent")) {}

  ProbeRef to_client(const CORBA::object_reference<CORBA::Object>& object) const {
    return seen_by_client<RtTest::Probe>(object);
  }
  ProbeRef probe(const CORBA::object_reference<PortableServer::POA>& poa) const {
    return publish<RtTest::Probe>(CORBA::make_reference<ProbeServant>(server), poa);
  }
  RTCORBA::ThreadpoolId lanes(std::vector<RTCORBA::ThreadpoolLane> list) const {
    return rt->create_threadpool_with_lanes(0, list, false, false, 0, 0);
  }

  const CORBA::object_reference<RTCORBA::RTORB> rt;
  const CORBA::object_reference<RTCORBA::Current> current;  // the client's

 private:
  static feature::Options with_mapping(const feature::Options& options) {
    return feature::with(options, {"-ORBPriorityMapping", "direct"});
  }
};

// A thread that may change its priority freely.
template <class Body>
void in_a_thread(Body body) {
  std::thread(std::move(body)).join();
}

}  // namespace real_time
