#include "dynamic/request/orb_requests.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace takt::dynamic {

void OrbRequests::send_oneway(const CORBA::RequestSeq& requests) {
  for (const Reference& request : requests) request->send_oneway_quietly();
}

void OrbRequests::send_deferred(const CORBA::RequestSeq& requests) {
  {
    const std::lock_guard lock(arrivals_->mutex);
    drop_taken();
  }
  for (const Reference& request : requests) {
    request->send_deferred_for(arrivals_);
    std::lock_guard lock(arrivals_->mutex);
    sent_.push_back({request, request->completion_});
    arrivals_->changed.notify_all();
  }
}

void OrbRequests::drop_taken() {
  std::erase_if(sent_, [](const Sent& one) { return one.completion->is_taken(); });
}

void OrbRequests::require_some() {
  drop_taken();
  if (sent_.empty())
    throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(11), CORBA::COMPLETED_NO,
                               "no requests have been sent whose replies are to be taken");
}

std::deque<OrbRequests::Sent>::iterator OrbRequests::find_finished() {
  return std::ranges::find_if(sent_, [](const Sent& one) { return one.completion->is_set(); });
}

bool OrbRequests::poll_next() {
  std::lock_guard lock(arrivals_->mutex);
  require_some();
  return find_finished() != sent_.end();
}

OrbRequests::Reference OrbRequests::get_next() {
  Reference next;
  {
    os::PriorityCondition::Lock lock(arrivals_->mutex);
    require_some();
    arrivals_->changed.wait(lock, [this] {
      drop_taken();
      return sent_.empty() || find_finished() != sent_.end();
    });
    require_some();  // another thread may have taken the last
    const auto finished = find_finished();
    next = std::move(finished->request);
    sent_.erase(finished);
    if (sent_.empty()) arrivals_->changed.notify_all();
  }
  next->take_quietly();
  return next;
}

}  // namespace takt::dynamic
