#include "rt_events/datagrams/datagram_gateway.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <utility>

#include "rt_events/model/filters.h"

namespace takt::rt_events {

class DatagramOutput::Consumer final : public EventConsumer {
 public:
  Consumer(std::unique_ptr<DatagramSender> sender, std::size_t packet_bytes)
      : sender_(std::move(sender)), writer_(packet_bytes) {}

  void push(const EventList& events) override {
    for (const RtecEventComm::Event& event : events) {
      if (event.header().ttl() <= 0) continue;
      RtecEventComm::EventHeader header = event.header();
      header.ttl(header.ttl() - 1);
      const auto written =
          writer_.write(header, event.data(), [this](ByteView packet) { return sender_->send(packet); });
      packets_.fetch_add(written.packets, std::memory_order_relaxed);
      (written.whole ? events_ : lost_).fetch_add(1, std::memory_order_relaxed);
    }
  }
  bool takes_several() const override { return true; }
  Counts counts() const { return {events_.load(), packets_.load(), lost_.load()}; }

 private:
  const std::unique_ptr<DatagramSender> sender_;
  PacketWriter writer_;
  std::atomic<std::uint64_t> events_{0}, packets_{0}, lost_{0};
};

std::expected<std::unique_ptr<DatagramOutput>, std::string> DatagramOutput::connect(
    EventChannel& channel, std::unique_ptr<DatagramSender> sender, std::size_t packet_bytes) {
  auto consumer = std::make_shared<Consumer>(std::move(sender), packet_bytes);
  auto connection = channel.connect(
      consumer,
      {.filter = filters::event(any_type), .level = channel.levels().size() - 1, .name = "datagrams"});
  if (!connection) return std::unexpected(std::move(connection.error()));
  return std::unique_ptr<DatagramOutput>(new DatagramOutput(std::move(consumer), *std::move(connection)));
}

DatagramOutput::DatagramOutput(std::shared_ptr<Consumer> consumer,
                               std::unique_ptr<EventConnection> connection)
    : consumer_(std::move(consumer)), connection_(std::move(connection)) {}

DatagramOutput::~DatagramOutput() { connection_->disconnect(); }

DatagramOutput::Counts DatagramOutput::counts() const { return consumer_->counts(); }

DatagramInput::DatagramInput(EventChannel& channel, std::unique_ptr<DatagramReceiver> receiver,
                             std::int32_t most_hops, const AssemblyLimits& limits)
    : channel_(channel),
      receiver_(std::move(receiver)),
      most_hops_(most_hops),
      assembler_(limits),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

DatagramInput::~DatagramInput() = default;

DatagramInput::Counts DatagramInput::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

void DatagramInput::work(const std::stop_token& stop) {
  std::vector<std::uint8_t> packet(PacketWriter::most_packet);
  while (!stop.stop_requested()) {
    try {
      take(packet);
    } catch (const std::exception&) {  // no memory, which others may give back
      {
        const std::lock_guard lock(mutex_);
        ++counts_.failed;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

void DatagramInput::take(std::span<std::uint8_t> packet) {
  constexpr std::chrono::milliseconds patience{50};
  const auto came = receiver_->receive(packet, patience);
  if (!came) return;
  const auto request =
      assembler_.add(came->sender, ByteView(packet.data(), came->bytes), std::chrono::steady_clock::now());
  auto events = request ? events_in(*request) : std::nullopt;
  std::size_t expired = 0;
  if (events) {
    // forward() takes 1, which the sender has done.
    for (RtecEventComm::Event& event : *events)
      if (const std::int32_t ttl = event.header().ttl(); ttl >= 0)
        event.header().ttl(std::min(ttl, std::numeric_limits<std::int32_t>::max() - 1) + 1);
    expired = channel_.forward(*events, most_hops_);
  }
  const std::lock_guard lock(mutex_);
  counts_.packets = assembler_.counts();
  counts_.malformed += request && !events ? 1 : 0;
  counts_.events += events ? events->size() : 0;
  counts_.expired += expired;
}

}  // namespace takt::rt_events
