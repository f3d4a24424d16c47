#include "server/farewell.h"

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

constexpr std::chrono::seconds linger{1};  // for peers that ought to close
constexpr int reads_per_round = 16;

// One peer's way to its end.
class Leaving {
 public:
  explicit Leaving(const Parting& parting)
      : stream_(parting.stream), outbox_(parting.outbox), asks_(parting.mid_message) {
    stream_->set_blocking(false);
    over_ = !outbox_->close(parting.version);
    go_on();
  }
  void go_on() {
    if (over_) return;
    if (outbox_->waiting()) over_ = outbox_->flush() == Outbox::Flushed::failed;
    // One whose reading side is shut down is always ready to be read.
    if (!over_ && outbox_->waiting() && stream_->write_waits_for_read()) std::this_thread::sleep_for(1ms);
    if (over_ || outbox_->waiting()) return;
    if (!finished_) stream_->shut_down_writing();
    finished_ = true;
    throw_away();
  }
  bool over() const { return over_; }
  // Has had all that there is for it.
  bool finished() const { return finished_ && !stream_->holds_unsent(); }
  Interest waits_for() const { return outbox_->waits_for(); }
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
      if (ended && unsent) std::this_thread::sleep_for(1ms);  // from now on the poll finds it always ready
      return;
    }
  }

  transport::Stream* stream_;
  Outbox* outbox_;
  bool asks_;  // has a request under way, so it reads
  bool finished_ = false;
  bool over_ = false;
};

}  // namespace

void part_from(std::span<const Parting> peers, Clock::time_point deadline) {
  std::vector<Leaving> leaving;
  leaving.reserve(peers.size());
  for (const Parting& parting : peers) leaving.emplace_back(parting);
  std::erase_if(leaving, [](const Leaving& one) { return one.over(); });
  if (leaving.empty()) return;
  const auto poll = SharedPoll::create();
  if (!poll) return;  // out of descriptors: what could be said at once has been
  for (Leaving& one : leaving) (*poll)->add(one.fd(), one.waits_for(), &one, SharedPoll::Watching::once);
  const auto patience = Clock::now() + linger;
  for (std::size_t left = leaving.size(); left > 0;) {
    const auto now = Clock::now();
    const bool all_finished = now >= patience && std::ranges::all_of(leaving, &Leaving::finished);
    if (now >= deadline || all_finished) return;
    const auto ready = (*poll)->wait(std::min<std::chrono::nanoseconds>(deadline - now, 100ms));
    if (!ready) continue;
    auto& one = *static_cast<Leaving*>(ready->token);
    one.go_on();
    if (one.over())
      --left;
    else
      (*poll)->again(one.fd(), one.waits_for(), &one, SharedPoll::Watching::once);
  }
}

void turn_away(transport::Acceptor& acceptor, Clock::time_point deadline) {
  acceptor.set_blocking(false);
  acceptor.stop_new_attempts();
  std::vector<std::unique_ptr<transport::Stream>> streams;
  do {
    while (auto stream = acceptor.accept()) streams.push_back(std::move(*stream));
  } while (Clock::now() < deadline && os::wait_ready(acceptor.native_handle(), Interest::read,
                                                     Clock::now() + handshake_time) == os::WaitResult::ready);
  acceptor.close();  // before they are told, so that they do not come back
  turn_away(streams, deadline);
}

void turn_away(const std::vector<std::unique_ptr<transport::Stream>>& streams, Clock::time_point deadline) {
  std::vector<std::unique_ptr<Outbox>> outboxes;
  std::vector<Parting> partings;
  for (const auto& stream : streams) {
    outboxes.push_back(std::make_unique<Outbox>(*stream, 0, 0ns));
    partings.push_back({stream.get(), outboxes.back().get(), {1, 2}});
  }
  part_from(partings, deadline);
}

}  // namespace takt::server
