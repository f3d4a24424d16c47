#include "queued/queued_request.h"

#include <algorithm>
#include <utility>

#include "giop/message/body_copy.h"
#include "giop/message/request.h"
#include "queued/queued_channel.h"

namespace takt::server {

bool QueuedRequest::hold(std::shared_ptr<QueuedChannel> from, const giop::Event& event,
                         const cdr::Format& format, std::int16_t priority, bool response_expected,
                         cdr::BodyTail* tail) {
  const ByteView key = event.object_key;
  const ByteView contexts = event.contexts.octets();
  const std::size_t heads = key.size() + event.operation.size() + contexts.size();
  MemoryCharge memory(from ? &from->memory() : nullptr);
  const std::size_t copied = event.body.size() + (tail ? 0 : event.body_missing);
  if (!memory.resize(copied + heads)) return false;
  const auto copy = giop::copy_body(event, heads, octets_, parts_);
  channel_ = std::move(from);
  memory_ = std::move(memory);
  if (tail) tail_ = std::move(*tail);
  const MutableBytes operation = copy.rest.subspan(key.size(), event.operation.size());
  const MutableBytes contexts_copy = copy.rest.last(contexts.size());
  std::ranges::copy(key, copy.rest.begin());
  std::ranges::copy(event.operation, operation.begin());
  std::ranges::copy(contexts, contexts_copy.begin());
  contexts_ = event.contexts.moved_to(contexts_copy);
  context_ = {.request_id = event.request_id,
              .giop_minor = event.version.minor,
              .short_head = event.short_head,
              .response_expected = response_expected,
              .object_key = copy.rest.first(key.size()),
              .operation = {reinterpret_cast<const char*>(operation.data()), operation.size()},
              .priority = priority,
              .contexts = &contexts_};
  body_ = copy.body;
  body_index_ = event.body_index;
  body_missing_ = event.body_missing;
  came_with_others_ = thread_is_ready_ = false;
  replies_early_ = event.response_flags == giop::response_from_server;
  // The connection's formats have such code sets.
  code_sets_ = static_cast<const cdr::PeerCodeSets&>(*format.code_sets);
  format_ = format;
  format_.code_sets = &code_sets_;
  return true;
}

}  // namespace takt::server
