// Tracing of an ORB, by option.
#include <takt/tracing/tracing.h>

#include <charconv>
#include <string>

#include <takt/orb/orb.h>

#include "config/option_values.h"
#include "orb/parts/parts.h"
#include "orb/runtime/runtime.h"
#include "os/environment.h"
#include "os/net/unix_socket.h"
#include "tracing/program_span.h"
#include "tracing/span_ring.h"
#include "tracing/trace_stage.h"
#include "tracing/traced_calls.h"

namespace takt {

// In the place of interceptors and of the first dispatcher. The ORB's parts own it.
struct orb::Tracing {
  Tracing(OrbParts& parts, std::shared_ptr<tracing::Tracer> of_orb)
      : tracer(std::move(of_orb)), calls(*tracer, parts.client.interceptors), stage(*tracer) {
    parts.client.interceptors = &calls;
    parts.server.pipeline.put(server::Pipeline::Place::tracing, &stage);
  }

  const std::shared_ptr<tracing::Tracer> tracer;
  tracing::TracedCalls calls;
  tracing::TraceStage stage;
};

class TracingAccess {
 public:
  static orb::Runtime& runtime(const CORBA::ORB& orb) { return *orb.runtime_; }
};

namespace {

double ratio_of(const std::string& text) {
  double ratio = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, ratio);
  if (error != std::errc() || at != end || !(ratio >= 0 && ratio <= 1))
    throw CORBA::BAD_PARAM(
        0, CORBA::COMPLETED_NO,
        orb::not_valid("option -ORBTracing", text, "it takes off, or a ratio from 0 to 1 such as 0.01"));
  return ratio;
}

unsigned kept_failures(const orb::RuntimeOptions& options) {
  unsigned failures = 0;
  if (options.trace_sample_on.has(orb::KeptFailure::exception)) failures |= tracing::failure::exception;
  if (options.trace_sample_on.has(orb::KeptFailure::deadline)) failures |= tracing::failure::deadline;
  return failures;
}

std::unique_ptr<tracing::SpanRing> ring_of(orb::Runtime& runtime) {
  const orb::RuntimeOptions& options = runtime.settings().runtime;
  if (options.trace_file.empty()) return nullptr;
  auto ring = tracing::SpanRing::create(options.trace_file, options.trace_spans,
                                        {os::program_name(), options.id, os::host_name()});
  if (!ring)
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO,
                            orb::not_valid("option -ORBTraceFile", options.trace_file, ring.error()));
  return std::move(*ring);
}

tracing::Tracer* tracer_of(const CORBA::object_reference<CORBA::ORB>& orb) {
  if (!orb) return nullptr;
  const auto& tracing = TracingAccess::runtime(*orb).parts().tracing;
  return tracing ? tracing->tracer.get() : nullptr;
}

}  // namespace

void add_tracing(Parts& parts) {
  parts.begin_tracing = [](orb::Runtime& runtime) {
    const orb::Settings& settings = runtime.settings();
    const double ratio = ratio_of(settings.runtime.tracing);
    auto tracing = std::make_shared<orb::Tracing>(
        runtime.parts(),
        std::make_shared<tracing::Tracer>(ratio, ring_of(runtime), kept_failures(settings.runtime)));
    settings.log->set_trace_of_thread(&tracing::trace_of_thread);
    return tracing;
  };
}

tracing::Counts tracing::counts(const CORBA::object_reference<CORBA::ORB>& orb) {
  const Tracer* const tracer = tracer_of(orb);
  return tracer ? tracer->counts() : Counts();
}

// Calls during a span of a trace that was not chosen begin no trace either.
tracing::Span::Span(const CORBA::object_reference<CORBA::ORB>& orb, std::string_view name)
    : before_(reference::ThreadContext::mine().trace()) {
  Tracer* const tracer = tracer_of(orb);
  if (!tracer) return;
  const Decision decision = tracer->decide();
  if (decision >= Decision::watched)
    span_ = begin_span(*tracer, name, decision == Decision::recorded);
  else if (!before_)
    reference::ThreadContext::mine().use_trace(&untraced);
}

}  // namespace takt
