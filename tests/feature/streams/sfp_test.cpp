// Flows over SFP 1.0: between devices, and with ends whose octets are written here by hand.
#include <gtest/gtest.h>

#include "streams/sfp/input.h"
#include "streams/sfp/messages.h"
#include "streams/sfp/output.h"
#include "studio.h"

namespace feature {
namespace {

using namespace std::chrono_literals;
namespace sfp = takt::streams::sfp;

// The other end, at an address of its own.
class Peer {
 public:
  std::uint16_t port() const { return socket_.own().port(); }
  void send(const std::vector<std::uint8_t>& datagram, std::uint16_t port) {
    EXPECT_EQ(socket_.send_to(datagram, sfp::address_of("127.0.0.1", port)), 0);
  }
  // The next message; Kind::end and no payload if none comes.
  sfp::Message receive(int milliseconds = 1000) {
    std::size_t bytes = 0;
    octets_.resize(sfp::most_datagram_bytes);
    socket_.wait(milliseconds);
    if (socket_.receive(octets_, bytes, from_) != 0) return {};
    return sfp::parse(takt::ByteView(octets_).first(bytes)).value_or(sfp::Message());
  }
  void answer(const std::vector<std::uint8_t>& datagram) { EXPECT_EQ(socket_.send_to(datagram, from_), 0); }

 private:
  const sfp::Datagrams socket_ = sfp::Datagrams::at(sfp::address_of("127.0.0.1", 0));
  sfp::Address from_;
  std::vector<std::uint8_t> octets_;
};

std::vector<std::uint8_t> written(const std::function<void(std::vector<std::uint8_t>&)>& write) {
  std::vector<std::uint8_t> datagram;
  write(datagram);
  return datagram;
}
std::vector<std::uint8_t> frame_of(std::uint32_t sequence) {
  const std::vector<std::uint8_t> octets(1, static_cast<std::uint8_t>(sequence));
  return written([&](auto& into) { sfp::write_frame(into, sequence, 0, octets, false); });
}

TEST(Sfp, FlowsGoBetweenDevices) {
  const auto shown = std::make_shared<Shown>();
  const Station camera({.offers = {camera_flow()}}), screen({.offers = {screen_flow(shown)}});
  const auto control = camera.device->make_control();
  Quality any;
  const auto to = screen.seen_by(camera.orb());
  const auto bind = [&](const char* flow) {
    return exception_of([&] { control->bind_devs(camera.device->reference(), to, any, {flow}); });
  };
  EXPECT_NE(bind(R"(video\IN\\SFP:1.0\TCP)").find("SFP goes over UDP, not TCP"), std::string::npos);
  EXPECT_NE(bind(R"(video\IN\\RTP:1.0\UDP)").find("takt:1.0 or SFP:1.0"), std::string::npos);
  ASSERT_EQ(bind(R"(video\IN\\sfp:1.0\UDP)"), "nothing");
  control->start({});
  EXPECT_TRUE(shown->grows_by(40));                // more than the consumer's credit
  for (const takt::Frame& each : shown->frames())  // frames of some sizes have fragments
    ASSERT_EQ(each.octets.size(), 1 + (each.octets.front() * std::size_t{997}) % 20'000);
  control->unbind();
}

// The producer begins when the consumer answers, and sends as many frames as it has credit for.
TEST(Sfp, ProducersNeedAnAnswerAndCredit) {
  Peer consumer;
  const std::vector<std::uint8_t> frame(3000, 5);
  sfp::Output output("127.0.0.1", consumer.port(), {.credit = 2});
  EXPECT_EQ(consumer.receive().kind, sfp::Kind::start);
  EXPECT_FALSE(output.send(frame, 0));
  consumer.answer(written(sfp::write_start_reply));
  EXPECT_TRUE(output.send(frame, 90));
  EXPECT_TRUE(output.send(frame, 91));
  EXPECT_FALSE(output.send(frame, 92));
  for (std::uint32_t sequence = 0; sequence < 2; ++sequence)
    for (std::uint32_t number = 0; number < 3; ++number) {
      const auto part = consumer.receive();
      EXPECT_EQ(part.kind, number == 0 ? sfp::Kind::frame : sfp::Kind::fragment);
      EXPECT_EQ(part.sequence, sequence);
      EXPECT_EQ(part.number, number);
      EXPECT_EQ(part.has_more, number < 2);
    }
  consumer.answer(written([](auto& into) { sfp::write_credit(into, 1); }));
  EXPECT_TRUE(output.send(frame, 93));
  EXPECT_FALSE(output.send(frame, 94));
}

TEST(Sfp, ConsumersAnswerAndGiveCreditForLostFramesToo) {
  sfp::Input input("127.0.0.1", {}, 4);
  Peer producer, stranger;
  producer.send(written(sfp::write_start), input.port());
  EXPECT_FALSE(input.receive(10ms));
  EXPECT_EQ(producer.receive().kind, sfp::Kind::start_reply);
  stranger.send(frame_of(9), input.port());
  producer.send({1, 2, 3}, input.port());
  producer.send(frame_of(0), input.port());
  EXPECT_EQ(input.receive(1s)->octets.front(), 0);
  producer.send(frame_of(3), input.port());  // two are lost
  EXPECT_EQ(input.receive(1s)->octets.front(), 3);
  const auto credit = producer.receive();
  EXPECT_EQ(credit.kind, sfp::Kind::credit);
  EXPECT_EQ(credit.number, 4u);
  EXPECT_EQ(input.report().cumulative_lost, 2);
  EXPECT_EQ(input.report().refused, 2u);
  producer.send(written(sfp::write_end), input.port());  // now another may begin
  stranger.send(frame_of(9), input.port());
  EXPECT_EQ(input.receive(1s)->octets.front(), 9);
  input.close();
  EXPECT_FALSE(input.receive(1s));
}

TEST(Sfp, AForgedNumberStopsNoCredit) {
  sfp::Input input("127.0.0.1", {}, 2);
  Peer producer;
  for (const std::uint32_t sequence : {0u, 0x7fffffffu, 1u, 2u}) {
    producer.send(frame_of(sequence), input.port());
    ASSERT_TRUE(input.receive(1s)) << sequence;
    const auto credit = producer.receive();
    EXPECT_EQ(credit.kind, sfp::Kind::credit) << sequence;
    EXPECT_EQ(credit.number, 1u) << sequence;
  }
  EXPECT_EQ(input.report().cumulative_lost, 0);
}

}  // namespace
}  // namespace feature
