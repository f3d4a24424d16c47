// takt schedule calibrate: turns measured execution times into declarations.
#include <iostream>
#include <memory>

#include "common/command.h"
#include "common/files.h"
#include "schedule/inputs.h"
#include "schedule/json.h"
#include "schedule/output.h"
#include "schedule/strategy.h"
#include "scheduling/output/calibration.h"
#include "scheduling/output/report.h"

namespace takt::command {
namespace {

using namespace takt::scheduling;

constexpr std::string_view first_line = "# Made by takt schedule calibrate; changes will be lost.\n";

struct CalibrateSettings {
  std::vector<std::string> files, measured, inherits;
  int margin_percent = 20;
  std::string output;
  StrategyOptions strategy;
  bool as_json = false;
};

// Parses "DERIVED=BASE".
std::vector<Inheritance> inheritances(const CalibrateSettings& settings) {
  std::vector<Inheritance> all;
  for (const std::string& each : settings.inherits) {
    const auto equals = each.find('=');
    if (equals == 0 || equals == each.npos || equals + 1 == each.size())
      fail("--inherits " + each + ": write DERIVED=BASE, two interfaces with their modules");
    all.emplace_back(each.substr(0, equals), each.substr(equals + 1));
  }
  return all;
}

std::vector<Execution> measured(const CalibrateSettings& settings, const Repository& repository) {
  std::vector<Execution> all;
  for (const std::string& file : settings.measured) {
    const auto text = read_file(file);
    if (!text) fail(cannot_be_read(file));
    const auto record = run_record_in(*text);
    if (!record) fail(file + ": " + record.error());
    all.insert(all.end(), record->executions.begin(), record->executions.end());
  }
  name_as_declared(all, repository, inheritances(settings));
  return combined(all);
}

DeclaredOperations read(std::span<const std::string> files) {
  auto operations = operations_in(files);
  if (!operations) fail(operations.error());
  return std::move(*operations);
}

Analysis analysed(const Repository& repository, const StrategyOptions& strategy) {
  auto analysis = analyse(repository, strategy.priorities(repository.infos()));
  if (!analysis) fail(text_of(analysis.error()));
  return std::move(*analysis);
}

// The operations as `analyse` will see them when the new file is given last.
Repository applied(const Repository& before, const Calibration& calibration) {
  std::vector<Declaration> declared = declarations_of(before, "the operations");
  for (Declaration& each : declared) each.note("wcet");  // 0 counts as declared
  const std::vector<Declaration> files[] = {std::move(declared), calibration.declarations};
  auto after = complete(files);
  if (!after) fail(after.error());
  for (const Reservation& each : before.reservations())
    if (const auto added = after->repository.add_reservation(each); !added) fail(added.error().text);
  for (const Chain& each : before.chains())
    if (const auto added = after->repository.add_chain(each); !added) fail(added.error().text);
  return std::move(after->repository);
}

void run(const CalibrateSettings& settings) {
  refuse_to_overwrite(settings.output, first_line);
  const Repository before = read(settings.files).repository;
  const Calibration calibration = calibrate(before, measured(settings, before), settings.margin_percent);
  if (calibration.changes.empty())
    fail("none of the operations was measured; the measurement has " +
         (calibration.unknown.empty() ? "no operations" : calibration.unknown.front()));
  const Repository after = applied(before, calibration);
  const Analysis analysis = analysed(after, settings.strategy);
  if (settings.output != "-")
    std::cout << (settings.as_json ? json_of(calibration, after, analysis)
                                   : calibration_report(calibration) + '\n' + report(after, analysis));
  if (!settings.output.empty() &&
      !write_file(settings.output, std::string(first_line) + toml_of(calibration.declarations)))
    fail(cannot_be_written(settings.output));
  if (analysis.critical_verdict != Verdict::meets) throw Answer{negative};
}

}  // namespace

void add_schedule_calibrate(const Command& schedule) {
  const auto settings = std::make_shared<CalibrateSettings>();
  const Command calibrate = schedule.add_command(
      "calibrate",
      "Replaces declared execution times by measured ones; exits with 1 if a deadline may be missed.");
  calibrate.add("file", settings->files, "operations, as for 'analyse'").required();
  calibrate
      .add("-m,--measured", settings->measured, "files that -ORBRunRecord wrote, from one or more servers")
      .required();
  calibrate.add("--inherits", settings->inherits,
                "DERIVED=BASE: measurements of objects of DERIVED count for the operations that "
                "it inherits from BASE");
  calibrate.add("--margin", settings->margin_percent, "per cent added to the longest measured run")
      .within(0, 1000)
      .show_default();
  calibrate.add(
      "-o,--output", settings->output,
      "file to write, to be given after the other files from then on; without it, only the table is printed");
  calibrate.add_flag("--json", settings->as_json, "print JSON");
  settings->strategy.add_to(calibrate);
  calibrate.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command
