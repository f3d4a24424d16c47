#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include <takt/cdr/exception.h>
#include <takt/connection/frames.h>
#include <takt/os/clock.h>

#include "giop/frames/frame_assembler.h"
#include "os/error_text.h"
#include "os/net/datagram_sockets.h"
#include "os/net/resolver.h"
#include "os/poll/wait.h"
#include "transport/udp/cookies.h"

namespace takt {

namespace {

constexpr std::size_t longest_datagram = 64 * 1024;
constexpr int datagrams_at_once = 64;

[[noreturn]] void throw_not_listening(const std::string& host, const std::string& why) {
  throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "cannot receive frames at " + host + ": " + why);
}

os::Socket open_receiver(const std::string& host) {
  os::Resolver resolver;
  const auto addresses = resolver.resolve(host, 0, os::Clock::now() + std::chrono::seconds(10));
  if (!addresses) throw_not_listening(host, addresses.error().text);
  auto socket = os::open_datagram_socket(addresses->front().family());
  const int error = socket ? os::bind_first(*socket, addresses->front()) : socket.error();
  if (error != 0) throw_not_listening(host, os::error_text(error));
  socket->set_blocking(false);
  return std::move(*socket);
}

}  // namespace

class FrameReceiver::Receiving {
 public:
  Receiving(const std::string& host, const FrameOptions& options)
      : socket_(open_receiver(host)),
        stream_{host, os::Address::local_of(socket_.fd()).value_or(os::Address()).port(),
                static_cast<std::uint32_t>(transport::unguessable_number()), options.clock_rate},
        assembler_(stream_.source, options),
        datagram_(longest_datagram) {}

  const FrameStream& stream() const { return stream_; }

  std::optional<Frame> receive(std::chrono::nanoseconds timeout) {
    const auto begun = os::Clock::now();
    const auto deadline = timeout >= os::no_deadline - begun ? os::no_deadline : begun + timeout;
    for (auto now = begun; !closed_; now = os::Clock::now()) {
      take_all(now);
      auto until = deadline;
      {
        std::lock_guard lock(mutex_);
        if (auto frame = assembler_.next(now)) return frame;
        until = std::min(until, assembler_.next_deadline().value_or(until));
      }
      if (now >= deadline) return std::nullopt;
      os::wait_ready(socket_.fd(), os::Interest::read, until);
    }
    return std::nullopt;
  }
  FrameReport report() {
    std::lock_guard lock(mutex_);
    return assembler_.report();
  }
  void close() {
    closed_ = true;
    socket_.shut_down();
  }

 private:
  // What has come. The first whose packet is one of the stream's is its sender; others are passed over.
  void take_all(os::TimePoint now) {
    for (int i = 0; i < datagrams_at_once; ++i) {
      os::Address peer;
      const os::IoResult received = os::receive_from(socket_, datagram_, peer);
      if (received.status == os::IoStatus::would_block) return;
      if (received.status != os::IoStatus::ok || (sender_ && !(*sender_ == peer))) continue;
      std::lock_guard lock(mutex_);
      if (assembler_.take(ByteView(datagram_).first(received.bytes), now)) sender_ = peer;
    }
  }

  os::Socket socket_;
  const FrameStream stream_;
  std::mutex mutex_;  // for the assembler
  giop::frames::FrameAssembler assembler_;
  std::vector<std::uint8_t> datagram_;
  std::optional<os::Address> sender_;
  std::atomic<bool> closed_{false};
};

FrameReceiver::FrameReceiver(const std::string& host, const FrameOptions& options) {
  if (options.clock_rate == 0)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "a clock rate of 0: 90000 is usual for video, 8000 for sound");
  receiving_ = std::make_unique<Receiving>(host, options);
}
FrameReceiver::~FrameReceiver() = default;
FrameReceiver::FrameReceiver(FrameReceiver&&) noexcept = default;
FrameReceiver& FrameReceiver::operator=(FrameReceiver&&) noexcept = default;

const FrameStream& FrameReceiver::stream() const { return receiving_->stream(); }
std::optional<Frame> FrameReceiver::receive(std::chrono::nanoseconds timeout) {
  return receiving_->receive(timeout);
}
FrameReport FrameReceiver::report() { return receiving_->report(); }
void FrameReceiver::close() { receiving_->close(); }

}  // namespace takt
