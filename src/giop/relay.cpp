#include "giop/relay.h"

#include "giop/compression/format.h"
#include "giop/contexts/quality.h"
#include "giop/header/lite_format.h"
#include "giop/header/message_header.h"
#include "giop/message/target_address.h"

namespace takt::giop {

namespace {

// The padding after `index` that gives the body its original alignment.
std::size_t octets_until(const OriginalBody& body, std::size_t index) { return (body.index - index) % 8; }

void put_header(cdr::Encoder& encoder, Version version, MessageType type) {
  std::uint8_t header[header_size];
  write_header(header, version, encoder.format().order, type);
  encoder.put_octets(header);
}

void put_key(cdr::Encoder& encoder, ByteView object_key) {
  encoder.put_count(object_key.size());
  encoder.put_octets(object_key);
}

// Principals are not read; their length gives the body its alignment.
void put_principal(cdr::Encoder& encoder, const OriginalBody& body) {
  constexpr std::uint8_t nothing[8] = {};
  encoder.align(4);
  const std::size_t octets = body.empty ? 0 : octets_until(body, encoder.position() + 4);
  encoder.put_count(octets);
  encoder.put_octets({nothing, octets});
}

bool is_of_the_connection(std::uint32_t id) {
  return id == code_sets_context || id == bidirectional_context || id == sending_runtime_context ||
         id == quality_context || id == lite::offer_context || id == compression::offer_context ||
         id == padding_context;
}

}  // namespace

std::vector<ServiceContext> contexts_to_relay(const ServiceContexts& contexts) {
  std::vector<ServiceContext> passed;
  passed.reserve(contexts.size());
  contexts.for_each([&](const ServiceContext& context) {
    if (!is_of_the_connection(context.id)) passed.push_back(context);
  });
  return passed;
}

void write_relayed_request(cdr::Encoder& encoder, Version version, const RequestHead& head,
                           ByteView object_key, const OriginalBody& body) {
  put_header(encoder, version, MessageType::request);
  const VersionRules& rules = rules_of(version);
  if (!rules.contexts_last) write_service_contexts(encoder, head.contexts);
  encoder.put(head.request_id);
  encoder.put(rules.target_address ? head.response_flags
                                   : static_cast<std::uint8_t>(head.response_flags & 1));
  encoder.align(4);
  if (rules.target_address) encoder.put(static_cast<std::uint16_t>(Addressing::key));
  put_key(encoder, object_key);
  encoder.put_raw_string(head.operation);
  if (rules.principal) put_principal(encoder, body);
  if (rules.contexts_last) write_service_contexts(encoder, head.contexts);
  if (rules.aligned_bodies && !body.empty) encoder.align(8);
}

void write_relayed_reply(cdr::Encoder& encoder, Version version, const ReplyHead& head,
                         const OriginalBody& body) {
  write_reply_in_full(encoder, version, head.request_id, head.status, head.contexts, !body.empty);
  if (rules_of(version).aligned_bodies || body.empty || octets_until(body, encoder.position()) == 0) return;
  // Before GIOP 1.2, heads end and reply bodies begin at a multiple of 4.
  constexpr std::uint8_t nothing[4] = {};
  std::vector<ServiceContext> more(head.contexts.begin(), head.contexts.end());
  more.push_back({padding_context, nothing});
  encoder.buffer().clear();
  write_reply_in_full(encoder, version, head.request_id, head.status, more, true);
}

}  // namespace takt::giop
