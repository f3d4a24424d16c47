// One end of a UDP connection whose peer sends the input: heads of datagrams as they come from the network,
// and others with the connection's token and arbitrary numbers.
#include <cstdint>
#include <vector>

#include "input.h"
#include "transport/udp/datagram_flow.h"

namespace {

using namespace takt;
using fuzz::Input, fuzz::require;
using namespace takt::transport;

constexpr std::uint64_t token = 1;
constexpr std::size_t window = 4096;

class End {
 public:
  // Accepted data continues the stream, whatever the peer sends.
  void receive(const Datagram& datagram, std::size_t body_bytes) {
    const bool ended = flow_.peer_ended();
    const auto fresh = flow_.receive(datagram, body_bytes);
    require(fresh.skip + fresh.count <= body_bytes);
    if (fresh.count != 0) {
      require(!ended);
      require(datagram.position + static_cast<std::uint32_t>(fresh.skip) == taken_);
      taken_ += static_cast<std::uint32_t>(fresh.count);
    }
    send();
  }
  void put(std::size_t count) {
    const std::size_t room = flow_.room();
    require(room <= window);
    const std::vector<std::uint8_t> octets(count, 7);
    const ByteView piece = octets;
    require(flow_.put({&piece, 1}) == std::min(count, room));
    send();
  }
  void repeat() {
    flow_.repeat();
    send();
  }
  void end(bool deaf) {
    flow_.end(deaf);
    send();
  }

 private:
  // Sends what the flow allows, which must be bounded whatever was received.
  void send() {
    DatagramFlow::Outgoing outgoing;
    int count = 0;
    for (; flow_.next(outgoing); ++count) {
      const auto head = Datagram::decode(outgoing.head);
      require(head && head->token == token && head->kind == Datagram::Kind::data &&
              head->acknowledged == taken_);
      require(outgoing.first.size() + outgoing.second.size() <= 300);
    }
    require(count <= 66);
  }

  DatagramFlow flow_{token, {300, window}};
  std::uint32_t taken_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  End end;
  while (!input.empty()) {
    const std::uint32_t step = input.number(1);
    switch (step % 8) {
      case 0:  // as from the network
        if (const auto datagram = Datagram::decode(input.octets(Datagram::head_bytes))) {
          const auto again = Datagram::decode(datagram->encode());
          require(again && again->token == datagram->token && again->flags == datagram->flags);
          end.receive(*datagram, step);
        }
        break;
      case 1:
        end.put(input.number(2));
        break;
      case 2:
        end.repeat();
        break;
      case 3:
        if (step >= 0xf0) end.end(step == 0xfb);
        break;
      default: {
        Datagram datagram;
        datagram.token = token;
        datagram.flags = static_cast<std::uint8_t>(input.number(1) % 32);
        datagram.position = input.number(step % 8 == 4 ? 4 : 1);
        datagram.acknowledged = input.number(step % 8 == 5 ? 4 : 2);
        end.receive(datagram, input.number(step % 8 == 6 ? 2 : 1));
      }
    }
  }
  return 0;
}
