// Trace contexts of strangers. What is understood is written, and read as the same.
#include "input.h"
#include "tracing/trace_context.h"

using namespace takt::tracing;
using takt::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (is_tracestate(text)) require(size <= most_tracestate_bytes);
  if (const auto ids = read_traceparent(text)) {
    char written[traceparent_bytes];
    write_traceparent(*ids, written);
    require(read_traceparent({written, sizeof written}) == ids);
  }
  if (const auto trace = read_trace({data, size})) {
    require(is_tracestate(trace->state));
    std::vector<std::uint8_t> again;
    write_trace(trace->ids, trace->state, again);
    const auto read = read_trace(again);
    require(read && read->ids == trace->ids && read->state == trace->state);
  }
  return 0;
}
