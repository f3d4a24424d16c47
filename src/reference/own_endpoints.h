// Endpoints at which this ORB listens.
#pragma once

#include <mutex>
#include <vector>

#include <takt/transport/endpoint.h>

#include "giop/header/messaging.h"
#include "threads/locks/priority_mutex.h"

namespace takt::reference {

// Any thread; each function locks briefly.
class OwnEndpoints {
 public:
  // Sets the endpoints of our objects, most preferred first. Call once listening; before it, references to
  // our objects are local only.
  void publish(std::vector<transport::Endpoint> endpoints);
  std::vector<transport::Endpoint> published() const;
  // Adds endpoints at which we listen for some of our objects, and their messaging.
  void add(const std::vector<transport::Endpoint>& endpoints, const giop::Messaging& messaging);
  bool has(const transport::Endpoint& endpoint) const;
  // The messaging at our endpoint; `usual` if add() has not set one.
  giop::Messaging messaging_at(const transport::Endpoint& endpoint, const giop::Messaging& usual) const;

 private:
  struct Own {
    transport::Endpoint endpoint;
    giop::Messaging messaging;
  };
  mutable os::PriorityMutex mutex_;
  std::vector<transport::Endpoint> published_;
  std::vector<Own> others_;
};

}  // namespace takt::reference
