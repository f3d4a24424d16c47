#include <algorithm>
#include <atomic>
#include <mutex>

#include <takt/cdr/exception.h>
#include <takt/frames/frames.h>
#include <takt/os/clock.h>

#include "frames/packets.h"
#include "frames/protocol/frame_assembler.h"
#include "threads/locks/priority_mutex.h"
#include "transport/udp/cookies.h"

namespace takt {

using frames::PacketSource;

class FrameReceiver::Receiving {
 public:
  Receiving(std::unique_ptr<PacketSource> source, const FrameOptions& options, std::uint32_t number)
      : source_(std::move(source)),
        stream_{source_->where().host, source_->where().port, number, options.clock_rate,
                source_->where().protocol},
        assembler_(stream_.source, options) {}

  const FrameStream& stream() const { return stream_; }

  std::optional<Frame> receive(std::chrono::nanoseconds timeout) {
    const auto begun = os::Clock::now();
    const auto deadline = timeout >= os::no_deadline - begun ? os::no_deadline : begun + timeout;
    for (auto now = begun; !closed_; now = os::Clock::now()) {
      if (now >= deadline || !source_->is_emptied()) take_all(now);
      auto until = deadline;
      {
        std::lock_guard lock(mutex_);
        if (auto frame = assembler_.next(now)) return frame;
        until = std::min(until, assembler_.next_deadline().value_or(until));
      }
      if (now >= deadline) return std::nullopt;
      source_->wait(until);
    }
    return std::nullopt;
  }
  FrameReport report() {
    std::lock_guard lock(mutex_);
    FrameReport report = assembler_.report();
    report.refused += source_->ignored();
    return report;
  }
  void close() {
    closed_ = true;
    source_->close();
  }

 private:
  void take_all(os::TimePoint now) {
    source_->take_all([this, now](ByteView packet, bool from_another) {
      std::lock_guard lock(mutex_);
      if (!assembler_.take(packet, now, from_another)) return PacketSource::Taken::refused;
      if (!assembler_.has_next(now)) return PacketSource::Taken::taken;
      return assembler_.is_half_full() ? PacketSource::Taken::full : PacketSource::Taken::enough;
    });
  }

  const std::unique_ptr<PacketSource> source_;
  const FrameStream stream_;
  os::PriorityMutex mutex_;  // guards assembler_
  frames::FrameAssembler assembler_;
  std::atomic<bool> closed_{false};
};

namespace {

const FrameOptions& checked_options(const FrameOptions& options) {
  if (options.clock_rate != 0) return options;
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                         "a clock rate of 0: 90000 is usual for video, 8000 for sound");
}

std::uint32_t random_source() { return static_cast<std::uint32_t>(transport::unguessable_number()); }

}  // namespace

FrameReceiver::FrameReceiver(const std::string& host, const FrameOptions& options)
    : FrameReceiver(frames::datagrams_at(host, 0), options, random_source()) {}
FrameReceiver::FrameReceiver(std::unique_ptr<PacketSource> packets, const FrameOptions& options)
    : FrameReceiver(std::move(packets), options, random_source()) {}
FrameReceiver::FrameReceiver(std::unique_ptr<PacketSource> packets, const FrameOptions& options,
                             std::uint32_t source)
    : receiving_(std::make_unique<Receiving>(std::move(packets), checked_options(options), source)) {}
FrameReceiver FrameReceiver::of_group(const FrameStream& group, const std::string& interface,
                                      const FrameOptions& options, const std::vector<std::string>& senders) {
  return {frames::datagrams_of_group({std::string(frames::datagrams), group.host, group.port}, interface,
                                     senders),
          options, group.source};
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
