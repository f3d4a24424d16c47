// Request messages (CORBA 3.0.3, 15.4.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/base/gather_buffer.h>
#include <takt/cdr/encoder.h>
#include <takt/cdr/ior.h>

#include "giop/contexts/service_context.h"
#include "giop/header/version.h"
#include "giop/message/target_address.h"

namespace takt::giop {

// Response flags: what the caller waits for.
inline constexpr std::uint8_t no_response = 0x00;           // SYNC_NONE and SYNC_WITH_TRANSPORT
inline constexpr std::uint8_t response_from_server = 0x01;  // SYNC_WITH_SERVER: before the upcall
inline constexpr std::uint8_t response_from_target = 0x03;  // every two-way call

// The fields of a request's head, except its target.
struct RequestHead {
  std::uint32_t request_id = 0;
  std::uint8_t response_flags = response_from_target;  // a boolean before GIOP 1.2
  std::string_view operation = {};
  std::span<const ServiceContext> contexts = {};
  bool has_body = false;  // arguments follow, which must be encoded next
};

// The head of a request up to the operation, encoded once per target and GIOP version in native byte order.
// Immutable, so any thread may use it.
class PreparedTarget {
 public:
  PreparedTarget() = default;
  // GIOP versions before 1.2 support only keys.
  static PreparedTarget for_key(Version version, ByteView object_key);
  static PreparedTarget for_profile(const cdr::TaggedProfile& profile);
  static PreparedTarget for_reference(const cdr::Ior& reference, std::uint32_t selected_profile);

  Version version() const { return version_; }
  // From the first octet of the message; request id and response flags are zero.
  ByteView head() const { return {head_.data(), head_bytes_}; }
  // The part of head() that names the target, without the padding after it.
  ByteView address() const {
    return {head_.data() + rules_of(version_).address_index,
            head_bytes_ - padding_bytes_ - rules_of(version_).address_index};
  }
  static constexpr std::size_t max_address_index = 24;
  // Unique in this process; copies share it.
  std::uint64_t serial() const { return serial_; }
  // Equal for equal address().
  std::uint64_t address_hash() const { return address_hash_; }
  // Whether the target is named only by an object key, in GIOP 1.2.
  bool names_key() const { return names_key_; }

 private:
  friend std::uint8_t* write_request_head(cdr::Encoder&, const PreparedTarget&, const RequestHead&);
  PreparedTarget(Version version, const GatherBuffer& head);

  Version version_;
  // The version's rules, copied for speed.
  std::uint8_t request_id_index_ = 0;
  std::uint8_t flags_mask_ = 0;
  std::uint8_t body_alignment_ = 1;
  std::uint8_t padding_bytes_ = 0;
  bool names_key_ = false;
  static constexpr std::size_t block_bytes =
      64;  // one block holds nearly every head, and is copied by a few wide moves
  std::size_t head_bytes_ = 0;
  std::uint64_t serial_ = 0;
  std::uint64_t address_hash_ = 0;
  std::vector<std::uint8_t> head_;  // a multiple of block_bytes
};

// Writes the head of a request without its service contexts, and without the message's size. Returns the
// address of the context count, or of the principal's length before GIOP 1.2.
inline std::uint8_t* write_request_head(cdr::Encoder& encoder, const PreparedTarget& target,
                                        const RequestHead& fields) {
  constexpr std::size_t tail_bytes = 16;  // NUL, padding, a count of 0 and padding: 15 at most
  constexpr std::size_t block_bytes = PreparedTarget::block_bytes;
  const std::size_t blocks_bytes = target.head_.size();
  const std::uint8_t* head = target.head_.data();
  GatherBuffer& buffer = encoder.buffer();
  buffer.ensure(blocks_bytes + 4 + fields.operation.size() + tail_bytes);
  std::uint8_t* const message = buffer.cursor();
  for (std::size_t i = 0; i < blocks_bytes; i += block_bytes) std::memcpy(message + i, head + i, block_bytes);
  std::uint8_t* const id = message + target.request_id_index_;
  std::memcpy(id, &fields.request_id, 4);
  id[4] = fields.response_flags & target.flags_mask_;

  std::uint8_t* at = message + target.head_bytes_;
  const std::string_view operation = fields.operation;
  const std::size_t size = operation.size();
  const auto counted = static_cast<std::uint32_t>(size + 1);
  std::memcpy(at, &counted, 4);
  at += 4;
  if (size >= 8 && size <= 16) [[likely]] {  // a call to memcpy is slow for such short names
    std::memcpy(at, operation.data(), 8);
    std::memcpy(at + size - 8, operation.data() + size - 8, 8);
  } else {
    std::memcpy(at, operation.data(), size);
  }
  std::memset(at + size, 0, tail_bytes);
  // Four zeros: no contexts in GIOP 1.2, no principal before.
  const std::size_t count_index = (static_cast<std::size_t>(at - message) + size + 4) & ~std::size_t{3};
  const std::size_t alignment = fields.has_body ? target.body_alignment_ : 1;
  buffer.advance_to(message + ((count_index + 4 + alignment - 1) & ~(alignment - 1)));
  return message + count_index;
}

// The same, with service contexts.
void write_request_with_contexts(cdr::Encoder& encoder, const PreparedTarget& target,
                                 const RequestHead& head);

// Writes header and head into the encoder's empty buffer, in native byte order, which the encoder must have.
// finish_message() completes the message.
inline void write_request(cdr::Encoder& encoder, const PreparedTarget& target, const RequestHead& head) {
  if (head.contexts.empty()) [[likely]]
    write_request_head(encoder, target, head);
  else
    write_request_with_contexts(encoder, target, head);
}

}  // namespace takt::giop
