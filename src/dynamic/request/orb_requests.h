// What an ORB knows of requests that nobody compiled.
#pragma once

#include <deque>

#include <takt/dynamic/request.h>

#include "dynamic/request/completion.h"

namespace takt::dynamic {

// Those that several were sent with, until their replies are taken; any thread.
class OrbRequests {
 public:
  using Reference = CORBA::object_reference<CORBA::Request>;

  // As CORBA::ORB has them.
  static void send_oneway(const CORBA::RequestSeq& requests);
  void send_deferred(const CORBA::RequestSeq& requests);
  bool poll_next();
  Reference get_next();

  const CORBA::object_reference<CORBA::Context>& default_context() const { return default_context_; }

 private:
  void require_some() const;
  // With the lock held.
  std::deque<Reference>::iterator find_finished();

  const CORBA::object_reference<CORBA::Context> default_context_ = CORBA::make_reference<CORBA::Context>();
  const std::shared_ptr<Arrivals> arrivals_ = std::make_shared<Arrivals>();  // its mutex is for sent_
  std::deque<Reference> sent_;                                               // the oldest first
};

}  // namespace takt::dynamic
