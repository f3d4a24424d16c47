#include "rt_events/datagrams/datagram_gateway.h"

#include <utility>

#include "rt_events/model/filters.h"

namespace takt::rt_events {

class DatagramOutput::Consumer final : public EventConsumer {
 public:
  Consumer(std::unique_ptr<DatagramSender> sender, std::size_t packet_bytes)
      : sender_(std::move(sender)), writer_(packet_bytes) {}

  void push(const EventList& events) override {
    going_.clear();
    for (const RtecEventComm::Event& event : events)
      if (event.header().ttl() > 0) going_.push_back(&event);
    if (going_.empty()) return;
    std::uint64_t lost = 0;
    const std::size_t packets =
        writer_.write(going_, [&](ByteView packet) { lost += sender_->send(packet) ? 0 : 1; });
    events_.fetch_add(going_.size(), std::memory_order_relaxed);
    packets_.fetch_add(packets, std::memory_order_relaxed);
    lost_.fetch_add(lost, std::memory_order_relaxed);
  }
  bool takes_several() const override { return true; }
  Counts counts() const { return {events_.load(), packets_.load(), lost_.load()}; }

 private:
  const std::unique_ptr<DatagramSender> sender_;
  PacketWriter writer_;
  std::vector<const RtecEventComm::Event*> going_;
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
  constexpr std::chrono::milliseconds patience{50};
  std::vector<std::uint8_t> packet(PacketWriter::most_packet);
  while (!stop.stop_requested()) {
    const auto came = receiver_->receive(packet, patience);
    if (!came) continue;
    const auto request =
        assembler_.add(came->sender, ByteView(packet.data(), came->bytes), std::chrono::steady_clock::now());
    const auto events = request ? events_in(*request) : std::nullopt;
    const std::size_t expired = events ? channel_.forward(*events, most_hops_) : 0;
    const std::lock_guard lock(mutex_);
    counts_.packets = assembler_.counts();
    counts_.malformed += request && !events ? 1 : 0;
    counts_.events += events ? events->size() : 0;
    counts_.expired += expired;
  }
}

}  // namespace takt::rt_events
