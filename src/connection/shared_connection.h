// A stream that many threads send on, and on which the one that leads reads for all.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "connection/channel_registry.h"
#include "connection/client_channel.h"
#include "connection/orb_core.h"
#include "giop/fragment.h"
#include "transport/stream.h"

namespace takt::connection {

// A caller and the reply it waits for, which is copied out of the shared receive buffer.
struct Waiter {
  giop::Event reply;
  std::vector<std::uint8_t> storage;  // what the reply's views point into
  giop::FragmentParts parts;
  Exchange exchange;
  bool answered = false;
  std::condition_variable wake;
};

// Any thread. Lock order: sending before state.
class SharedConnection {
 public:
  SharedConnection(std::unique_ptr<transport::Stream> stream, const CoreOptions& options,
                   std::shared_ptr<ChannelRegistry> registry);
  ~SharedConnection();

  std::uint32_t next_request_id();
  // As ClientChannel::exchange(), for any number of threads at once.
  Exchange exchange(const GatherBuffer& request, std::uint32_t request_id, bool response_expected,
                    std::chrono::nanoseconds timeout, Waiter& waiter);
  std::chrono::nanoseconds usual_timeout() const { return usual_timeout_; }
  bool broken() const { return broken_.load(std::memory_order_relaxed); }
  std::string describe() const { return stream_->describe(); }

 private:
  using Clock = std::chrono::steady_clock;

  bool send(const GatherBuffer& request, std::chrono::nanoseconds timeout, Exchange& exchange);
  void lead(std::unique_lock<std::mutex>& lock, Waiter& own, Clock::time_point deadline);
  void wake_by(Clock::time_point deadline);
  void deliver();
  void hand_over();
  void fail_all(const Exchange& exchange);

  const std::unique_ptr<transport::Stream> stream_;
  const std::shared_ptr<ChannelRegistry> registry_;
  const std::size_t fragment_bytes_;
  const std::size_t max_waiting_;
  const std::chrono::nanoseconds usual_timeout_;
  std::atomic<bool> broken_{false};

  std::mutex sending_;
  std::vector<ByteView> pieces_;
  giop::FragmentHeaders fragment_headers_;

  std::mutex state_;
  giop::Connection protocol_;
  std::unordered_map<std::uint32_t, Waiter*> waiting_;
  bool led_ = false;                       // somebody reads
  std::chrono::nanoseconds read_timeout_;  // of the stream
};

}  // namespace takt::connection
