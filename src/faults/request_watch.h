// The operations of the requests that a connection has received.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <takt/base/bytes.h>

#include "threads/locks/priority_mutex.h"

namespace takt::faults {

// Keeps those of the newest requests that have not been answered. One thread passes octets while another
// asks.
class RequestWatch {
 public:
  // The next octets of the connection. Copies the heads of requests.
  void pass(ByteView octets);
  // The operation of a request, which is forgotten; empty if it is not known.
  std::string take(std::uint32_t request_id);

 private:
  static constexpr std::size_t most_requests = 4096, most_head = 8192;

  void begin(ByteView octets);
  void finish();

  std::vector<std::uint8_t> head_;  // first octets of the present message, as far as they have passed
  std::size_t wanted_ = 0;          // size that head_ should get
  std::uint64_t rest_ = 0;          // octets of the message that follow head_
  bool is_lost_ = false;            // octets have passed that begin no message

  os::PriorityMutex mutex_;
  std::map<std::uint32_t, std::string> operations_;  // by request id; guarded by the mutex
};

}  // namespace takt::faults
