// The interceptors of one ORB.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <takt/interceptors/interceptors.h>

#include "interceptors/common/ended_adapters.h"
#include "reference/references.h"

namespace takt::adapter {
class AdapterTree;
}

namespace takt::interceptors {

template <class Interceptor>
struct Registered {
  CORBA::object_reference<Interceptor> interceptor;
  std::string name;
  PortableInterceptor::ProcessingMode mode = PortableInterceptor::LOCAL_AND_REMOTE;

  bool sees(bool local) const {
    using namespace PortableInterceptor;
    return mode == LOCAL_AND_REMOTE || mode == (local ? LOCAL_ONLY : REMOTE_ONLY);
  }
};

// In the order of their starting points.
template <class Interceptor>
struct Seeing {
  bool none() const { return first == end; }

  std::vector<Interceptor*> all;
  Interceptor* const* first = nullptr;  // points into `all`
  Interceptor* const* end = nullptr;
};

// Filled by the ORB's initializers, in their thread; immutable afterwards. Any thread. It is large because
// each kind of point has a list.
struct OrbInterceptors {
  OrbInterceptors(std::string orb_id, std::string server_id, reference::References& references);

  const std::string orb_id, server_id;
  const std::uint64_t serial;  // unique in the process
  std::vector<Registered<PortableInterceptor::ClientRequestInterceptor>> clients;
  std::vector<Registered<PortableInterceptor::ServerRequestInterceptor>> servers;
  // Those that see a call over a connection [0] and one within the ORB [1]. Set by settle().
  Seeing<PortableInterceptor::ClientRequestInterceptor> clients_of[2];
  Seeing<PortableInterceptor::ServerRequestInterceptor> servers_of[2];
  std::vector<Registered<PortableInterceptor::IORInterceptor>> iors;
  std::map<CORBA::PolicyType, CORBA::object_reference<PortableInterceptor::PolicyFactory>> factories;
  PortableInterceptor::SlotId slots = 0;
  // Whether calls and requests over connections have points, and no slots. Set by settle().
  bool plain_calls = false, plain_requests = false;
  std::atomic<bool> initializing{true};
  adapter::AdapterTree* adapters = nullptr;  // the ORB's; set before the first request
  reference::References* const references;
  // An interceptor has asked for the adapter of a request, or for what the adapter knows, or an adapter was
  // destroyed: each request keeps its adapter. Stays true.
  std::atomic<bool> shows_adapters{false};
  // Those that were created before that and destroyed since, if there are server interceptors. Requests that
  // have not kept them may be in them.
  EndedAdapters ended_adapters;

  // No more interceptors are added.
  void settle();
  std::uint32_t next_request_id() { return next_request_id_.fetch_add(1, std::memory_order_relaxed); }
  // Throws InvalidSlot.
  void check_slot(PortableInterceptor::SlotId id) const {
    if (id >= slots) throw PortableInterceptor::InvalidSlot();
  }
  // Calls destroy() of all.
  void destroy() noexcept;

 private:
  std::atomic<std::uint32_t> next_request_id_{1};
};

}  // namespace takt::interceptors
