// Real-time CORBA 1.0: priorities from the calling thread to the servant (module RTCORBA).
//
//   auto rt = IDL::traits<RTCORBA::RTORB>::narrow(orb->resolve_initial_references("RTORB"));
//   auto current = IDL::traits<RTCORBA::Current>::narrow(orb->resolve_initial_references("RTCurrent"));
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include <takt/reference/local_object.h>
#include <takt/reference/messaging.h>
#include <takt/reference/policy.h>
#include <takt/rt/protocols.h>
#include <takt/standard/RTCORBAC.h>

namespace takt::rt {
class RealTime;
}
namespace takt::os {
class PriorityMutex;
}

namespace RTCORBA {

class PriorityModelPolicy final : public virtual CORBA::Policy, public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<PriorityModelPolicy>;
  PriorityModelPolicy(PriorityModel model, Priority server_priority)
      : model_(model), server_priority_(server_priority) {}
  PriorityModel priority_model() const { return model_; }
  // For SERVER_DECLARED: of all upcalls. For CLIENT_PROPAGATED: of requests without a priority.
  Priority server_priority() const { return server_priority_; }
  CORBA::PolicyType policy_type() override { return PRIORITY_MODEL_POLICY_TYPE; }
  CORBA::object_reference<CORBA::Policy> copy() override {
    return CORBA::object_reference<CORBA::Policy>(
        std::make_shared<PriorityModelPolicy>(model_, server_priority_));
  }

 private:
  const PriorityModel model_;
  const Priority server_priority_;
};

class ThreadpoolPolicy final : public virtual CORBA::Policy, public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<ThreadpoolPolicy>;
  explicit ThreadpoolPolicy(ThreadpoolId threadpool) : threadpool_(threadpool) {}
  ThreadpoolId threadpool() const { return threadpool_; }
  CORBA::PolicyType policy_type() override { return THREADPOOL_POLICY_TYPE; }
  CORBA::object_reference<CORBA::Policy> copy() override {
    return CORBA::object_reference<CORBA::Policy>(std::make_shared<ThreadpoolPolicy>(threadpool_));
  }

 private:
  const ThreadpoolId threadpool_;
};

// Clients use one connection per band, so that no request waits behind one of another band.
class PriorityBandedConnectionPolicy final : public virtual CORBA::Policy, public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<PriorityBandedConnectionPolicy>;
  explicit PriorityBandedConnectionPolicy(PriorityBands bands) : bands_(std::move(bands)) {}
  const PriorityBands& priority_bands() const { return bands_; }
  CORBA::PolicyType policy_type() override { return PRIORITY_BANDED_CONNECTION_POLICY_TYPE; }
  CORBA::object_reference<CORBA::Policy> copy() override {
    return CORBA::object_reference<CORBA::Policy>(std::make_shared<PriorityBandedConnectionPolicy>(bands_));
  }

 private:
  const PriorityBands bands_;
};

// A reference with this policy has connections that no other reference uses: one, or one for each of the
// server's lanes and bands. Copies count as the same reference; _set_policy_overrides makes a new one. Set it
// on an ORB, a thread or a reference. -ORBClientConnections decides whether threads share a reference's
// connections.
class PrivateConnectionPolicy final : public takt::reference::ClientPolicy {
 public:
  using _ref_type = CORBA::object_reference<PrivateConnectionPolicy>;
  CORBA::PolicyType policy_type() override { return PRIVATE_CONNECTION_POLICY_TYPE; }
  CORBA::object_reference<CORBA::Policy> copy() override {
    return CORBA::object_reference<CORBA::Policy>(std::make_shared<PrivateConnectionPolicy>());
  }
  void apply_to(takt::reference::CallPolicies& policies) const override;
};

// Maps CORBA priorities to native ones and back. Any thread, at any time. Returns false if there is no
// equivalent.
class PriorityMapping {
 public:
  virtual ~PriorityMapping() = default;
  virtual bool to_native(Priority priority, NativePriority& native) const = 0;
  virtual bool to_CORBA(NativePriority native, Priority& priority) const = 0;
};

// The calling thread's priority ("RTCurrent"; RT-CORBA 1.0, 4.6). One object serves all threads.
class Current final : public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<Current>;
  explicit Current(std::shared_ptr<takt::rt::RealTime> real_time) : real_time_(std::move(real_time)) {}

  // Throws INITIALIZE if none has been set. In an upcall, the priority at which it runs.
  Priority the_priority();
  // Sets the thread's priority, which its requests then carry: one system call. Throws BAD_PARAM if it is out
  // of range, DATA_CONVERSION (OMG minor 2) if the mapping has no native priority for it. If the process may
  // not use that, the thread stays at its ordinary priority, which the ORB reports once.
  void the_priority(Priority priority);

 private:
  const std::shared_ptr<takt::rt::RealTime> real_time_;
};

// A mutex with priority inheritance. Not recursive. Each thread unlocks what it has locked, before it ends.
class Mutex final : public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<Mutex>;
  Mutex();
  ~Mutex() override;
  // Blocks without a timeout. Throws BAD_INV_ORDER if the calling thread has locked it.
  void lock();
  // Throws BAD_INV_ORDER if the calling thread has not locked it.
  void unlock();
  // `max_wait` is in units of 100 ns; 0: does not wait.
  bool try_lock(std::uint64_t max_wait);

 private:
  bool is_own() const { return owner_.load(std::memory_order_relaxed) == std::this_thread::get_id(); }

  const std::unique_ptr<takt::os::PriorityMutex> mutex_;
  std::atomic<std::thread::id> owner_{};  // the thread that has locked it
};

// The real-time extensions of an ORB ("RTORB"; RT-CORBA 1.0, 4.5). Any thread.
class RTORB final : public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<RTORB>;
  explicit RTORB(std::shared_ptr<takt::rt::RealTime> real_time) : real_time_(std::move(real_time)) {}

  class InvalidThreadpool final : public CORBA::UserException {
   public:
    const char* _rep_id() const noexcept override {
      return "IDL:omg.org/RTCORBA/RTORB/InvalidThreadpool:1.0";
    }
    const char* _name() const noexcept override { return "InvalidThreadpool"; }
    const char* what() const noexcept override {
      return "RTCORBA::RTORB::InvalidThreadpool: the ORB has no thread pool of that id";
    }
    [[noreturn]] void _raise() const override { throw *this; }
  };

  CORBA::object_reference<Mutex> create_mutex();
  void destroy_mutex(const CORBA::object_reference<Mutex>& mutex);

  // Each lane has its own address, so that the system keeps requests of different priorities apart, and its
  // own threads, which run at its priority. Throws BAD_PARAM for priorities out of range and lanes without
  // threads, and INITIALIZE if a lane's address is in use. Throws NO_RESOURCES if threads are not available,
  // or the processors cannot carry the lanes' declared loads.
  //
  // Without allow_request_buffering a thread reads only the request that it serves, and others wait in their
  // sockets. With it, a further thread of the lane reads them. At most max_buffered_requests requests, and
  // max_request_buffer_size octets, wait in its queue (0: no limit; not both). Further ones get TRANSIENT at
  // once.
  //
  // With allow_borrowing, a request without a free thread in its lane, even a dynamic one, borrows an idle
  // thread of a lower lane, or the next one that becomes idle. Meanwhile that thread runs at the priority of
  // the request's lane. Without buffering, requests that no thread can take at once then get TRANSIENT too.
  // `stacksize` 0: the system's default.
  ThreadpoolId create_threadpool(std::uint32_t stacksize, std::uint32_t static_threads,
                                 std::uint32_t dynamic_threads, Priority default_priority,
                                 bool allow_request_buffering, std::uint32_t max_buffered_requests,
                                 std::uint32_t max_request_buffer_size);
  ThreadpoolId create_threadpool_with_lanes(std::uint32_t stacksize, const ThreadpoolLanes& lanes,
                                            bool allow_borrowing, bool allow_request_buffering,
                                            std::uint32_t max_buffered_requests,
                                            std::uint32_t max_request_buffer_size);
  // Waits for upcalls in progress, up to -ORBShutdownTimeout. Throws BAD_INV_ORDER while an adapter uses the
  // pool.
  void destroy_threadpool(ThreadpoolId threadpool);
  // An extension: calls CORBA::Object::_validate_connection() in each static thread of the pool, at its
  // lane's priority, between two requests. Pool 0 is that of -ORBLanes. Returns false if any of the calls
  // does, and throws what any of them throws. Also throws TIMEOUT if some threads are busy until `bound` is
  // over, InvalidThreadpool, BAD_PARAM for nil, and BAD_INV_ORDER after shutdown. Do not call it from an
  // upcall of the pool, whose thread would wait for itself.
  bool _validate_connection(ThreadpoolId threadpool, const CORBA::object_reference<CORBA::Object>& object,
                            CORBA::PolicyList& inconsistent,
                            std::chrono::nanoseconds bound = std::chrono::seconds(10));

  // These throw BAD_PARAM for priorities out of range and for empty or inverted bands.
  CORBA::object_reference<PriorityModelPolicy> create_priority_model_policy(PriorityModel model,
                                                                            Priority server_priority);
  CORBA::object_reference<ThreadpoolPolicy> create_threadpool_policy(ThreadpoolId threadpool);
  CORBA::object_reference<PriorityBandedConnectionPolicy> create_priority_banded_connection_policy(
      const PriorityBands& bands);
  CORBA::object_reference<PrivateConnectionPolicy> create_private_connection_policy();

  // Policies for Protocol lists (docs/user/protocols.md). They throw BAD_PARAM, with a text, for invalid
  // lists and for protocols that the ORB lacks.
  CORBA::object_reference<ServerProtocolPolicy> create_server_protocol_policy(const ProtocolList& protocols);
  CORBA::object_reference<ClientProtocolPolicy> create_client_protocol_policy(const ProtocolList& protocols);
  CORBA::object_reference<TCPProtocolProperties> create_tcp_protocol_properties(std::int32_t send_buffer_size,
                                                                                std::int32_t recv_buffer_size,
                                                                                bool keep_alive,
                                                                                bool dont_route,
                                                                                bool no_delay);
  CORBA::object_reference<UnixDomainProtocolProperties> create_unix_domain_protocol_properties(
      std::int32_t send_buffer_size, std::int32_t recv_buffer_size);
  CORBA::object_reference<SharedMemoryProtocolProperties> create_shared_memory_protocol_properties(
      std::int32_t send_buffer_size, std::int32_t recv_buffer_size, bool keep_alive, bool dont_route,
      bool no_delay, std::int32_t preallocate_buffer_size, const std::string& mmap_filename,
      const std::string& mmap_lockname);

  // An extension: a mapping of the application's own, instead of -ORBPriorityMapping. Set it before any
  // thread has a priority and any pool exists.
  void _set_priority_mapping(std::shared_ptr<const PriorityMapping> mapping);

 private:
  const std::shared_ptr<takt::rt::RealTime> real_time_;
};

}  // namespace RTCORBA
