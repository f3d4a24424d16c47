#include "recorder/recorded_stream.h"

#include <algorithm>
#include <string>
#include <utility>

#include "recorder/passing_messages.h"

namespace takt::recorder {

namespace {

class RecordedStream final : public transport::Stream,
                             public transport::ArrivalStamps,
                             public transport::ZeroCopy {
 public:
  RecordedStream(std::unique_ptr<Stream> stream, std::shared_ptr<RecordingRing> ring, OpenedBy opened_by)
      : Stream(capabilities_of(*stream, this)),
        stream_(std::move(stream)),
        ring_(std::move(ring)),
        connection_(ring_->open(stream_->describe(), opened_by == OpenedBy::peer)),
        received_(*ring_, connection_.number, Direction::received),
        sent_(*ring_, connection_.number, Direction::sent) {}
  ~RecordedStream() override {
    received_.end();
    sent_.end();
    ring_->close(connection_);
  }

  transport::IoResult read(MutableBytes into) override { return received(into, stream_->read(into)); }
  bool stamp_arrivals() override { return stream_->stamp_arrivals(); }
  transport::IoResult read_stamped(MutableBytes into, std::chrono::nanoseconds& age) override {
    return received(into, stream_->read_stamped(into, age));
  }
  OctetBuffer borrow(std::size_t bytes) override { return stream_->borrow(bytes); }
  HeldOctets read_in_place(std::size_t count) override {
    HeldOctets held = stream_->read_in_place(count);
    holds_octets_ = stream_->holds_octets();
    if (!held.empty()) received_.pass(held.octets(), recording_time());
    return held;
  }
  std::size_t available_in_place() override { return stream_->available_in_place(); }

  transport::IoResult write(ByteView octets) override {
    const std::int64_t begun = recording_time();
    const ByteView pieces[] = {octets};
    return sent(pieces, stream_->write(octets), begun);
  }
  transport::IoResult write_gather(std::span<const ByteView> pieces) override {
    const std::int64_t begun = recording_time();
    return sent(pieces, stream_->write_gather(pieces), begun);
  }
  bool has_room_for_small_write() override { return stream_->has_room_for_small_write(); }

  void set_blocking(bool blocking) override { stream_->set_blocking(blocking); }
  bool set_timeouts(std::chrono::nanoseconds read, std::chrono::nanoseconds write) override {
    return stream_->set_timeouts(read, write);
  }
  bool set_silence_limit(std::chrono::nanoseconds silence) override {
    return stream_->set_silence_limit(silence);
  }
  int native_handle() const override { return stream_->native_handle(); }
  void shut_down() override { stream_->shut_down(); }
  void shut_down_reading() override { stream_->shut_down_reading(); }
  void shut_down_writing() override { stream_->shut_down_writing(); }
  std::string describe() const override { return stream_->describe(); }

 private:
  static transport::StreamCapabilities capabilities_of(const Stream& inner, RecordedStream* outer) {
    transport::StreamCapabilities all = inner.capabilities().read_through(outer);
    if (all.zero_copy) all.zero_copy = outer;
    return all;
  }
  transport::IoResult received(MutableBytes into, const transport::IoResult& result) {
    holds_octets_ = stream_->holds_octets();
    if (result.status == transport::IoStatus::ok) received_.pass(into.first(result.bytes), recording_time());
    return result;
  }
  transport::IoResult sent(std::span<const ByteView> pieces, const transport::IoResult& result,
                           std::int64_t begun) {
    if (stream_->holds_octets()) holds_octets_ = true;
    std::size_t left = result.bytes;
    for (const ByteView piece : pieces) {
      if (left == 0) break;
      const ByteView written = piece.first(std::min(left, piece.size()));
      sent_.pass(written, begun);
      left -= written.size();
    }
    return result;
  }

  const std::unique_ptr<Stream> stream_;
  const std::shared_ptr<RecordingRing> ring_;
  const RecordingRing::Connection connection_;
  PassingMessages received_, sent_;
};

}  // namespace

std::unique_ptr<transport::Stream> recorded_stream(std::unique_ptr<transport::Stream> stream,
                                                   std::shared_ptr<RecordingRing> ring, OpenedBy opened_by) {
  return std::make_unique<RecordedStream>(std::move(stream), std::move(ring), opened_by);
}

}  // namespace takt::recorder
