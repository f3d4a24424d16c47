#include "queued/filter_chain.h"

#include <iostream>
#include <syncstream>
#include <utility>

#include <takt/reference/object.h>

#include "queued/order/request_order.h"
#include "reference/object_ref.h"

namespace takt {

bool ArrivedRequest::is_for(const CORBA::Object& object) const {
  const auto& reference = object._ref();
  if (!reference) return false;
  const ByteView key = reference->local_key();
  return !key.empty() && std::ranges::equal(key, object_key);
}

ThreadingFramework::ThreadingFramework(std::shared_ptr<server::FilterChain> chain)
    : chain_(std::move(chain)) {}
RequestQueueId ThreadingFramework::add_queue(const RequestQueueOptions& options) {
  return chain_->add_queue(options);
}
void ThreadingFramework::add_filter(std::shared_ptr<RequestFilter> filter) {
  chain_->add_filter(std::move(filter));
}
ThreadingFramework::Statistics ThreadingFramework::statistics() const { return chain_->statistics(); }

}  // namespace takt

namespace takt::server {

namespace {
void count(std::atomic<std::uint64_t>& counter) { counter.fetch_add(1, std::memory_order_relaxed); }

void prepare_thread(const std::string& name, const std::function<void()>& prepare) noexcept try {
  prepare();
} catch (const std::exception& failure) {
  std::osyncstream(std::cerr) << "takt: a thread of queue " << name
                              << " continues although its preparation failed: " << failure.what() << "\n";
} catch (...) {
  std::osyncstream(std::cerr) << "takt: a thread of queue " << name
                              << " continues although its preparation failed\n";
}
}  // namespace

FilterChain::FilterChain(const PoolThreads& default_queue, std::chrono::nanoseconds budget)
    : budget_(budget), queues_{default_queue} {}

void FilterChain::require_open() const {
  if (closed_)
    throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO,
                               "the ORB listens: filters and queues are for the time before the root POA is "
                               "first asked for");
}

RequestQueueId FilterChain::add_queue(const RequestQueueOptions& options) {
  if (options.threads == 0)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           std::string("queue ").append(options.name).append(" needs a thread"));
  std::lock_guard lock(mutex_);
  require_open();
  queues_.push_back({.standing = options.threads,
                     .added = options.added_threads,
                     .stack_bytes = options.stack_bytes,
                     .name = options.name,
                     .begin = queues_.front().begin,
                     .buffer = std::make_shared<const BufferBounds>(options.max_waiting),
                     .order = options.own_order ? options.own_order : &request_order(options.order),
                     .urgencies = queues_.front().urgencies});
  if (options.prepare)
    queues_.back().prepare = [name = options.name, prepare = options.prepare] {
      prepare_thread(name, prepare);
    };
  return static_cast<RequestQueueId>(queues_.size() - 1);
}

void FilterChain::add_filter(std::shared_ptr<RequestFilter> filter) {
  if (!filter) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a null request filter");
  std::lock_guard lock(mutex_);
  require_open();
  filters_.push_back(std::move(filter));
}

void FilterChain::add_schedule() {
  std::lock_guard lock(mutex_);
  require_open();
  filters_.push_back(nullptr);
}

PoolThreads FilterChain::default_queue() const {
  std::lock_guard lock(mutex_);
  return queues_.front();
}

void FilterChain::close() {
  std::lock_guard lock(mutex_);
  closed_ = true;
}

RequestQueueId FilterChain::choose(const ArrivedRequest& request, const RequestTiming* timing) {
  std::optional<RequestQueueId> chosen;
  try {
    for (const auto& filter : filters_) {
      if (filter)
        chosen = filter->choose(request);
      else if (timing && timing->queue != RequestTiming::no_queue)
        chosen = timing->queue;
      if (chosen) break;
    }
  } catch (const CORBA::SystemException&) {
    count(refused_);
    throw;
  } catch (...) {
    count(failed_);
    throw CORBA::UNKNOWN(0, CORBA::COMPLETED_NO,
                         "a request filter threw an exception that is not a system exception");
  }
  if (chosen && *chosen >= queues_.size()) {
    count(failed_);
    throw CORBA::UNKNOWN(0, CORBA::COMPLETED_NO, "a request filter chose a queue that does not exist");
  }
  count(chosen ? chosen_ : passed_);
  return chosen.value_or(ThreadingFramework::default_queue);
}

[[gnu::cold]] std::string FilterChain::note_late() {
  if (late_.fetch_add(1, std::memory_order_relaxed) != 0) return {};
  return "a request filter takes more than " +
         std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(budget_.get()).count()) +
         " us (-ORBFilterBudget); it must not wait";
}

void FilterChain::refuse_unfiltered() {
  count(unfiltered_);
  throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "the filters that pick a request's thread do not return");
}

ThreadingFramework::Statistics FilterChain::statistics() const {
  return {.chosen = chosen_,
          .passed = passed_,
          .refused = refused_,
          .failed = failed_,
          .late = late_,
          .unfiltered = unfiltered_};
}

}  // namespace takt::server
