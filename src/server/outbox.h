// Replies on their way out of one connection.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/base/gather_buffer.h>
#include <takt/base/live_setting.h>
#include <takt/base/memory_charge.h>
#include <takt/base/probe_site.h>
#include <takt/transport/stream.h>

#include "giop/compression/compressor.h"
#include "giop/fragments/fragment.h"
#include "giop/header/message_header.h"
#include "giop/header/version.h"
#include "os/poll/interest.h"

namespace takt::server {

// Nearly always a message goes out in one system call. On a blocking stream send() stays until all is out;
// the stream's timeout bounds each wait for a peer that does not read, and ten times that all of them. On one
// that does not block, what the peer would not take is kept for flush(), as far as there is memory for it: a
// peer that sends requests and takes no replies loses its connection. One thread at a time.
class Outbox {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Flushed : std::uint8_t { all, some, failed };

  // The stream and `patience`, how long the peer may take nothing, outlive it. `fragment_bytes`: longer
  // messages go in fragments; 0: none do. `memory`: what is kept is counted against; null, or outlives it.
  Outbox(transport::Stream& stream, std::size_t fragment_bytes,
         const LiveSetting<std::chrono::nanoseconds>& patience, MemoryBudget* memory = nullptr)
      : stream_(stream), fragment_bytes_(fragment_bytes), patience_(patience), unsent_memory_(memory) {}

  // The peer takes compressed messages, as it wants them: long ones go so from now on, and the next reply
  // tells it that we take them, too.
  void compress(const giop::compression::Settings& settings, std::uint16_t own_expansion,
                const giop::compression::MethodList& methods, giop::compression::Wanted wanted);
  // Completes the message and sends it, after whatever waits; nothing of it is needed afterwards, and what it
  // keeps goes. False: the connection is over.
  bool send(GatherBuffer& message) {
    giop::finish_message(message);
    const std::size_t size = message.size();
    if (message.contiguous() && size <= untouched_bytes_ && !waiting()) [[likely]] {
      TAKT_PROBE(server_transport_send);
      const transport::IoResult result = stream_.write({message.owned(), size});
      TAKT_PROBE(server_done);
      if (result.status == transport::IoStatus::ok && result.bytes == size) [[likely]]
        return true;
      return send_rest(message, result);
    }
    return send_in_pieces(message);
  }
  // CloseConnection, after whatever waits. False: the connection is over.
  bool close(giop::Version version);
  // Something was kept.
  bool waiting() const { return !unsent_.empty(); }
  // What the stream's handle is to be ready for, for whoever has that told: what waits can go on then, or, if
  // nothing does, there is something to read.
  os::Interest waits_for() const {
    return waiting() && !stream_.write_waits_for_read() ? os::Interest::write : os::Interest::read;
  }
  // A message has left in part, and its rest is lost: nothing may follow.
  bool cut() const { return cut_; }
  // That was because there was no memory to keep it.
  bool out_of_memory() const { return out_of_memory_; }
  std::size_t kept_bytes() const { return unsent_.size() - unsent_from_; }
  // Goes on with it.
  Flushed flush();
  // Sends the connection's last octets, behind what was kept; waits for the peer to take them, until then.
  // Nothing follows a message of which a part is lost.
  void end_with(ByteView last, Clock::time_point until);
  // The peer has had its time to take what is kept.
  bool overdue(Clock::time_point now) const;

 private:
  bool begin_to_end(ByteView last);
  bool send_rest(GatherBuffer& message, const transport::IoResult& sent);
  bool send_in_pieces(GatherBuffer& message);
  bool send_pieces();
  transport::IoStatus write_some();
  bool keep(std::span<const ByteView> pieces);

  // Longer messages do not leave their memory behind in the buffer that they were encoded in.
  static constexpr std::size_t short_bytes = 256 * 1024;
  static std::size_t untouched(std::size_t most) { return most < short_bytes ? most : short_bytes; }

  transport::Stream& stream_;
  const std::size_t fragment_bytes_;
  std::size_t untouched_bytes_ =
      untouched(fragment_bytes_ != 0 ? fragment_bytes_ : SIZE_MAX);  // shorter messages go as they are
  std::unique_ptr<giop::compression::Compressor> compressor_;        // null: not agreed on
  const LiveSetting<std::chrono::nanoseconds>& patience_;
  std::vector<ByteView> pieces_;
  giop::FragmentHeaders fragment_headers_;
  MemoryCharge unsent_memory_;
  std::vector<std::uint8_t> unsent_;
  std::size_t unsent_from_ = 0;
  bool cut_ = false;  // a message has left in part, and its rest is lost
  bool out_of_memory_ = false;
  Clock::time_point unsent_since_, taken_at_;  // by the peer, while something waits
};

}  // namespace takt::server
