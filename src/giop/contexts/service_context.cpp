#include "giop/contexts/service_context.h"

#include <cstring>

#include "giop/header/head_reader.h"

namespace takt::giop {

namespace {

template <bool Swap>
ServiceContext take_one(ByteView octets, std::size_t& at) {
  HeadReader<Swap> in(octets.data(), octets.size(), at);
  ServiceContext context{};
  if (!in.u32(context.id) || !in.octets(context.data)) return {};
  at = in.index();
  return context;
}

}  // namespace

ServiceContext ServiceContexts::take(std::size_t& at) const {
  return order_ == cdr::native_order ? take_one<false>(octets_, at) : take_one<true>(octets_, at);
}

std::optional<ByteView> ServiceContexts::find(std::uint32_t id) const {
  std::size_t at = 0;
  for (std::uint32_t i = 0; i < count_; ++i)
    if (const ServiceContext context = take(at); context.id == id) return context.data;
  return std::nullopt;
}

std::vector<ServiceContext> ServiceContexts::list() const {
  std::vector<ServiceContext> all;
  all.reserve(count_);
  for_each([&](const ServiceContext& context) { all.push_back(context); });
  return all;
}

void write_service_contexts(cdr::Encoder& encoder, std::span<const ServiceContext> contexts) {
  encoder.put_count(contexts.size());
  for (const ServiceContext& context : contexts) {
    encoder.put(context.id);
    encoder.put_count(context.data.size());
    encoder.put_copied(context.data);  // an interceptor's may end before the message is sent
  }
}

std::array<std::uint8_t, number_data_bytes> write_number_data(std::uint16_t number) {
  std::array<std::uint8_t, number_data_bytes> data{static_cast<std::uint8_t>(cdr::native_order)};
  std::memcpy(data.data() + 2, &number, sizeof number);
  return data;
}

std::optional<std::uint16_t> read_number_data(ByteView data) {
  std::uint16_t number = 0;
  if (!open_encapsulation(data, [&number](auto& in) { return in.u16(number); })) return std::nullopt;
  return number;
}

}  // namespace takt::giop
