// The threading framework: a chain of request filters that chooses the threads for each request
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
class RequestOrder;
}  // namespace server

// The order in which waiting requests are served. Requests that are equal in this order are served by
// importance (Quality), and those of equal importance in order of arrival. In `temporal` order importance has
// no effect.
enum class QueueOrder : std::uint8_t {
  temporal,    // in order of arrival
  importance,  // the most important first; requests that state no importance have 0
  priority,    // the highest RT-CORBA priority of the request first; those without one last
  deadline,    // the earliest deadline first (EDF); those without one last
  // These use the operation's entry in the schedule (takt/rt/schedule.h). Operations without an entry are
  // last.
  fixed,    // the highest priority first, then the lowest sub-priority (RMS)
  laxity,   // the least time left before it must begin to meet its deadline (MLF)
  urgency,  // critical operations first, then by laxity, then as `fixed` (MUF)
};

// The number of a queue, from add_queue().
using RequestQueueId = std::uint32_t;

// A request as a filter sees it. The request and its views are valid until choose() returns.
class ArrivedRequest {
 public:
  std::string_view operation;
  ByteView object_key;
  std::int16_t priority = -1;  // RT-CORBA priority; -1: the request has none
  // The rest of the request's quality; these defaults if it carries none.
  std::uint32_t importance = 0;
  Quality::Clock::time_point deadline = Quality::no_deadline;
  bool response_expected = true;
  std::size_t body_octets = 0;   // size of the arguments
  std::uint64_t connection = 0;  // number of its connection, unique in the process

  // Whether the request is for `object`, which must be a reference of this ORB's adapters. Neither locks nor
  // allocates.
  bool is_for(const CORBA::Object& object) const;
  // The data of the first service context with that id, as sent; nullopt if there is none.
  virtual std::optional<ByteView> service_context(std::uint32_t id) const = 0;
  // The client's address, as text. Allocates.
  virtual std::string peer() const = 0;

 protected:
  ~ArrivedRequest() = default;
};

// One link of the chain.
//
// A filter runs in the thread that reads requests, after the request's header was read and before its object
// is looked up. It must therefore be quick, and neither wait nor make remote calls. A filter that takes
// longer than -ORBFilterBudget is counted, and reported once in the ORB's log. It delays only the connection
// of its request, because another thread takes over the reading. When four filters are late at the same time,
// arriving requests get TRANSIENT without passing the chain, until one of the four returns.
class RequestFilter {
 public:
  virtual ~RequestFilter() = default;
  // Returns the queue for the request, or nullopt to let the next filter decide. If it throws a system
  // exception, the client gets that exception; give it COMPLETED_NO. For any other exception, or a queue that
  // does not exist, the client gets UNKNOWN with COMPLETED_NO. Called by one thread at a time, except while a
  // call is late.
  virtual std::optional<RequestQueueId> choose(const ArrivedRequest& request) = 0;
};

// A queue with threads of its own.
struct RequestQueueOptions {
  std::string name = "takt-queue";  // also names the threads
  unsigned threads = 1;             // started when the ORB begins to listen
  unsigned added_threads = 0;       // limit of threads added while all others are busy
  std::size_t max_waiting = 1000;   // limit of requests that wait for a thread; more get TRANSIENT
  QueueOrder order = QueueOrder::temporal;
  // An order of the program's own, which replaces `order`; must outlive the ORB. Null: `order`.
  const server::RequestOrder* own_order = nullptr;
  std::size_t stack_bytes = 0;  // 0: the system's default
  // Runs first in each thread, for example to set its priority. If it throws, this is reported on standard
  // error and the thread continues.
  std::function<void()> prepare = {};
};

// The filter chain and the queues of one ORB. Any thread.
class ThreadingFramework final : public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<ThreadingFramework>;
  // The queue of requests for which no filter chooses a queue. -ORBServerThreads, -ORBMaxQueuedRequests and
  // -ORBQueueOrder set its threads, length and order.
  static constexpr RequestQueueId default_queue = 0;

  // Counts since the ORB was made.
  struct Statistics {
    std::uint64_t chosen = 0;   // requests for which a filter chose a queue
    std::uint64_t passed = 0;   // requests for which no filter did
    std::uint64_t refused = 0;  // requests refused by a system exception of a filter
    std::uint64_t failed = 0;   // filters that threw another exception, or chose a queue that does not exist
    std::uint64_t late = 0;     // filters that took longer than their budget
    std::uint64_t unfiltered = 0;  // requests refused because too many filters were late
  };

  explicit ThreadingFramework(std::shared_ptr<server::FilterChain> chain);

  // Call both before the first request for the root POA; they throw BAD_INV_ORDER afterwards, because the
  // chain is then read without a lock. They throw BAD_PARAM for a queue without threads and for a null
  // filter.
  RequestQueueId add_queue(const RequestQueueOptions& options);
  // Appends the filter to the chain.
  void add_filter(std::shared_ptr<RequestFilter> filter);

  Statistics statistics() const;

 private:
  const std::shared_ptr<server::FilterChain> chain_;
};

}  // namespace takt
