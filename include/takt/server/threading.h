// The threading framework: a chain of request filters that picks the threads which serve a request
// (-ORBServerConcurrency threading-framework).
//
//   auto threading = IDL::traits<takt::ThreadingFramework>::narrow(
//       orb->resolve_initial_references("ThreadingFramework"));
//   const auto urgent = threading->add_queue({.name = "urgent", .threads = 2});
//   threading->add_filter(std::make_shared<StopsFirst>(urgent));
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <takt/base/bytes.h>
#include <takt/reference/local_object.h>
#include <takt/reference/quality.h>

namespace takt {

namespace server {
class FilterChain;
}

// In which order requests that wait are taken. Of those that it does not tell apart, the more important
// (Quality) go first, but not where the order is temporal; those of one importance are taken as they came.
enum class QueueOrder : std::uint8_t {
  temporal,    // as they came
  importance,  // the most important first; those whose client does not say have importance 0
  priority,    // the highest first, those without one last; clients say which
  deadline,    // the earliest first (EDF), those without one last
  // By the schedule of the operation (takt/rt/schedule.h); those that have none last:
  fixed,    // the highest priority first, then the lowest sub-priority, as where rates decide (RMS)
  laxity,   // the least time until it must begin to be done by its deadline (MLF)
  urgency,  // critical ones first, then by laxity, then as fixed (MUF)
};

// A number that add_queue() gives.
using RequestQueueId = std::uint32_t;

// What a filter sees of a request. Valid until choose() returns, views included.
class ArrivedRequest {
 public:
  std::string_view operation;
  ByteView object_key;
  std::int16_t priority = -1;  // RT-CORBA's; -1: the request has none
  // What else it says of its quality, if it does.
  std::uint32_t importance = 0;
  Quality::Clock::time_point deadline = Quality::no_deadline;
  bool response_expected = true;
  std::size_t body_octets = 0;   // of its arguments
  std::uint64_t connection = 0;  // by which it came; no other connection of the process has the number

  // Whether it is for that object, a reference of this ORB's adapters. Neither locks nor allocates.
  bool is_for(const CORBA::Object& object) const;
  // The data of the first service context with that id, as it was sent.
  virtual std::optional<ByteView> service_context(std::uint32_t id) const = 0;
  // The client's address, in words. Allocates.
  virtual std::string peer() const = 0;

 protected:
  ~ArrivedRequest() = default;
};

// One link of the chain.
//
// It runs in the thread that reads requests, after the request's head has been read and before its object is
// looked for. So it must be quick: no waiting, no calls to elsewhere. One that takes longer than
// -ORBFilterBudget is counted, said once on standard error, and holds up no other connection than its
// request's: another thread reads on in its place. When four are held up like that at once, requests that
// arrive get TRANSIENT without passing the chain, until one of the four is back.
class RequestFilter {
 public:
  virtual ~RequestFilter() = default;
  // The queue for the request; nothing: the next filter decides. A system exception that it throws is the
  // client's answer; any other exception becomes UNKNOWN, and so does a queue that there is not; all with
  // COMPLETED_NO. One thread at a time, unless one is held up.
  virtual std::optional<RequestQueueId> choose(const ArrivedRequest& request) = 0;
};

// A queue with threads of its own.
struct RequestQueueOptions {
  std::string name = "takt-queue";  // of its threads, too
  unsigned threads = 1;             // started when the ORB begins to listen
  unsigned added_threads = 0;       // at most, while all others are busy
  std::size_t max_waiting = 1000;   // requests, while all threads are busy; more get TRANSIENT
  QueueOrder order = QueueOrder::temporal;
  std::size_t stack_bytes = 0;  // 0: the system's default
  // First of all in each thread, as to set its priority. Where it throws, the thread goes on, and standard
  // error says so.
  std::function<void()> prepare = {};
};

// Of one ORB. Any thread.
class ThreadingFramework final : public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<ThreadingFramework>;
  // Its threads are -ORBServerThreads, its length -ORBMaxQueuedRequests, its order -ORBQueueOrder. What no
  // filter has chosen another queue for goes there.
  static constexpr RequestQueueId default_queue = 0;

  // Since the ORB was made.
  struct Statistics {
    std::uint64_t chosen = 0;      // some filter chose a queue
    std::uint64_t passed = 0;      // none did
    std::uint64_t refused = 0;     // by a system exception of a filter
    std::uint64_t failed = 0;      // by another, or a queue that there is not
    std::uint64_t late = 0;        // filters that took longer than their budget
    std::uint64_t unfiltered = 0;  // refused since too many filters were held up
  };

  explicit ThreadingFramework(std::shared_ptr<server::FilterChain> chain);

  // Both are for the time before the root POA is first asked for: BAD_INV_ORDER from then on, so that the
  // chain can be walked without a lock. BAD_PARAM for a queue without threads, and for null.
  RequestQueueId add_queue(const RequestQueueOptions& options);
  // At the end of the chain.
  void add_filter(std::shared_ptr<RequestFilter> filter);

  Statistics statistics() const;

 private:
  const std::shared_ptr<server::FilterChain> chain_;
};

}  // namespace takt
