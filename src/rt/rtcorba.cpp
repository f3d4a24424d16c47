#include <takt/rt/rtcorba.h>

#include "reference/policies/call_policies.h"
#include "rt/mutex_wait.h"
#include "rt/protocol_choices.h"
#include "rt/real_time.h"
#include "threads/locks/priority_mutex.h"

namespace RTCORBA {

using takt::rt::ThreadPriority;

namespace {

void require_in_range(Priority priority) {
  if (priority < minPriority)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "priority " + std::to_string(priority) + " is not from 0 to 32767");
}

std::shared_ptr<const takt::server::BufferBounds> bounds(bool allow_request_buffering, std::uint32_t requests,
                                                         std::uint32_t octets) {
  if (!allow_request_buffering) return {};
  if (requests == 0 && octets == 0)
    throw CORBA::BAD_PARAM(
        0, CORBA::COMPLETED_NO,
        "max_buffered_requests and max_request_buffer_size are both 0: one must be a bound");
  return std::make_shared<const takt::server::BufferBounds>(requests == 0 ? SIZE_MAX : requests, octets);
}

}  // namespace

Priority Current::the_priority() {
  const auto priority = ThreadPriority::present().priority;
  if (priority < 0)
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO, "the thread's the_priority has not been set");
  return priority;
}

void Current::the_priority(Priority priority) { real_time_->priorities()->run_at(priority); }

Mutex::Mutex() : mutex_(std::make_unique<takt::os::PriorityMutex>()) {}
Mutex::~Mutex() = default;

void Mutex::lock() {
  if (is_own()) throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO, "the thread has locked the mutex already");
  mutex_->lock();
  owner_.store(std::this_thread::get_id(), std::memory_order_relaxed);
}

void Mutex::unlock() {
  if (!is_own()) throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO, "the thread has not locked the mutex");
  owner_.store({}, std::memory_order_relaxed);
  mutex_->unlock();
}

bool Mutex::try_lock(std::uint64_t max_wait) {
  const bool locked =
      max_wait == 0 ? mutex_->try_lock()
                    : mutex_->try_lock_until(std::chrono::steady_clock::now() + takt::rt::time_of(max_wait));
  if (locked) owner_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  return locked;
}

CORBA::object_reference<Mutex> RTORB::create_mutex() { return CORBA::make_reference<Mutex>(); }
void RTORB::destroy_mutex(const CORBA::object_reference<Mutex>&) {}  // freed with its last reference

void PrivateConnectionPolicy::apply_to(takt::reference::CallPolicies& policies) const {
  policies.private_connection = true;
}

ThreadpoolId RTORB::create_threadpool(std::uint32_t stacksize, std::uint32_t static_threads,
                                      std::uint32_t dynamic_threads, Priority default_priority,
                                      bool allow_request_buffering, std::uint32_t max_buffered_requests,
                                      std::uint32_t max_request_buffer_size) {
  return real_time_->pools().make_pool(
      stacksize, {{default_priority, static_threads, dynamic_threads}}, {},
      bounds(allow_request_buffering, max_buffered_requests, max_request_buffer_size));
}

ThreadpoolId RTORB::create_threadpool_with_lanes(std::uint32_t stacksize, const ThreadpoolLanes& lanes,
                                                 bool allow_borrowing, bool allow_request_buffering,
                                                 std::uint32_t max_buffered_requests,
                                                 std::uint32_t max_request_buffer_size) {
  return real_time_->pools().make_pool(
      stacksize, lanes, {.has_lanes = true, .lend_threads = allow_borrowing},
      bounds(allow_request_buffering, max_buffered_requests, max_request_buffer_size));
}

void RTORB::destroy_threadpool(ThreadpoolId threadpool) { real_time_->pools().destroy_pool(threadpool); }

bool RTORB::_validate_connection(ThreadpoolId threadpool,
                                 const CORBA::object_reference<CORBA::Object>& object,
                                 CORBA::PolicyList& inconsistent, std::chrono::nanoseconds bound) {
  return real_time_->pools().validate_connection(threadpool, object, inconsistent, bound);
}

CORBA::object_reference<PriorityModelPolicy> RTORB::create_priority_model_policy(PriorityModel model,
                                                                                 Priority server_priority) {
  require_in_range(server_priority);
  return CORBA::make_reference<PriorityModelPolicy>(model, server_priority);
}

CORBA::object_reference<ThreadpoolPolicy> RTORB::create_threadpool_policy(ThreadpoolId threadpool) {
  return CORBA::make_reference<ThreadpoolPolicy>(threadpool);
}

CORBA::object_reference<PriorityBandedConnectionPolicy> RTORB::create_priority_banded_connection_policy(
    const PriorityBands& bands) {
  if (bands.empty()) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "no bands of priorities");
  for (const PriorityBand& band : bands) {
    require_in_range(band.low());
    if (band.high() < band.low())
      throw CORBA::BAD_PARAM(
          0, CORBA::COMPLETED_NO,
          "a band from " + std::to_string(band.low()) + " down to " + std::to_string(band.high()));
  }
  return CORBA::make_reference<PriorityBandedConnectionPolicy>(bands);
}

CORBA::object_reference<PrivateConnectionPolicy> RTORB::create_private_connection_policy() {
  return CORBA::make_reference<PrivateConnectionPolicy>();
}

CORBA::object_reference<ServerProtocolPolicy> RTORB::create_server_protocol_policy(
    const ProtocolList& protocols) {
  real_time_->pools().require(takt::rt::choices_of_server(protocols));
  return CORBA::make_reference<ServerProtocolPolicy>(protocols);
}

CORBA::object_reference<ClientProtocolPolicy> RTORB::create_client_protocol_policy(
    const ProtocolList& protocols) {
  real_time_->pools().require(takt::rt::choices_of(protocols));
  return CORBA::make_reference<ClientProtocolPolicy>(protocols);
}

CORBA::object_reference<TCPProtocolProperties> RTORB::create_tcp_protocol_properties(
    std::int32_t send_buffer_size, std::int32_t recv_buffer_size, bool keep_alive, bool dont_route,
    bool no_delay) {
  return CORBA::make_reference<TCPProtocolProperties>(send_buffer_size, recv_buffer_size, keep_alive,
                                                      dont_route, no_delay);
}

CORBA::object_reference<UnixDomainProtocolProperties> RTORB::create_unix_domain_protocol_properties(
    std::int32_t send_buffer_size, std::int32_t recv_buffer_size) {
  return CORBA::make_reference<UnixDomainProtocolProperties>(send_buffer_size, recv_buffer_size);
}

CORBA::object_reference<SharedMemoryProtocolProperties> RTORB::create_shared_memory_protocol_properties(
    std::int32_t send_buffer_size, std::int32_t recv_buffer_size, bool keep_alive, bool dont_route,
    bool no_delay, std::int32_t preallocate_buffer_size, const std::string& mmap_filename,
    const std::string& mmap_lockname) {
  return CORBA::make_reference<SharedMemoryProtocolProperties>(send_buffer_size, recv_buffer_size, keep_alive,
                                                               dont_route, no_delay, preallocate_buffer_size,
                                                               mmap_filename, mmap_lockname);
}

void RTORB::_set_priority_mapping(std::shared_ptr<const PriorityMapping> mapping) {
  real_time_->priorities()->set_mapping(std::move(mapping));
}

}  // namespace RTCORBA
