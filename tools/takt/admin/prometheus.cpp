#include "admin/prometheus.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <map>
#include <string_view>
#include <utility>

#include "admin/durations.h"
#include "common/metrics_text.h"

namespace takt::command {
namespace {

using Takt::Admin::State;
using Label = std::pair<const char*, std::string>;
using Labels = std::vector<Label>;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}
std::string number(std::uint64_t value) { return std::to_string(value); }
double seconds(std::uint64_t ns) { return static_cast<double>(ns) / 1e9; }

// Writes one metric after the other; all samples of a metric must be together.
class Page {
 public:
  explicit Page(const std::vector<Observed>& orbs) : orbs_(orbs) {}

  // Adds the metric; `each` adds the samples of one ORB that has answered.
  void metric(const char* name, const char* type, const char* help,
              const std::function<void(const State&)>& each) {
    name_ = name;
    text_.append("# HELP ").append(name).append(" ").append(help).append("\n");
    text_.append("# TYPE ").append(name).append(" ").append(type).append("\n");
    for (const Observed& orb : orbs_) {
      target_ = orb.target;
      if (orb.state) each(*orb.state);
    }
  }
  void up() {
    text_ += "# HELP takt_up Whether the ORB has answered.\n# TYPE takt_up gauge\n";
    name_ = "takt_up";
    for (const Observed& orb : orbs_) {
      target_ = orb.target;
      sample({}, std::uint64_t{orb.state ? 1u : 0u});
    }
  }
  template <class Number>
  void sample(const Labels& labels, Number value, const char* suffix = "") {
    text_.append(name_).append(suffix).append("{target=\"").append(label_value(target_)).append("\"");
    for (const auto& [label, text] : labels)
      text_.append(",").append(label).append("=\"").append(label_value(text)).append("\"");
    text_.append("} ").append(number(value)).append("\n");
  }
  std::string text() { return std::move(text_); }

 private:
  const std::vector<Observed>& orbs_;
  std::string text_, name_, target_;
};

Labels labels_of(const Takt::Admin::Lane& lane) {
  return {{"lane", std::to_string(lane.id())}, {"priority", std::to_string(lane.priority())}};
}

void add_connections(Page& page) {
  page.metric("takt_uptime_seconds", "gauge", "Time since the ORB began to count.",
              [&](const State& state) { page.sample({}, seconds(state.up_ns())); });
  page.metric("takt_connections", "gauge", "Open connections of clients, by the lane that serves them.",
              [&](const State& state) {
                for (const auto& each : state.lanes()) page.sample(labels_of(each), each.connections());
              });
  page.metric("takt_connections_accepted_total", "counter", "Connections of clients that were accepted.",
              [&](const State& state) { page.sample({}, state.connections_accepted()); });
  page.metric("takt_connections_refused_total", "counter",
              "Connections that were refused because too many were open.",
              [&](const State& state) { page.sample({}, state.connections_refused()); });
  page.metric("takt_local_road_connections_total", "counter",
              "Connections within the machine in the place of TCP, by road and what became of them.",
              [&](const State& state) {
                for (const auto& each : state.roads())
                  for (const auto& [what, count] : {std::pair("opened", each.opened()),
                                                    {"accepted", each.accepted()},
                                                    {"refused", each.refused()}})
                    page.sample({{"road", each.name()}, {"event", what}}, std::uint64_t{count});
              });
  page.metric("takt_requests_refused_total", "counter", "Requests that were refused before their upcall.",
              [&](const State& state) {
                for (const auto& each : state.refusals())
                  page.sample({{"reason", each.reason()}}, each.requests());
              });
}

void add_lanes(Page& page) {
  page.metric("takt_lane_deadlines_missed_total", "counter",
              "Upcalls of scheduled operations that ended after their deadline, by the lane of their thread.",
              [&](const State& state) {
                for (const auto& each : state.lanes()) page.sample(labels_of(each), each.deadlines_missed());
              });
  page.metric("takt_lane_overruns_total", "counter",
              "Upcalls that used more processor time than declared, by the lane of their thread.",
              [&](const State& state) {
                for (const auto& each : state.lanes()) page.sample(labels_of(each), each.overruns());
              });
}

// Pools may have the same name and priority; their queues count as one.
struct QueueSum {
  std::uint64_t threads = 0, waiting = 0, early = 0, octets = 0, oldest_ns = 0;
};

void add_queues(Page& page) {
  using Member = std::uint64_t QueueSum::*;
  const auto add = [&](const char* name, const char* help, Member member, bool is_time) {
    page.metric(name, "gauge", help, [&](const State& state) {
      std::map<std::pair<std::string, std::string>, QueueSum> sums;
      for (const auto& queue : state.queues()) {
        QueueSum& sum = sums[{queue.name(), queue.in_lane() ? std::to_string(queue.priority()) : "-1"}];
        sum.threads += queue.threads();
        sum.waiting += queue.waiting();
        sum.early += queue.early();
        sum.octets += queue.octets();
        sum.oldest_ns = std::max<std::uint64_t>(sum.oldest_ns, queue.oldest_ns());
      }
      for (const auto& [key, sum] : sums) {
        const Labels labels{{"queue", key.first}, {"priority", key.second}};
        is_time ? page.sample(labels, seconds(sum.*member)) : page.sample(labels, sum.*member);
      }
    });
  };
  add("takt_queue_threads", "Threads that serve the queue.", &QueueSum::threads, false);
  add("takt_queue_waiting_requests", "Requests that wait for a thread.", &QueueSum::waiting, false);
  add("takt_queue_early_requests", "Requests whose start time has not come.", &QueueSum::early, false);
  add("takt_queue_size_bytes", "Size of all requests in the queue.", &QueueSum::octets, false);
  add("takt_queue_oldest_request_seconds", "How long the oldest waiting request has waited.",
      &QueueSum::oldest_ns, true);
}

// Adapters may have the same path, because a name may contain the '/' between names; they count as one.
struct AdapterSum {
  std::uint64_t objects = 0, is_active = 1;
};

void add_adapters(Page& page) {
  const auto add = [&](const char* name, const char* help, std::uint64_t AdapterSum::* member) {
    page.metric(name, "gauge", help, [&](const State& state) {
      std::map<std::string, AdapterSum> sums;
      for (const auto& each : state.adapters()) {
        AdapterSum& sum = sums[each.path()];
        sum.objects += each.objects();
        if (each.state() != "active") sum.is_active = 0;
      }
      for (const auto& [path, sum] : sums) page.sample({{"adapter", path}}, sum.*member);
    });
  };
  add("takt_adapter_objects", "Active objects of the POA.", &AdapterSum::objects);
  add("takt_adapter_active", "Whether the POA's manager is active.", &AdapterSum::is_active);
}

Labels labels_of(const Takt::Admin::Operation& operation) {
  return {{"interface", operation.interface_name()}, {"operation", operation.name()}};
}

void add_operations(Page& page) {
  static constexpr double limits[] = {1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3,
                                      5e-3, 1e-2, 2e-2, 5e-2, 0.1,  0.2,  0.5,  1.0,  2.0,  5.0,  10.0};
  page.metric(
      "takt_operation_duration_seconds", "histogram",
      "Time from the dispatch of a call to its encoded answer.", [&](const State& state) {
        for (const auto& each : state.operations()) {
          const Labels labels = labels_of(each);
          Labels bucket = labels;
          bucket.emplace_back("le", "");
          for (const double limit : limits) {
            bucket.back().second = number(limit);
            const std::chrono::duration<double> time(limit);
            page.sample(bucket,
                        calls_up_to(each.durations(), std::chrono::round<std::chrono::nanoseconds>(time)),
                        "_bucket");
          }
          bucket.back().second = "+Inf";
          const std::uint64_t calls = calls_in(each.durations());
          page.sample(bucket, calls, "_bucket");
          page.sample(labels, std::chrono::duration<double>(sum_of(each.durations())).count(), "_sum");
          page.sample(labels, calls, "_count");
        }
      });
  page.metric("takt_operation_exceptions_total", "counter", "Calls that were answered with an exception.",
              [&](const State& state) {
                for (const auto& each : state.operations()) {
                  Labels labels = labels_of(each);
                  labels.emplace_back("kind", "user");
                  page.sample(labels, each.user_exceptions());
                  labels.back().second = "system";
                  page.sample(labels, each.system_exceptions());
                }
              });
}

void add_schedule(Page& page) {
  using Scheduled = Takt::Admin::ScheduledOperation;
  const auto add = [&](const char* name, const char* help,
                       const std::function<std::uint64_t(const Scheduled&)>& value) {
    page.metric(name, "counter", help, [&](const State& state) {
      for (const Scheduled& each : state.schedule()) page.sample({{"operation", each.name()}}, value(each));
    });
  };
  add("takt_scheduled_upcalls_total", "Upcalls of the scheduled operation.",
      [](auto& each) { return each.begun(); });
  add("takt_scheduled_deadlines_missed_total", "Upcalls that ended after their deadline.",
      [](auto& each) { return each.deadlines_missed(); });
  add("takt_scheduled_overruns_total", "Upcalls that used more processor time than declared.",
      [](auto& each) { return each.overruns(); });
  add("takt_scheduled_demotions_total", "Overruns whose thread was demoted.",
      [](auto& each) { return each.demotions(); });
  add("takt_scheduled_early_requests_total", "Requests that came earlier than the period allows.",
      [](auto& each) { return each.early(); });
  add("takt_scheduled_refused_requests_total", "Requests that the schedule refused.",
      [](auto& each) { return each.refusals(); });
  add("takt_scheduled_skipped_releases_total", "Releases that were skipped because the next one was due.",
      [](auto& each) { return each.releases_left_out(); });
  add("takt_scheduled_failures_total", "Periodic jobs that raised an exception.",
      [](auto& each) { return each.failures(); });
  page.metric("takt_scheduled_longest_response_seconds", "gauge",
              "The longest time from an arrival to the end of its upcall.", [&](const State& state) {
                for (const Scheduled& each : state.schedule())
                  page.sample({{"operation", each.name()}}, seconds(each.longest_response_ns()));
              });
}

void add_memory(Page& page) {
  using Memory = Takt::Admin::MemoryUse;
  const auto add = [&](const char* name, const char* type, const char* help,
                       const std::function<std::uint64_t(const Memory&)>& value) {
    page.metric(name, type, help, [&](const State& state) {
      for (const Memory& each : state.memory()) page.sample({{"side", each.side()}}, value(each));
    });
  };
  add("takt_memory_taken_bytes", "gauge", "Memory that messages take.",
      [](auto& use) { return use.taken_bytes(); });
  add("takt_memory_peak_bytes", "gauge", "The most memory that messages have taken.",
      [](auto& use) { return use.peak_bytes(); });
  add("takt_memory_limit_bytes", "gauge", "The most memory that messages may take.",
      [](auto& use) { return use.limit_bytes(); });
  add("takt_memory_refusals_total", "counter", "Refusals because messages had taken the memory.",
      [](auto& use) { return use.refusals(); });
}

void add_relayed(Page& page) {
  using Takt::Admin::RelayedRequests;
  const auto add = [&](const char* name, const char* help,
                       const std::function<std::uint64_t(const RelayedRequests&)>& value) {
    page.metric(name, "counter", help, [&](const State& state) {
      for (const RelayedRequests& each : state.relayed()) page.sample({}, value(each));
    });
  };
  add("takt_bridge_requests_total", "Requests that the bridge has passed on.",
      [](auto& relayed) { return relayed.requests(); });
  add("takt_bridge_replies_total", "Replies that the bridge has passed back, including exceptions.",
      [](auto& relayed) { return relayed.replies(); });
  add("takt_bridge_failures_total", "Requests whose server was not reached, or not in time.",
      [](auto& relayed) { return relayed.failures(); });
  add("takt_bridge_request_bytes_total", "Size of the arguments that the bridge has passed on.",
      [](auto& relayed) { return relayed.request_bytes(); });
  add("takt_bridge_reply_bytes_total", "Size of the results that the bridge has passed back.",
      [](auto& relayed) { return relayed.reply_bytes(); });
}

}  // namespace

std::string prometheus_text(const std::vector<Observed>& orbs) {
  Page page(orbs);
  page.up();
  add_connections(page);
  add_lanes(page);
  add_queues(page);
  add_adapters(page);
  add_operations(page);
  add_schedule(page);
  add_memory(page);
  add_relayed(page);
  return page.text();
}

}  // namespace takt::command
