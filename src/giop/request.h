// Request messages (CORBA 3.0.3, 15.4.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/base/gather_buffer.h>
#include <takt/cdr/encoder.h>
#include <takt/cdr/ior.h>

#include "giop/service_context.h"
#include "giop/target_address.h"
#include "giop/version.h"

namespace takt::giop {

// What the caller waits for.
inline constexpr std::uint8_t no_response = 0x00;           // SYNC_NONE and SYNC_WITH_TRANSPORT
inline constexpr std::uint8_t response_from_server = 0x01;  // SYNC_WITH_SERVER: before the upcall
inline constexpr std::uint8_t response_from_target = 0x03;  // every two-way call

// The head of a request up to the operation, encoded once per target and GIOP version in native byte order.
// Immutable once made, so any thread may use it.
class PreparedTarget {
 public:
  PreparedTarget() = default;
  // GIOP versions before 1.2 know the key only.
  static PreparedTarget for_key(Version version, ByteView object_key);
  static PreparedTarget for_profile(const cdr::TaggedProfile& profile);
  static PreparedTarget for_reference(const cdr::Ior& reference, std::uint32_t selected_profile);

  Version version() const { return version_; }
  // From the first octet of the message; request id and response flags are zero.
  ByteView head() const { return head_; }
  // The part of it that names the target, without what stands before.
  ByteView address() const { return ByteView(head_).subspan(rules_of(version_).address_index); }
  static constexpr std::size_t max_address_index = 24;

 private:
  friend void write_request(cdr::Encoder&, const PreparedTarget&, std::uint32_t, std::uint8_t,
                            std::string_view, std::span<const ServiceContext>, bool);
  PreparedTarget(Version version, const GatherBuffer& head);

  Version version_;
  // The version's rules, at hand.
  std::uint8_t request_id_index_ = 0;
  std::uint8_t flags_mask_ = 0;
  std::uint8_t body_alignment_ = 1;
  std::vector<std::uint8_t> head_;
};

// Writes header and head into the encoder's empty buffer; the encoder's byte order is the native one. For a
// GIOP version before 1.2, `response_flags` become a boolean. `has_body` says whether arguments will follow,
// which are then to be encoded right away. finish_message() completes it.
void write_request(cdr::Encoder& encoder, const PreparedTarget& target, std::uint32_t request_id,
                   std::uint8_t response_flags, std::string_view operation,
                   std::span<const ServiceContext> contexts, bool has_body);

}  // namespace takt::giop
