#include "server/output/graceful_close.h"

#include <algorithm>
#include <array>
#include <thread>

#include "os/poll/shared_poll.h"
#include "os/poll/wait.h"

namespace takt::server {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using os::Interest;
using os::SharedPoll;
using transport::IoStatus;

namespace {

constexpr std::chrono::seconds linger{1};  // limit of the wait for peers that should close
constexpr int reads_per_round = 16;
constexpr std::size_t longest_queue = 4096;  // Linux's default limit of connections that wait for accept()

// The closing of one connection.
class ClosingPeer {
 public:
  explicit ClosingPeer(const GracefulClose& close)
      : stream_(close.stream), out_(close.out), asks_(close.mid_message) {
    stream_->set_blocking(false);
    over_ = !out_->close(close.version);
    go_on();
  }
  void go_on() {
    if (over_) return;
    if (out_->waiting()) over_ = out_->flush() == WriteBuffer::Flushed::failed;
    // A stream whose reading side is shut down is always readable, so polling it would spin.
    if (!over_ && out_->waiting() && stream_->write_waits_for_read()) std::this_thread::sleep_for(1ms);
    if (over_ || out_->waiting()) return;
    if (!finished_) stream_->shut_down_writing();
    finished_ = true;
    throw_away();
  }
  bool over() const { return over_; }
  // Everything for the peer has been sent.
  bool finished() const { return finished_ && !stream_->holds_unsent(); }
  Interest waits_for() const { return out_->waits_for(); }
  int fd() const { return stream_->native_handle(); }

 private:
  void throw_away() {
    std::array<std::uint8_t, 4096> octets;
    for (int i = 0; i < reads_per_round || stream_->holds_octets(); ++i) {
      const auto result = stream_->read(octets);
      if (result.status == IoStatus::ok) {
        asks_ = true;
        continue;
      }
      const bool ended = result.status == IoStatus::end_of_stream;
      const bool unsent = result.status != IoStatus::failed && stream_->holds_unsent();
      over_ = !unsent && (result.status != IoStatus::would_block || !asks_);
      if (ended && unsent) std::this_thread::sleep_for(1ms);  // the poll reports it as ready from now on
      return;
    }
  }

  transport::Stream* stream_;
  WriteBuffer* out_;
  bool asks_;  // the peer has a request under way, so it will read
  bool finished_ = false;
  bool over_ = false;
};

}  // namespace

void close_gracefully(std::span<const GracefulClose> peers, Clock::time_point deadline) {
  std::vector<ClosingPeer> closing_peers;
  closing_peers.reserve(peers.size());
  for (const GracefulClose& close : peers) closing_peers.emplace_back(close);
  std::erase_if(closing_peers, [](const ClosingPeer& one) { return one.over(); });
  if (closing_peers.empty()) return;
  const auto poll = SharedPoll::create();
  if (!poll) return;  // out of descriptors: all that could be sent without waiting was sent
  for (ClosingPeer& one : closing_peers)
    (*poll)->add(one.fd(), one.waits_for(), &one, SharedPoll::Watching::once);
  const auto patience = Clock::now() + linger;
  for (std::size_t left = closing_peers.size(); left > 0;) {
    const auto now = Clock::now();
    const bool all_finished = now >= patience && std::ranges::all_of(closing_peers, &ClosingPeer::finished);
    if (now >= deadline || all_finished) return;
    const auto ready = (*poll)->wait(std::min<std::chrono::nanoseconds>(deadline - now, 100ms));
    if (!ready) continue;
    auto& one = *static_cast<ClosingPeer*>(ready->token);
    one.go_on();
    if (one.over())
      --left;
    else
      (*poll)->again(one.fd(), one.waits_for(), &one, SharedPoll::Watching::once);
  }
}

void reject_waiting(transport::Acceptor& acceptor, Clock::time_point deadline) {
  acceptor.set_blocking(false);
  acceptor.stop_new_attempts();
  std::vector<std::unique_ptr<transport::Stream>> streams;
  const auto accept_waiting = [&] {  // false: no more can be accepted
    while (streams.size() < longest_queue) {
      auto stream = acceptor.accept();
      if (!stream) return stream.error() == transport::AcceptError::would_block;
      streams.push_back(std::move(*stream));
    }
    return false;
  };
  while (accept_waiting() && Clock::now() < deadline &&
         os::wait_ready(acceptor.native_handle(), Interest::read, Clock::now() + handshake_time) ==
             os::WaitResult::ready) {
  }
  acceptor.close();  // before the clients learn it, so that they do not connect here again
  reject(streams, deadline);
}

void reject(const std::vector<std::unique_ptr<transport::Stream>>& streams, Clock::time_point deadline) {
  std::vector<std::unique_ptr<WriteBuffer>> buffers;
  std::vector<GracefulClose> closes;
  for (const auto& stream : streams) {
    buffers.push_back(std::make_unique<WriteBuffer>(*stream, 0, 0ns));
    closes.push_back({stream.get(), buffers.back().get(), {1, 2}});
  }
  close_gracefully(closes, deadline);
}

}  // namespace takt::server
