// State of an ORB's dynamic requests.
#pragma once

#include <deque>

#include <takt/dynamic/request.h>

#include "dynamic/request/request_completion.h"

namespace takt::dynamic {

// Keeps requests that were sent together until their replies are taken. Any thread.
class OrbRequests {
 public:
  using Reference = CORBA::object_reference<CORBA::Request>;

  // The functions of CORBA::ORB with these names.
  static void send_oneway(const CORBA::RequestSeq& requests);
  void send_deferred(const CORBA::RequestSeq& requests);
  bool poll_next();
  Reference get_next();

  const CORBA::object_reference<CORBA::Context>& default_context() const { return default_context_; }

 private:
  struct Sent {
    Reference request;
    std::shared_ptr<const RequestCompletion> completion;  // another one if the request is sent again
  };
  // All three require the lock. The program may have taken a reply from its request.
  void drop_taken();
  void require_some();
  std::deque<Sent>::iterator find_finished();

  const CORBA::object_reference<CORBA::Context> default_context_ = CORBA::make_reference<CORBA::Context>();
  const std::shared_ptr<Arrivals> arrivals_ = std::make_shared<Arrivals>();  // the mutex guards sent_
  std::deque<Sent> sent_;                                                    // oldest first
};

}  // namespace takt::dynamic
