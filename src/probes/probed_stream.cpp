#include "probes/probed_stream.h"

#include <string>
#include <utility>

namespace takt::probes {

namespace {

// A stream that logs the begin and the end of each read and write. It has the capabilities of the inner
// stream; reads with stamps are logged as well.
class ProbedStream final : public transport::Stream, public transport::ArrivalStamps {
 public:
  ProbedStream(std::unique_ptr<Stream> stream, ProbedSide side, std::shared_ptr<StepLog> log)
      : Stream(stream->capabilities().read_through(this)),
        stream_(std::move(stream)),
        side_(side),
        log_(std::move(log)) {}

  bool stamp_arrivals() override { return stream_->stamp_arrivals(); }
  transport::IoResult read_stamped(MutableBytes into, std::chrono::nanoseconds& age) override {
    if (side_ == ProbedSide::server) log_->begin(Step::server_io);
    const transport::IoResult result = stream_->read_stamped(into, age);
    holds_octets_ = stream_->holds_octets();
    if (side_ == ProbedSide::server)
      log_->begin(result.status == transport::IoStatus::ok ? Step::server_transport_receive
                                                           : Step::server_done);
    return result;
  }
  transport::IoResult read(MutableBytes into) override {
    if (side_ == ProbedSide::server) log_->begin(Step::server_io);
    const transport::IoResult result = stream_->read(into);
    holds_octets_ = stream_->holds_octets();
    if (side_ == ProbedSide::client)
      log_->begin(Step::client_messaging_receive);
    else
      log_->begin(result.status == transport::IoStatus::ok ? Step::server_transport_receive
                                                           : Step::server_done);
    return result;
  }
  transport::IoResult write(ByteView octets) override {
    return logged([&] { return stream_->write(octets); });
  }
  transport::IoResult write_gather(std::span<const ByteView> pieces) override {
    return logged([&] { return stream_->write_gather(pieces); });
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
  template <class Write>
  transport::IoResult logged(Write write) {
    const bool client = side_ == ProbedSide::client;
    log_->begin(client ? Step::client_io : Step::server_transport_send);
    const transport::IoResult result = write();
    log_->begin(client ? Step::client_transport_receive : Step::server_done);
    if (stream_->holds_octets()) holds_octets_ = true;
    return result;
  }

  const std::unique_ptr<Stream> stream_;
  const ProbedSide side_;
  const std::shared_ptr<StepLog> log_;
};

}  // namespace

std::unique_ptr<transport::Stream> probed_stream(std::unique_ptr<transport::Stream> stream, ProbedSide side,
                                                 std::shared_ptr<StepLog> log) {
  return std::make_unique<ProbedStream>(std::move(stream), side, std::move(log));
}

}  // namespace takt::probes
