#include "giop/contexts/service_context.h"

#include "giop/message/head_reader.h"

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
    encoder.put_octets(context.data);
  }
}

}  // namespace takt::giop
