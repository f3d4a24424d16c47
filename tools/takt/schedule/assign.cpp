// takt schedule assign: finds priorities that meet every deadline.
#include "schedulability/assignment/assignment.h"

#include <algorithm>
#include <iostream>
#include <memory>

#include "common/command.h"
#include "common/files.h"
#include "schedulability/analysis/analysis.h"
#include "schedulability/model/words.h"
#include "schedule/inputs.h"
#include "schedule/json.h"
#include "schedule/output.h"
#include "scheduling/output/report.h"

namespace takt::command {
namespace {

using namespace takt::scheduling;

constexpr std::string_view made_by_assign = "# Made by takt schedule assign --by ";

struct AssignSettings {
  std::vector<std::string> files, above;
  std::string by, output;
  bool as_json = false;
};

void run_assign(const AssignSettings& settings) {
  refuse_to_overwrite(settings.output, made_by_assign);
  const auto operations = operations_in(settings.files);
  if (!operations) fail(operations.error());
  const Repository& repository = operations->repository;
  const auto method = std::ranges::find(assignment_names, settings.by) - assignment_names.begin();
  std::vector<Handle> above;
  for (const std::string& name : settings.above) {
    const auto handle = repository.lookup(name);
    if (!handle) fail("--above: " + handle.error().text);
    above.push_back(*handle);
  }
  const auto priorities = assign(repository, static_cast<Assignment>(method), above);
  if (!priorities)
    fail(listed(settings.files) + ": " + priorities.error().text,
         priorities.error().kind == AssignmentError::infeasible ? negative : unusable);
  const Repository assigned = with_priorities(repository, *priorities);
  const auto analysis = analyse(assigned, {.strategy = Strategy::declared_priorities});
  if (!analysis) fail(listed(settings.files) + ": " + text_of(analysis.error()));
  const std::string text = std::string(made_by_assign) + settings.by + "; changes will be lost.\n" +
                           toml_of(priority_declarations(repository, *priorities));
  if (settings.output != "-")
    std::cout << (settings.as_json ? json_of(assigned, *analysis, std::nullopt)
                                   : report(assigned, *analysis));
  if (!settings.output.empty() && !write_file(settings.output, text))
    fail(cannot_be_written(settings.output));
  if (analysis->critical_verdict != Verdict::meets) throw Answer{negative};
}

}  // namespace

void add_schedule_assign(const Command& schedule) {
  const auto settings = std::make_shared<AssignSettings>();
  const Command command = schedule.add_command(
      "assign", "Finds priorities, and reports their analysis; exits with 1 if a deadline may be missed.");
  command.add("file", settings->files, "operations, as for 'analyse'").required();
  command
      .add("--by", settings->by,
           "audsley: the best priorities of independent threads; hopa: a heuristic for chains of one-way "
           "calls")
      .required()
      .one_of({assignment_names.begin(), assignment_names.end()});
  command
      .add("--above", settings->above,
           "an operation that stays more urgent than all others, such as an interrupt; several stay in the "
           "order of "
           "their priorities; may be repeated")
      .one_at_a_time();
  command.add("-o,--output", settings->output,
              "file to write the priorities to, to be given after the other files from then on");
  command.add_flag("--json", settings->as_json, "print the analysis as JSON, as 'analyse' does");
  command.on_chosen([settings] { run_assign(*settings); });
}

}  // namespace takt::command
