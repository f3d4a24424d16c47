#include "name/metrics.h"

#include <cstdint>
#include <string_view>

#include "common/metrics_text.h"

namespace takt::command {
namespace {

using Takt::Naming::Cluster;
using Takt::Naming::State;

template <class Of>
struct Metric {
  const char *name, *type, *help;
  std::uint64_t (*figure)(const Of& of);
};

constexpr Metric<State> naming_metrics[] = {
    {"takt_naming_bindings", "gauge", "Bindings in all contexts.",
     [](const State& state) -> std::uint64_t { return state.bindings(); }},
    {"takt_naming_contexts", "gauge", "Contexts, with the root.",
     [](const State& state) -> std::uint64_t { return state.contexts(); }},
    {"takt_naming_iterators", "gauge", "Iterators of lists.",
     [](const State& state) -> std::uint64_t { return state.iterators(); }},
};

constexpr Metric<Cluster> cluster_metrics[] = {
    {"takt_naming_etcd_up", "gauge", "Whether etcd answers the service.",
     [](const Cluster& cluster) -> std::uint64_t { return cluster.answers(); }},
    {"takt_naming_etcd_age_seconds", "gauge",
     "Time since which the service's copy of the tree is known to have been current.",
     [](const Cluster& cluster) -> std::uint64_t { return cluster.age_ns(); }},
    {"takt_naming_etcd_revision", "gauge", "The revision of etcd that the copy has.",
     [](const Cluster& cluster) -> std::uint64_t { return cluster.revision(); }},
    {"takt_naming_etcd_readings_total", "counter", "Readings of the whole tree.",
     [](const Cluster& cluster) -> std::uint64_t { return cluster.readings(); }},
    {"takt_naming_etcd_questions_total", "counter", "Questions to etcd whether the copy is current.",
     [](const Cluster& cluster) -> std::uint64_t { return cluster.questions(); }},
    {"takt_naming_etcd_failed_questions_total", "counter", "Questions that got no answer.",
     [](const Cluster& cluster) -> std::uint64_t { return cluster.failed_questions(); }},
    {"takt_naming_etcd_changes_total", "counter", "Changes that etcd has carried out for the service.",
     [](const Cluster& cluster) -> std::uint64_t { return cluster.changes(); }},
    {"takt_naming_etcd_repeated_changes_total", "counter",
     "Attempts that were made again, because the copy was out of date or a member was lost.",
     [](const Cluster& cluster) -> std::uint64_t { return cluster.repeated_changes(); }},
    {"takt_naming_etcd_failed_changes_total", "counter", "Changes that got PERSIST_STORE.",
     [](const Cluster& cluster) -> std::uint64_t { return cluster.failed_changes(); }},
};

}  // namespace

std::string prometheus_text(const std::vector<ObservedNaming>& services) {
  if (services.empty()) return {};
  MetricsText page;
  page.begin("takt_naming_up", "gauge", "Whether the naming service has answered.");
  for (const ObservedNaming& each : services)
    page.sample("takt_naming_up", each.target, "", each.state ? 1 : 0);
  for (const auto& metric : naming_metrics) {
    page.begin(metric.name, metric.type, metric.help);
    for (const ObservedNaming& each : services)
      if (each.state) page.sample(metric.name, each.target, "", metric.figure(*each.state));
  }
  for (const auto& metric : cluster_metrics) {
    page.begin(metric.name, metric.type, metric.help);
    for (const ObservedNaming& each : services) {
      if (!each.state || each.state->cluster().empty()) continue;
      const std::uint64_t figure = metric.figure(each.state->cluster().front());
      if (std::string_view(metric.name).ends_with("_seconds"))
        page.sample_time(metric.name, each.target, "", figure);
      else
        page.sample(metric.name, each.target, "", figure);
    }
  }
  return page.text();
}

}  // namespace takt::command
