#include "tracing/open_span.h"

#include <cstring>

#include "os/process/random_number.h"

namespace takt::tracing {

namespace {

SpanId new_span_id() noexcept {
  std::uint64_t number = os::random_number();
  while (number == 0) number = os::random_number();
  SpanId id;
  std::memcpy(id.data(), &number, sizeof number);
  return id;
}

TraceId new_trace_id() noexcept {
  const SpanId first = new_span_id(), second = new_span_id();
  TraceId id;
  std::memcpy(id.data(), first.data(), first.size());
  std::memcpy(id.data() + first.size(), second.data(), second.size());
  return id;
}

}  // namespace

void OpenSpan::begin(Tracer& tracer, SpanKind kind, std::string_view name, const Position* parent,
                     bool chosen) {
  position_.ids = {parent ? parent->ids.trace : new_trace_id(), new_span_id(), chosen};
  position_.state.assign(parent ? std::string_view(parent->state) : std::string_view());
  position_.tracer = &tracer;
  parent_ = parent ? parent->ids.span : SpanId{};
  kind_ = kind;
  failed_ = false;
  failures_ = 0;
  failure_.set({});
  peer_.set({});
  name_.set(name);
  start_ = std::chrono::system_clock::now().time_since_epoch();
  started_ = Clock::now();
}

void OpenSpan::end() noexcept {
  if (!position_.ids.sampled && !position_.tracer->keeps(failures_)) return;
  position_.tracer->end({.ids = position_.ids,
                         .parent = parent_,
                         .kind = kind_,
                         .failed = failed_,
                         .start = start_,
                         .duration = Clock::now() - started_,
                         .name = name_.get(),
                         .failure = failure_.get(),
                         .peer = peer_.get()});
}

}  // namespace takt::tracing
