#include "probes/probed_stream.h"

#include <utility>

#include <takt/transport/wrapped_stream.h>

namespace takt::probes {

using transport::OpenedBy;

namespace {

// A stream that logs the begin and the end of each read and write. It has the capabilities of the inner
// stream; reads with stamps are logged as well.
class ProbedStream final : public transport::WrappedStream {
 public:
  ProbedStream(std::unique_ptr<Stream> stream, OpenedBy opened_by, std::shared_ptr<StepLog> log)
      : WrappedStream(std::move(stream)), is_server_(opened_by == OpenedBy::peer), log_(std::move(log)) {}

  transport::IoResult read_stamped(MutableBytes into, std::chrono::nanoseconds& age) override {
    if (is_server_) log_->begin(Step::server_io);
    const transport::IoResult result = inner_->read_stamped(into, age);
    noted_read();
    if (is_server_)
      log_->begin(result.status == transport::IoStatus::ok ? Step::server_transport_receive
                                                           : Step::server_done);
    return result;
  }
  transport::IoResult read(MutableBytes into) override {
    if (is_server_) log_->begin(Step::server_io);
    const transport::IoResult result = inner_->read(into);
    noted_read();
    if (!is_server_)
      log_->begin(Step::client_messaging_receive);
    else
      log_->begin(result.status == transport::IoStatus::ok ? Step::server_transport_receive
                                                           : Step::server_done);
    return result;
  }
  transport::IoResult write(ByteView octets) override {
    return logged([&] { return inner_->write(octets); });
  }
  transport::IoResult write_gather(std::span<const ByteView> pieces) override {
    return logged([&] { return inner_->write_gather(pieces); });
  }

 private:
  template <class Write>
  transport::IoResult logged(Write write) {
    log_->begin(is_server_ ? Step::server_transport_send : Step::client_io);
    const transport::IoResult result = write();
    log_->begin(is_server_ ? Step::server_done : Step::client_transport_receive);
    noted_write();
    return result;
  }

  const bool is_server_;
  const std::shared_ptr<StepLog> log_;
};

}  // namespace

std::unique_ptr<transport::Stream> probed_stream(std::unique_ptr<transport::Stream> stream,
                                                 OpenedBy opened_by, std::shared_ptr<StepLog> log) {
  return std::make_unique<ProbedStream>(std::move(stream), opened_by, std::move(log));
}

}  // namespace takt::probes
