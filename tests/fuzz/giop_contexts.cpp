// Service contexts of a request, such as code sets, priorities, qualities and listen points.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "giop/bidirectional.h"
#include "giop/contexts/code_set_negotiation.h"
#include "giop/heads/head_parser.h"
#include "giop/known_contexts.h"

// The input follows the header of a GIOP 1.0 request, which begins with its contexts.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt;
  if (size == 0) return 0;
  const auto order = static_cast<cdr::ByteOrder>(data[0] & 1);
  std::vector<std::uint8_t> message(giop::header_size + size - 1);
  giop::write_header(message.data(), {1, 0}, order, giop::MessageType::request);
  std::memcpy(message.data() + giop::header_size, data + 1, size - 1);
  giop::store_message_size(message.data(), static_cast<std::uint32_t>(size - 1));
  giop::MessageHeader header;
  if (giop::read_header(message.data(), header) != giop::HeaderError::none) std::abort();
  giop::Event event;
  const giop::Limits limits;
  (void)giop::parse_head(header, message.data(), message.size(), limits, event);
  const auto list = event.contexts.list();
  if (list.size() != event.contexts.size()) std::abort();
  const auto known = giop::known_contexts(event.contexts);
  if (const auto& quality = known.quality) {
    const giop::QualityContextData data(*quality);
    std::vector<std::uint8_t> again{0x03, 0x4b, 0x41, 0x54, static_cast<std::uint8_t>(data.octets().size()),
                                    0,    0,    0};
    for (const std::uint8_t octet : data.octets()) again.push_back(octet);
    if (giop::known_contexts(giop::ServiceContexts(1, again, cdr::ByteOrder::little)).quality != quality)
      std::abort();
  }
  if (const auto& chosen = known.code_sets) {
    const auto again = giop::read_code_set_context(giop::write_code_set_context(*chosen));
    if (!again || *again != *chosen) std::abort();
  }
  if (const auto policies = known.policies())
    if (giop::read_invocation_policies(giop::InvocationPoliciesData(*policies).octets()) != policies)
      std::abort();
  for (const giop::ServiceContext& context : list) {
    if (const auto points = giop::read_listen_points(context.data)) {
      if (points->size() > giop::max_listen_points) std::abort();
      if (giop::read_listen_points(giop::write_listen_points(*points)) != points) std::abort();
    }
    const giop::TaggedComponent component{giop::code_sets_component,
                                          {context.data.begin(), context.data.end()}};
    if (const auto info = giop::read_code_sets_component(component))
      (void)cdr::negotiate(cdr::native_code_sets(), *info);
  }
  return 0;
}
