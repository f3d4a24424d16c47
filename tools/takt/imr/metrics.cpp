#include "imr/metrics.h"

#include <cstdint>

#include "common/metrics_text.h"

namespace takt::command {
namespace {

using Takt::Activation::ServerPhase;
using RegisteredServer = Takt::Activation::Server;

struct ServerMetric {
  const char *name, *type, *help;
  std::uint64_t (*figure)(const RegisteredServer& server);
};

constexpr ServerMetric server_metrics[] = {
    {"takt_imr_running", "gauge", "Whether a process of the server runs.",
     [](const RegisteredServer& server) -> std::uint64_t { return server.phase() == ServerPhase::running; }},
    {"takt_imr_failed", "gauge", "Whether the server is not started any more, after too many failures.",
     [](const RegisteredServer& server) -> std::uint64_t { return server.phase() == ServerPhase::failed; }},
    {"takt_imr_processes", "gauge", "Processes of the server.",
     [](const RegisteredServer& server) -> std::uint64_t { return server.processes().size(); }},
    {"takt_imr_starts_total", "counter", "Processes that were started.",
     [](const RegisteredServer& server) -> std::uint64_t { return server.starts(); }},
    {"takt_imr_failures_total", "counter", "Processes that died without being asked to, or did not start.",
     [](const RegisteredServer& server) -> std::uint64_t { return server.failures(); }},
    {"takt_imr_forwards_total", "counter", "Requests that were forwarded.",
     [](const RegisteredServer& server) -> std::uint64_t { return server.forwards(); }},
    {"takt_imr_refused_total", "counter", "Requests that were refused.",
     [](const RegisteredServer& server) -> std::uint64_t { return server.refused(); }},
    {"takt_imr_waiting", "gauge", "Requests that wait for the server.",
     [](const RegisteredServer& server) -> std::uint64_t { return server.waiting(); }},
};

}  // namespace

std::string prometheus_text(const std::vector<ObservedRepository>& repositories) {
  if (repositories.empty()) return {};
  MetricsText page;
  page.begin("takt_imr_up", "gauge", "Whether the implementation repository has answered.");
  for (const ObservedRepository& each : repositories)
    page.sample("takt_imr_up", each.target, "", each.servers ? 1 : 0);
  for (const ServerMetric& metric : server_metrics) {
    page.begin(metric.name, metric.type, metric.help);
    for (const ObservedRepository& each : repositories) {
      if (!each.servers) continue;
      for (const RegisteredServer& server : *each.servers)
        page.sample(metric.name, each.target, MetricsText::label("server", server.name()),
                    metric.figure(server));
    }
  }
  return page.text();
}

}  // namespace takt::command
