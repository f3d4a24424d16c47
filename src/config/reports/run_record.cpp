#include "config/reports/run_record.h"

#include <cerrno>
#include <concepts>
#include <fstream>
#include <initializer_list>
#include <map>
#include <string_view>

#include "logs/log_format.h"
#include "os/error_text.h"

namespace takt::orb {
namespace {

using Execution = rt::ExecutionTimes::Figures;

struct Figure {
  Figure(std::string_view called, std::integral auto number) : name(called), value(std::to_string(number)) {}
  Figure(std::string_view called, std::chrono::nanoseconds time) : Figure(called, time.count()) {}

  const std::string_view name;
  const std::string value;
};

void append(std::string& text, std::string_view name, std::initializer_list<Figure> figures) {
  text.append(",\n   \"").append(name).append("\": {");
  const char* separator = "\"";
  for (const Figure& each : figures) {
    text.append(separator).append(each.name).append("\": ").append(each.value);
    separator = ", \"";
  }
  text += '}';
}

void append(std::string& text, const rt::OperationRun& run) {
  const rt::OperationStatistics& counts = run.counts;
  append(text, "responses",
         {{"count", run.responses},
          {"missed", counts.deadlines_missed},
          {"left_out", counts.releases_left_out},
          {"shortest_ns", run.shortest},
          {"median_ns", run.median},
          {"p99_ns", run.p99},
          {"longest_ns", run.longest},
          {"latest_begin_ns", counts.latest_begin}});
  append(text, "enforced",
         {{"overruns", counts.overruns},
          {"demotions", counts.demotions},
          {"early", counts.early},
          {"refusals", counts.refusals},
          {"failures", counts.failures}});
}

void append(std::string& text, const Execution& execution) {
  append(text, "execution",
         {{"runs", execution.runs},
          {"median_ns", execution.median},
          {"p99_ns", execution.p99},
          {"longest_ns", execution.longest}});
}

std::string cannot_write(const std::string& file) {
  return "-ORBRunRecord: " + file + " cannot be written: " + os::error_text(errno);
}

}  // namespace

std::string text_of(const RunRecord& record) {
  struct Measured {
    const rt::OperationRun* run = nullptr;
    const Execution* execution = nullptr;
  };
  std::map<std::string_view, Measured> operations;
  for (const auto& each : record.runs.all) operations[each.counts.name].run = &each;
  for (const auto& each : record.executions) operations[each.operation].execution = &each;

  std::string text = "{\"run_record\": 1, \"orb\": \"";
  logs::append_json(text, record.orb_id);
  text += "\", \"responses_left_out\": " + std::to_string(record.runs.left_out) +
          ", \"executions_left_out\": " + std::to_string(record.executions_left_out) +
          ",\n \"operations\": [";
  const char* separator = "\n";
  for (const auto& [name, measured] : operations) {
    text.append(separator).append("  {\"operation\": \"");
    logs::append_json(text, name);
    text += "\"";
    if (measured.run) append(text, *measured.run);
    if (measured.execution) append(text, *measured.execution);
    text += "}";
    separator = ",\n";
  }
  return text + "\n]}\n";
}

std::optional<std::string> check_run_record(const std::string& file) {
  if (std::ofstream(file, std::ios::app)) return std::nullopt;
  return cannot_write(file);
}

std::optional<std::string> write_run_record(const std::string& file, const RunRecord& record) {
  std::ofstream out(file);
  out << text_of(record);
  if (out.flush()) return std::nullopt;
  return cannot_write(file);
}

}  // namespace takt::orb
