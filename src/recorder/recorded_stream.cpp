#include "recorder/recorded_stream.h"

#include <utility>

#include <takt/transport/wrapped_stream.h>

#include "recorder/passing_messages.h"

namespace takt::recorder {

namespace {

class RecordedStream final : public transport::WrappedStream, public transport::ZeroCopy {
 public:
  RecordedStream(std::unique_ptr<Stream> stream, std::shared_ptr<RecordingRing> ring, OpenedBy opened_by)
      : WrappedStream(std::move(stream), this),
        ring_(std::move(ring)),
        connection_(ring_->open(inner_->describe(), opened_by == OpenedBy::peer)),
        received_(*ring_, connection_.number, Direction::received, secrets_),
        sent_(*ring_, connection_.number, Direction::sent, secrets_) {}
  ~RecordedStream() override {
    received_.end();
    sent_.end();
    ring_->close(connection_);
  }

  transport::IoResult read(MutableBytes into) override { return received(into, inner_->read(into)); }
  transport::IoResult read_stamped(MutableBytes into, std::chrono::nanoseconds& age) override {
    return received(into, inner_->read_stamped(into, age));
  }
  OctetBuffer borrow(std::size_t bytes) override { return inner_->borrow(bytes); }
  HeldOctets read_in_place(std::size_t count) override {
    HeldOctets held = inner_->read_in_place(count);
    noted_read();
    if (!held.empty()) received_.pass(held.octets(), ring_->now());
    return held;
  }
  std::size_t available_in_place() override { return inner_->available_in_place(); }

  transport::IoResult write(ByteView octets) override {
    const std::int64_t begun = ring_->now();
    secrets_.before_write({&octets, 1}, sent_.rest_of_message(), sent_.divided_start());
    const transport::IoResult result = inner_->write(octets);
    noted_write();
    sent_.pass(octets.first(std::min(result.bytes, octets.size())), begun);
    return result;
  }
  transport::IoResult write_gather(std::span<const ByteView> pieces) override {
    const std::int64_t begun = ring_->now();
    secrets_.before_write(pieces, sent_.rest_of_message(), sent_.divided_start());
    return sent(pieces, inner_->write_gather(pieces), begun);
  }

 private:
  transport::IoResult received(MutableBytes into, transport::IoResult result) {
    noted_read();
    if (result.bytes != 0) received_.pass(into.first(result.bytes), ring_->now());
    return result;
  }
  transport::IoResult sent(std::span<const ByteView> pieces, const transport::IoResult& result,
                           std::int64_t begun) {
    noted_write();
    for_written(pieces, result.bytes, [&](ByteView written) { sent_.pass(written, begun); });
    return result;
  }

  const std::shared_ptr<RecordingRing> ring_;
  const RecordingRing::Connection connection_;
  SecretMessages secrets_;
  PassingMessages received_, sent_;
};

}  // namespace

std::unique_ptr<transport::Stream> recorded_stream(std::unique_ptr<transport::Stream> stream,
                                                   std::shared_ptr<RecordingRing> ring, OpenedBy opened_by) {
  return std::make_unique<RecordedStream>(std::move(stream), std::move(ring), opened_by);
}

}  // namespace takt::recorder
