// The late answers of a connection that one thread at a time serves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include <takt/base/gather_buffer.h>
#include <takt/transport/stream.h>

#include "os/poll/shared_poll.h"
#include "server/intake/answer_path.h"
#include "server/output/write_buffer.h"
#include "server/server.h"

namespace takt::server {

// From its construction on, the connection's own thread and those that give late answers lock to write. Each
// message leaves at once, in the thread that has it, with two exceptions. What the peer of a non-blocking
// stream does not read at once is left to the LateWriter. And on GIOP 1.0 and 1.1, where an answer is due to
// an earlier request, the message waits for that answer, because replies leave in the order of their
// requests.
class LateReplies final : public LateSender,
                          public SharedWriting,
                          public std::enable_shared_from_this<LateReplies> {
 public:
  // The arguments must outlive end().
  static std::shared_ptr<LateSender> make(WriteBuffer& out, transport::Stream& stream, Server& server);

  LateReplies(WriteBuffer& out, transport::Stream& stream, Server& server);

  Begun begin(LateTicket& ticket) override;
  void send(const LateTicket& ticket, GatherBuffer* reply) noexcept override;
  void end() noexcept override;
  // Called by the connection's own thread.
  bool send(GatherBuffer& message) override;

  // Called by the LateWriter. Writes what the peer reads, and watches the stream for more. False: nothing is
  // left to write.
  bool write_on(os::SharedPoll& poll) noexcept;

 private:
  // A message in order of requests; without octets while the answer is due.
  struct Place {
    bool is_due = true;
    std::vector<std::uint8_t> octets;
  };

  bool send_in_order(const LateTicket& ticket, GatherBuffer& reply);
  bool hold(Place& place, GatherBuffer& message);
  bool send_held();
  void note_kept();
  void fail() noexcept;

  // Guarded by the mutex:
  WriteBuffer* out_;  // null after end()
  transport::Stream& stream_;
  Server& server_;
  std::deque<Place> in_order_;
  std::uint64_t first_place_ = 0;  // the number of the first in in_order_
  std::size_t held_bytes_ = 0;
  bool is_watched_ = false;  // the LateWriter has it
};

}  // namespace takt::server
