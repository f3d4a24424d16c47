// Files of spans, with any contents.
#include "input.h"
#include "tracing/span_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt::tracing;
  const auto file = read_span_file({data, size});
  if (!file) return 0;
  takt::fuzz::require(file->spans.size() <= size / sizeof(SpanSlot));
  for (const ReadSpan& span : file->spans) {
    takt::fuzz::require(span.name.size() <= SpanSlot::most_name &&
                        span.failure.size() <= SpanSlot::most_failure);
    takt::fuzz::require(span.duration_ns >= 0 && span.start_ns >= 0);
  }
  return 0;
}
