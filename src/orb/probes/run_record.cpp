#include "orb/probes/run_record.h"

#include <cerrno>
#include <fstream>
#include <map>

#include "logs/log_format.h"
#include "os/error_text.h"

namespace takt::orb {
namespace {

using Execution = adapter::ExecutionTimes::Figures;

// Appends `"name": number` for each pair.
class Numbers {
 public:
  explicit Numbers(std::string& text) : text_(text) {}
  Numbers& add(const char* name, auto number) {
    text_.append(separator_).append("\"").append(name).append("\": ").append(std::to_string(number));
    separator_ = ", ";
    return *this;
  }
  Numbers& add(const char* name, std::chrono::nanoseconds time) { return add(name, time.count()); }

 private:
  std::string& text_;
  const char* separator_ = "";
};

void append(std::string& text, const rt::OperationRun& run) {
  const rt::OperationStatistics& counts = run.counts;
  text += ",\n   \"responses\": {";
  Numbers(text)
      .add("count", run.responses)
      .add("missed", counts.deadlines_missed)
      .add("left_out", counts.releases_left_out)
      .add("shortest_ns", run.shortest)
      .add("median_ns", run.median)
      .add("p99_ns", run.p99)
      .add("longest_ns", run.longest)
      .add("latest_begin_ns", counts.latest_begin);
  text += "},\n   \"enforced\": {";
  Numbers(text)
      .add("overruns", counts.overruns)
      .add("demotions", counts.demotions)
      .add("early", counts.early)
      .add("refusals", counts.refusals)
      .add("failures", counts.failures);
  text += "}";
}

void append(std::string& text, const Execution& execution) {
  text += ",\n   \"execution\": {";
  Numbers(text)
      .add("runs", execution.runs)
      .add("median_ns", execution.median)
      .add("p99_ns", execution.p99)
      .add("longest_ns", execution.longest);
  text += "}";
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
  for (const auto& each : record.runs) operations[each.counts.name].run = &each;
  for (const auto& each : record.executions) operations[each.operation].execution = &each;

  std::string text = "{\"run_record\": 1, \"orb\": \"";
  logs::append_json(text, record.orb_id);
  text +=
      "\", \"executions_left_out\": " + std::to_string(record.executions_left_out) + ",\n \"operations\": [";
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
