#include "probes/trace.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "probes/step_table.h"

namespace takt::probes {

namespace {

// The client chooses the operation's name, so only printable ASCII without quotes and backslashes is shown.
std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out += c >= ' ' && c <= '~' && c != '"' && c != '\\' ? c : '?';
  return out += '"';
}

std::string_view title_of(Step step) {
  const auto names = step_names();
  const auto found = std::ranges::find(names, step, &StepName::step);
  return found == names.end() ? std::string_view("other") : found->title;
}

// Microseconds, with three decimals.
std::string microseconds(std::int64_t ns) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%lld.%03lld", static_cast<long long>(ns / 1000),
                static_cast<long long>(ns % 1000));
  return digits;
}

class Writer {
 public:
  Writer(std::ostream& out, std::uint32_t process) : out_(out), process_(std::to_string(process)) {}

  void name_process(std::string_view name) {
    separate();
    out_ << R"({"ph":"M","name":"process_name","pid":)" << process_ << R"(,"args":{"name":)"
         << in_quotes(name) << "}}";
  }
  void slice(std::string_view name, std::string_view category, std::uint32_t thread, std::int64_t begin_ns,
             std::int64_t end_ns, const std::uint32_t* request_id) {
    separate();
    out_ << R"({"ph":"X","name":)" << in_quotes(name) << R"(,"cat":")" << category << R"(","pid":)"
         << process_ << R"(,"tid":)" << thread << R"(,"ts":)" << microseconds(begin_ns) << R"(,"dur":)"
         << microseconds(std::max<std::int64_t>(end_ns - begin_ns, 0));
    if (request_id) out_ << R"(,"args":{"request":)" << *request_id << '}';
    out_ << '}';
  }

 private:
  void separate() {
    if (!first_) out_ << ",\n";
    first_ = false;
  }

  std::ostream& out_;
  const std::string process_;
  bool first_ = true;
};

}  // namespace

[[gnu::cold]] void write_trace(std::ostream& out, std::span<const ProbedCall> calls, std::uint32_t process,
                               std::string_view process_name) {
  out << R"({"displayTimeUnit":"ns","traceEvents":[)" << '\n';
  Writer writer(out, process);
  writer.name_process(process_name);
  for (const ProbedCall& call : calls) {
    const char* side = call.of_server ? "server" : "client";
    writer.slice(call.operation.empty() ? "call" : call.operation, side, call.thread, call.begin_ns(),
                 call.end_ns(), &call.request_id);
    for (const auto& interval : call.steps)
      writer.slice(title_of(interval.step), side, call.thread, interval.begin_ns, interval.end_ns, nullptr);
  }
  out << "\n]}\n";
}

}  // namespace takt::probes
