// Where this ORB listens.
#pragma once

#include <mutex>
#include <vector>

#include <takt/transport/endpoint.h>

#include "giop/header/messaging.h"
#include "os/threads/priority_mutex.h"

namespace takt::reference {

// Any thread; each function locks, briefly.
class OwnPlaces {
 public:
  // Where our own objects are found, in order of preference. Set once listening; before it, references
  // to our objects are local only.
  void publish(std::vector<transport::Endpoint> endpoints);
  std::vector<transport::Endpoint> published() const;
  // We listen there too, for some of our objects, with that messaging.
  void add(const std::vector<transport::Endpoint>& endpoints, const giop::Messaging& messaging);
  bool has(const transport::Endpoint& endpoint) const;
  // With which messaging we listen there; `usual` where add() has not said.
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
