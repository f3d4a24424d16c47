#include "giop/compression/format.h"

#include <algorithm>
#include <cstring>

#include "giop/compression/zlib_method.h"
#include "giop/contexts/service_context.h"
#include "giop/header/head_reader.h"

namespace takt::giop::compression {

OfferData::OfferData(std::uint16_t expansion, const MethodList& methods) {
  std::ranges::copy(write_number_data(expansion), octets_.begin());
  size_ = number_data_bytes;
  const auto all = methods.all();
  if (all.size() == 1 && all[0]->number() == zlib_number) return;
  const auto count = static_cast<std::uint32_t>(all.size());
  std::memcpy(octets_.data() + size_, &count, sizeof count);
  size_ += sizeof count;
  for (const CompressionMethod* const method : all) octets_[size_++] = method->number();
}

std::optional<Wanted> Offer::accepted_by(const MethodList& ours) const {
  for (const std::uint8_t number : methods)
    if (ours.find(number)) return Wanted{expansion, number};
  return std::nullopt;
}

std::optional<Offer> read_offer(ByteView data) {
  static constexpr std::uint8_t zlib_alone[] = {zlib_number};
  Offer offer{0, zlib_alone};
  const bool whole = open_encapsulation(data, [&](auto& in) {
    return in.u16(offer.expansion) && (data.size() == number_data_bytes || in.octets(offer.methods));
  });
  if (!whole) return std::nullopt;
  offer.methods = offer.methods.first(std::min(offer.methods.size(), most_methods));
  return offer;
}

HeaderError read_header(const std::uint8_t* octets, const MethodList& methods, MessageHeader& header) {
  if (octets[0] != mark) return HeaderError::not_giop;
  if (octets[1] != format_version) return HeaderError::version;
  const std::uint8_t flags = octets[6];
  const std::uint8_t method = octets[method_index];
  if (flags > order_flag || (method != as_it_is && !methods.find(method))) return HeaderError::flags;
  const auto type = static_cast<MessageType>(octets[7]);
  if (type != MessageType::request && type != MessageType::reply) return HeaderError::type;
  header = {.version = {1, 2},
            .order = static_cast<cdr::ByteOrder>(flags & order_flag),
            .form = MessageForm::packed,
            .type = type,
            .body_bytes = load_message_size(octets)};
  return HeaderError::none;
}

}  // namespace takt::giop::compression
