// Serves each client's shared-memory rings from a thread of its own.
#pragma once

#include <thread>

#include "common/workload.h"
#include "ring.h"
#include "socket.h"
#include "wire.h"

namespace bench::raw {

template <bool spin>
[[noreturn]] void serve_rings(const Listener& listener, Sink& sink) {
  for (;;)
    std::thread([&sink, channel = RingChannel::accept(listener.accept(), spin)]() mutable {
      Connection connection(sink);
      while (connection.serve_one_read(channel)) {
      }
    }).detach();
}

}  // namespace bench::raw
