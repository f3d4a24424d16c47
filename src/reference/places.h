// Addresses, as whoever runs a program lists them.
#pragma once

#include <initializer_list>
#include <mutex>
#include <vector>

#include <takt/transport/endpoint.h>

#include "os/threads/priority_mutex.h"

namespace takt::reference {

// A list that only grows. Any thread.
class Places {
 public:
  Places() = default;
  Places(std::initializer_list<transport::Endpoint> places) : places_(places) {}

  // Port 0 stands for every port. A host is taken by what references call it and is never resolved, so that
  // nobody's name server has a say: "*" is every host, "10.1.*" every one that goes on in numbers, and
  // "*.example.com" every one that ends so.
  void add(transport::Endpoint place);
  bool has(const transport::Endpoint& endpoint) const;

 private:
  mutable os::PriorityMutex mutex_;
  std::vector<transport::Endpoint> places_;
};

}  // namespace takt::reference
