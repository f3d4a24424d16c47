#include "connection/server/queued_request.h"

#include <cstring>
#include <utility>

namespace takt::connection {

// CDR alignment counts from body_index, so the copied body begins at an address of the same residue.
void QueuedRequest::hold(std::shared_ptr<QueuedChannel> from, const giop::Event& event,
                         const cdr::Format& format, std::int16_t priority, bool response_expected) {
  channel_ = std::move(from);
  const ByteView body = event.parts ? event.parts->octets() : event.body;
  const std::size_t lead_in = event.parts ? 0 : event.body_index % 8;
  octets_.resize(lead_in + body.size() + event.object_key.size() + event.operation.size());
  std::uint8_t* at = octets_.data() + lead_in;
  const auto keep = [&at](const void* octets, std::size_t count) {
    if (count != 0) std::memcpy(at, octets, count);
    return std::exchange(at, at + count);
  };
  const ByteView copy = {keep(body.data(), body.size()), body.size()};
  const ByteView key = {keep(event.object_key.data(), event.object_key.size()), event.object_key.size()};
  const auto* operation = reinterpret_cast<const char*>(keep(event.operation.data(), event.operation.size()));
  context_ = {.request_id = event.request_id,
              .giop_minor = event.version.minor,
              .response_expected = response_expected,
              .object_key = key,
              .operation = {operation, event.operation.size()},
              .priority = priority};
  body_ = copy;
  body_index_ = event.body_index;
  body_missing_ = event.body_missing;
  if (event.parts) {
    parts_ = event.parts->moved_to(copy);
    body_ = copy.subspan(copy.size() - event.body_missing - event.body.size(), event.body.size());
  }
  code_sets_ = *format.code_sets;
  format_ = format;
  format_.code_sets = &code_sets_;
}

}  // namespace takt::connection
