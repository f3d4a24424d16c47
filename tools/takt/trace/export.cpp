// takt trace export: sends spans to a collector.
#include "trace/export.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "colours.h"
#include "common/command.h"
#include "common/interrupt.h"
#include "trace/http_post.h"
#include "trace/input.h"
#include "trace/otlp.h"

namespace takt::command {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t spans_of_a_request = 512;

struct OtlpSettings {
  std::vector<std::string> files;
  std::string url, authorities;
  std::chrono::nanoseconds timeout = 10s, interval = 0s;
  std::uint64_t rounds = 0;
};

using SpanKey = std::pair<tracing::TraceId, tracing::SpanId>;

// Whether the same request may get another answer later.
bool may_be_taken_later(int status) {
  constexpr int request_timeout = 408, too_many_requests = 429;
  return status < 400 || status >= 500 || status == request_timeout || status == too_many_requests;
}

// Posts the spans of files, each span once.
class Exporter {
 public:
  explicit Exporter(const OtlpSettings& settings)
      : settings_(settings), poster_(collector(settings.url), settings.authorities) {}

  // The number of spans that the collector has taken. Those that it refuses for good count as refused, and
  // are not sent again. Throws a Failure if the collector does not take them now.
  std::size_t send_new() {
    const Traces traces = read_traces(settings_.files);
    std::set<SpanKey> present;
    std::vector<const TracedSpan*> waiting;
    for (const Trace& trace : traces.all)
      for (const TracedSpan& span : trace.spans) {
        present.emplace(span.trace, span.span);
        if (!sent_.contains({span.trace, span.span})) waiting.push_back(&span);
      }
    std::erase_if(sent_, [&](const SpanKey& key) { return !present.contains(key); });
    std::size_t taken = 0;
    for (std::size_t at = 0; at < waiting.size(); at += spans_of_a_request) {
      const std::size_t end = std::min(at + spans_of_a_request, waiting.size());
      const std::vector<const TracedSpan*> some(waiting.begin() + static_cast<std::ptrdiff_t>(at),
                                                waiting.begin() + static_cast<std::ptrdiff_t>(end));
      if (send(some, traces.processes))
        taken += some.size();
      else
        has_refused_ = true;
      for (const TracedSpan* const span : some) sent_.emplace(span->trace, span->span);
    }
    return taken;
  }
  bool has_refused() const { return has_refused_; }

 private:
  static std::string collector(const std::string& text) {
    auto url = post_url_from(text, "/v1/traces");
    if (!url) fail(url.error());
    return *url;
  }
  // False: the collector has refused them for good, which was said.
  bool send(const std::vector<const TracedSpan*>& spans, const std::vector<TracedProcess>& processes) {
    const auto reply = poster_.post_json(text_of(as_otlp(spans, processes)), settings_.timeout);
    if (!reply) fail(settings_.url + ": " + reply.error(), negative);
    if (reply->status != 200) {
      const std::string answer = settings_.url + ": the collector answers " + std::to_string(reply->status) +
                                 " " + one_line(reply->body.substr(0, most_shown));
      if (may_be_taken_later(reply->status)) fail(answer, negative);
      command_line::print_error("takt trace export",
                                answer + "; " + std::to_string(spans.size()) + " spans are not sent again");
      return false;
    }
    if (const std::string rejected = rejected_by(reply->body); !rejected.empty())
      std::cerr << "takt trace export: the collector has rejected "
                << one_line(rejected.substr(0, most_shown)) << '\n';
    return true;
  }
  static constexpr std::size_t most_shown = 400;

  const OtlpSettings& settings_;
  HttpPoster poster_;
  std::set<SpanKey> sent_;  // or refused
  bool has_refused_ = false;
};

// A collector that is away for a while loses nothing that is still in the files.
void send_again_and_again(Exporter& exporter, const OtlpSettings& settings) {
  end_at_interrupt();
  for (std::uint64_t round = 1; !interrupted; ++round) {
    try {
      exporter.send_new();
    } catch (const Failure& failure) {
      command_line::print_error("takt trace export", failure.text);
    }
    if (round == settings.rounds) break;
    wait_until(std::chrono::steady_clock::now() + settings.interval);
  }
}

void run(const OtlpSettings& settings) {
  Exporter exporter(settings);
  if (settings.interval > 0s) {
    send_again_and_again(exporter, settings);
  } else {
    const std::size_t sent = exporter.send_new();
    std::cout << sent << (sent == 1 ? " span" : " spans") << " sent\n";
  }
  if (exporter.has_refused()) throw Answer{negative};
}

}  // namespace

void add_trace_export(const Command& trace) {
  const auto settings = std::make_shared<OtlpSettings>();
  const Command command = trace.add_command(
      "export", "Sends the spans of files to a collector of OpenTelemetry, as OTLP over HTTP in JSON.");
  command.add("file", settings->files, "the files that the processes' -ORBTraceFile names").required();
  command
      .add("--otlp", settings->url,
           "the collector, such as http://localhost:4318; without a path, /v1/traces is added")
      .required();
  command.add("--authorities", settings->authorities,
              "with https, a PEM file of authorities for the collector's certificate; by default those of "
              "the system");
  command.add("--timeout", settings->timeout, "the longest time for a request to the collector", call_times)
      .show_default();
  command
      .add("--interval", settings->interval, "send what is new at this interval, until interrupted; 0: once",
           {0s, longest_interval})
      .show_default();
  command.add("--rounds", settings->rounds, "the number of times, with an interval; 0: until interrupted")
      .show_default();
  command.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command
