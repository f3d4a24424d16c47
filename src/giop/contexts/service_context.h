// Service contexts: data that is sent along with the arguments (CORBA 3.0.3, 13.7).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/cdr/byte_order.h>
#include <takt/cdr/encoder.h>

namespace takt::giop {

inline constexpr std::uint32_t transaction_context = 0;
inline constexpr std::uint32_t code_sets_context = 1;
inline constexpr std::uint32_t bidirectional_context = 5;
inline constexpr std::uint32_t sending_runtime_context = 6;
inline constexpr std::uint32_t invocation_policies_context = 7;
inline constexpr std::uint32_t rt_priority_context = 10;
inline constexpr std::uint32_t exception_detail_context = 14;

// One context. The data is usually an encapsulation, and is not owned.
struct ServiceContext {
  std::uint32_t id;
  ByteView data;
};

// The contexts of a received message, in its receive buffer. They were checked when the message was parsed,
// so iteration cannot fail. Includes unknown contexts, unchanged.
class ServiceContexts {
 public:
  ServiceContexts() = default;
  // `octets` start at the first context's id, at a multiple of 4 in the message.
  ServiceContexts(std::uint32_t count, ByteView octets, cdr::ByteOrder order)
      : octets_(octets), count_(count), order_(order) {}

  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  cdr::ByteOrder order() const { return order_; }
  // The encoded contexts, to be copied with the message.
  ByteView octets() const { return octets_; }
  ServiceContexts moved_to(ByteView copy) const { return {count_, copy, order_}; }

  // The first with that id.
  std::optional<ByteView> find(std::uint32_t id) const;
  // All contexts; allocates.
  std::vector<ServiceContext> list() const;

  template <class Visit>
  void for_each(Visit&& visit) const {
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < count_; ++i) visit(take(at));
  }

 private:
  ServiceContext take(std::size_t& at) const;

  ByteView octets_;
  std::uint32_t count_ = 0;
  cdr::ByteOrder order_{};
};

// Writes a message head's contexts: the count, then each context. Long data is borrowed, as in
// Encoder::put_octets().
void write_service_contexts(cdr::Encoder& encoder, std::span<const ServiceContext> contexts);

// Data of a context that is an encapsulated unsigned short.
inline constexpr std::size_t number_data_bytes = 4;
std::array<std::uint8_t, number_data_bytes> write_number_data(std::uint16_t number);
// Empty if the data is malformed.
std::optional<std::uint16_t> read_number_data(ByteView data);

}  // namespace takt::giop
