// Patterns of endpoints, as users configure them.
#pragma once

#include <initializer_list>
#include <mutex>
#include <vector>

#include <takt/transport/endpoint.h>

#include "threads/locks/priority_mutex.h"

namespace takt::reference {

// A list that only grows. Any thread.
class EndpointFilter {
 public:
  EndpointFilter() = default;
  EndpointFilter(std::initializer_list<transport::Endpoint> places) : places_(places) {}

  // Port 0 matches every port. Host names are compared as references state them and never resolved, so that
  // no name server can influence the result. "*" matches every host, "10.1.*" every numeric address with that
  // prefix, "*.example.com" every name with that suffix.
  void add(transport::Endpoint place);
  bool has(const transport::Endpoint& endpoint) const;

 private:
  mutable os::PriorityMutex mutex_;
  std::vector<transport::Endpoint> places_;
};

}  // namespace takt::reference
