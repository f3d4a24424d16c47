#include "transport/shm/connection_memory.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <new>

#include "transport/shm/shm_transport.h"

namespace takt::transport {
namespace {

constexpr char magic[8] = {'t', 'a', 'k', 't', '-', 's', 'h', 'm'};
constexpr std::size_t controls_bytes = 4096;
constexpr std::uint32_t usual_ring_bytes = 256 * 1024;

struct Controls {
  RingControl to_server, to_client;
  SpliceControl splices_to_server, splices_to_client;
};
static_assert(sizeof(Controls) <= controls_bytes);

std::uint32_t ring_bytes(int wanted) {
  if (wanted <= 0) return usual_ring_bytes;
  const auto bytes = std::clamp(static_cast<std::uint32_t>(wanted), least_ring_bytes, most_ring_bytes);
  return std::bit_ceil(bytes);
}

std::uint32_t lent_bytes(int wanted) {
  if (wanted <= 0) return 0;
  return std::bit_ceil(std::clamp(static_cast<std::uint32_t>(wanted), least_lent_bytes, most_lent_bytes));
}

struct OneWayMemory {
  RingControl& ring;
  SpliceControl& splices;
  std::uint8_t* octets;
  std::uint32_t bytes;
  std::uint8_t* lent;
};

// The system zeroes new memory, and a zeroed control block means an empty ring.
ConnectionMemory lay_out(os::SharedRegion mapped, const ShmHello& hello, bool client,
                         std::uint32_t most_lent) {
  auto region = std::make_shared<const os::SharedRegion>(std::move(mapped));
  auto* const controls = std::launder(reinterpret_cast<Controls*>(region->data()));
  std::uint8_t* const rings = region->data() + controls_bytes;
  std::uint8_t* const lent = region->data() + hello.rings_end();
  const OneWayMemory to_server{controls->to_server, controls->splices_to_server, rings, hello.to_server_bytes,
                               lent};
  const OneWayMemory to_client{controls->to_client, controls->splices_to_client,
                               rings + hello.to_server_bytes, hello.to_client_bytes, lent + hello.lent_bytes};
  const OneWayMemory& in = client ? to_client : to_server;
  const OneWayMemory& out = client ? to_server : to_client;
  ConnectionMemory memory{region, RingReader(in.ring, in.octets, in.bytes),
                          RingWriter(out.ring, out.octets, out.bytes), nullptr, nullptr};
  if (hello.lent_bytes != 0)
    memory.received = std::make_shared<IncomingBuffers>(region, in.splices, in.lent, hello.lent_bytes);
  if (const std::uint32_t own_bytes = std::min(hello.lent_bytes, most_lent); own_bytes != 0)
    memory.lent = std::make_shared<OutgoingBuffers>(region, out.ring, out.splices, out.lent, own_bytes);
  return memory;
}

}  // namespace

std::array<std::uint8_t, ShmHello::bytes> ShmHello::encode() const {
  std::array<std::uint8_t, bytes> octets{};
  const std::uint32_t numbers[] = {shm_protocol_version, to_server_bytes, to_client_bytes, lent_bytes};
  std::memcpy(octets.data(), magic, sizeof magic);
  std::memcpy(octets.data() + sizeof magic, numbers, sizeof numbers);
  return octets;
}

std::optional<ShmHello> ShmHello::decode(ByteView octets) {
  std::uint32_t numbers[4];
  if (octets.size() != bytes || std::memcmp(octets.data(), magic, sizeof magic) != 0) return std::nullopt;
  std::memcpy(numbers, octets.data() + sizeof magic, sizeof numbers);
  if (numbers[0] != shm_protocol_version || !is_ring_size(numbers[1]) || !is_ring_size(numbers[2]) ||
      !is_lent_size(numbers[3]))
    return std::nullopt;
  return ShmHello{numbers[1], numbers[2], numbers[3]};
}

std::size_t ShmHello::rings_end() const {
  return controls_bytes + std::size_t{to_server_bytes} + to_client_bytes;
}

std::expected<OwnMemory, int> make_connection_memory(const StreamOptions& options) {
  const ShmHello hello{ring_bytes(options.send_buffer_bytes), ring_bytes(options.receive_buffer_bytes),
                       lent_bytes(options.lent_bytes)};
  auto made = os::SharedRegion::create(hello.memory_bytes());
  if (!made) return std::unexpected(made.error());
  auto& [region, descriptor] = *made;
  if (options.preallocate) region.populate(hello.rings_end());
  auto* const controls = new (region.data()) Controls{};
  controls->to_server.reader.store(RingControl::on_socket, std::memory_order_relaxed);
  controls->to_client.reader.store(RingControl::on_socket, std::memory_order_relaxed);
  return OwnMemory{lay_out(std::move(region), hello, true, hello.lent_bytes), hello, std::move(descriptor)};
}

// The client chooses the sizes of the rings and the pools; only the maxima of the protocol limit them, and
// what this side lends, `most_lent`. Whichever process first touches a page pays for it, also where it only
// reads.
std::expected<ConnectionMemory, int> receive_connection_memory(os::Socket& socket, int most_lent) {
  std::array<std::uint8_t, ShmHello::bytes> octets;
  const auto received = os::receive_with_descriptor(socket, octets);
  if (!received) return std::unexpected(received.error());
  if (received->bytes == 0) return std::unexpected(EPIPE);
  const auto hello = ShmHello::decode(ByteView(octets).first(received->bytes));
  if (!hello) return std::unexpected(EPROTO);
  if (!received->descriptor.is_open()) return std::unexpected(EMFILE);
  auto region = os::SharedRegion::adopt(received->descriptor, hello->memory_bytes());
  if (!region) return std::unexpected(region.error());
  return lay_out(std::move(*region), *hello, false, lent_bytes(most_lent));
}

}  // namespace takt::transport
