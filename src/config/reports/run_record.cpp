#include "config/reports/run_record.h"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <string_view>

#include "logs/log_format.h"
#include "os/error_text.h"

namespace takt::orb {
namespace {

using Execution = rt::ExecutionTimes::Figures;

std::intmax_t ns(std::chrono::nanoseconds time) { return time.count(); }

void append(std::string& text, const rt::OperationRun& run) {
  const rt::OperationStatistics& counts = run.counts;
  char figures[640];  // fits 13 numbers of 20 digits
  std::snprintf(
      figures, sizeof figures,
      ",\n   \"responses\": {\"count\": %jd, \"missed\": %ju, \"left_out\": %ju, \"shortest_ns\": %jd, "
      "\"median_ns\": %jd, \"p99_ns\": %jd, \"longest_ns\": %jd, \"latest_begin_ns\": %jd},\n"
      "   \"enforced\": {\"overruns\": %ju, \"demotions\": %ju, \"early\": %ju, \"refusals\": %ju, "
      "\"failures\": %ju}",
      std::intmax_t{run.responses}, std::uintmax_t{counts.deadlines_missed},
      std::uintmax_t{counts.releases_left_out}, ns(run.shortest), ns(run.median), ns(run.p99),
      ns(run.longest), ns(counts.latest_begin), std::uintmax_t{counts.overruns},
      std::uintmax_t{counts.demotions}, std::uintmax_t{counts.early}, std::uintmax_t{counts.refusals},
      std::uintmax_t{counts.failures});
  text += figures;
}

void append(std::string& text, const Execution& execution) {
  char figures[256];  // fits 4 numbers of 20 digits
  std::snprintf(
      figures, sizeof figures,
      ",\n   \"execution\": {\"runs\": %jd, \"median_ns\": %jd, \"p99_ns\": %jd, \"longest_ns\": %jd}",
      std::intmax_t{execution.runs}, ns(execution.median), ns(execution.p99), ns(execution.longest));
  text += figures;
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
