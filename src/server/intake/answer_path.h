// The way from a connection's calls to answers that are given after their upcalls have returned.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include <takt/base/gather_buffer.h>
#include <takt/transport/stream.h>

namespace takt::server {

class Server;
class WriteBuffer;

// The place of one late answer among those of its connection.
struct LateTicket {
  std::uint8_t giop_minor = 2;
  std::uint64_t place = 0;  // for the sender's own use
};

// Sends the late answers of one connection. It may outlive the connection; then it drops them. Any thread.
class LateSender {
 public:
  // Limit of answers that are due at a time on one connection. A request beyond it gets TRANSIENT.
  static constexpr std::uint32_t most_due = 65'536;

  // Longer answers are refused.
  explicit LateSender(std::size_t longest) : longest_reply(longest) {}
  virtual ~LateSender() = default;
  const std::size_t longest_reply;
  enum class Begun : std::uint8_t {
    due,       // the answer is noted
    over,      // the connection is: the answer need not be given
    too_many,  // too many answers are due
  };
  // Called in the upcall.
  virtual Begun begin(LateTicket& ticket) = 0;
  // Sends the answer. The message may be cleared or reused afterwards. Null: there was no memory for an
  // answer; the connection ends, so that the client does not wait for it. Blocks only as the connection's
  // strategy does for its own answers.
  virtual void send(const LateTicket& ticket, GatherBuffer* reply) noexcept = 0;
  // Whether an answer is due.
  bool is_due() const { return due_.load(std::memory_order_relaxed) != 0; }
  // The connection is over: answers are dropped from now on. Returns when no thread sends any more.
  virtual void end() noexcept = 0;

 protected:
  std::atomic<std::uint32_t> due_{0};
};

// Implemented by the channels.
class AnswerPath {
 public:
  // Makes the sender for a channel that writes without a lock until then.
  using Share = std::shared_ptr<LateSender> (*)(WriteBuffer& out, transport::Stream& stream, Server& server);

  // Called in the thread of an upcall. `share` is called at most once. Null if only calls over connections
  // can be answered later; is_of_this_process() is true then. May throw std::bad_alloc.
  virtual std::shared_ptr<LateSender> late_sender(Share share) = 0;
  // Whether the caller is in this process, and uses no connection.
  virtual bool is_of_this_process() const { return false; }
  // Whether the caller takes the call to a connection, so that how it ends here is no failure.
  virtual bool is_left() const { return false; }
  // "127.0.0.1:40000"; empty if it is not known. Valid as long as the channel.
  virtual std::string_view peer_address() const { return {}; }
  // Sends an answer that the channel keeps until its thread waits.
  virtual void push_answer() {}

 protected:
  ~AnswerPath() = default;
};

}  // namespace takt::server
