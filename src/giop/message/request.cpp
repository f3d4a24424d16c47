#include "giop/message/request.h"

#include <atomic>
#include <cstring>
#include <string_view>

#include "giop/header/message_header.h"

namespace takt::giop {

namespace {

// Writes the octets before the target's address: the header, and fixed fields, else zeros.
void begin_head(cdr::Encoder& encoder, Version version) {
  std::uint8_t fixed[PreparedTarget::max_address_index] = {};
  write_header(fixed, version, cdr::native_order, MessageType::request);
  encoder.put_octets({fixed, rules_of(version).address_index});
}

void put_profile(cdr::Encoder& encoder, const cdr::TaggedProfile& profile) {
  encoder.put(profile.tag);
  encoder.put_count(profile.data.size());
  encoder.put_octets(profile.data);
}

// Before GIOP 1.2 contexts come first, so the prepared head cannot be used unchanged.
void write_contexts_first(cdr::Encoder& encoder, const PreparedTarget& target, const RequestHead& head) {
  encoder.put_octets(target.head().first(header_size));
  write_service_contexts(encoder, head.contexts);
  encoder.put(head.request_id);
  encoder.put(static_cast<std::uint8_t>(head.response_flags & 1));
  encoder.align(4);
  encoder.put_octets(target.address());
  encoder.put_raw_string(head.operation);
  encoder.put(std::uint32_t{0});  // principal
}

}  // namespace

PreparedTarget::PreparedTarget(Version version, const GatherBuffer& head)
    : version_(version),
      request_id_index_(rules_of(version).request_id_index),
      flags_mask_(rules_of(version).target_address ? 0xff : 0x01),
      body_alignment_(rules_of(version).aligned_bodies ? 8 : 1) {
  // The next field is a 4-octet number, so the head includes the padding for it.
  const std::size_t aligned = (head.owned_size() + 3) & ~std::size_t{3};
  head_bytes_ = aligned;
  padding_bytes_ = static_cast<std::uint8_t>(aligned - head.owned_size());
  head_.resize((aligned + block_bytes - 1) / block_bytes * block_bytes);
  std::memcpy(head_.data(), head.owned(), head.owned_size());
  static std::atomic<std::uint64_t> serials{0};
  serial_ = serials.fetch_add(1, std::memory_order_relaxed) + 1;
  const ByteView named = address();
  address_hash_ = std::hash<std::string_view>()({reinterpret_cast<const char*>(named.data()), named.size()});
}

PreparedTarget PreparedTarget::for_key(Version version, ByteView object_key) {
  GatherBuffer buffer(256);
  cdr::Encoder encoder(buffer);
  encoder.set_borrowing(false);
  begin_head(encoder, version);
  if (rules_of(version).target_address) encoder.put(static_cast<std::uint16_t>(Addressing::key));
  encoder.put_count(object_key.size());
  encoder.put_octets(object_key);
  PreparedTarget target(version, buffer);
  target.names_key_ = rules_of(version).target_address;
  return target;
}

PreparedTarget PreparedTarget::for_profile(const cdr::TaggedProfile& profile) {
  GatherBuffer buffer(256);
  cdr::Encoder encoder(buffer);
  encoder.set_borrowing(false);
  begin_head(encoder, {});
  encoder.put(static_cast<std::uint16_t>(Addressing::profile));
  put_profile(encoder, profile);
  return {{}, buffer};
}

PreparedTarget PreparedTarget::for_reference(const cdr::Ior& reference, std::uint32_t selected_profile) {
  GatherBuffer buffer(256);
  cdr::Encoder encoder(buffer);
  encoder.set_borrowing(false);
  begin_head(encoder, {});
  encoder.put(static_cast<std::uint16_t>(Addressing::reference));
  encoder.put(selected_profile);
  encoder.put_raw_string(reference.type_id);
  encoder.put_count(reference.profiles.size());
  for (const cdr::TaggedProfile& profile : reference.profiles) put_profile(encoder, profile);
  return {{}, buffer};
}

void write_request_with_contexts(cdr::Encoder& encoder, const PreparedTarget& target,
                                 const RequestHead& head) {
  if (!rules_of(target.version()).contexts_last) return write_contexts_first(encoder, target, head);
  encoder.buffer().advance_to(write_request_head(encoder, target, head));
  write_service_contexts(encoder, head.contexts);
  if (head.has_body) encoder.align(8);
}

}  // namespace takt::giop
