// takt schedule import and export: models of other tools.
#include <memory>

#include "common/command.h"
#include "common/files.h"
#include "mast/export.h"
#include "schedulability/model/words.h"
#include "schedule/inputs.h"
#include "schedule/output.h"
#include "schedule/strategy.h"

namespace takt::command {
namespace {

using namespace takt::scheduling;

constexpr std::string_view made_by_import = "# Made by takt schedule import from ";

constexpr std::string_view made_by_export = "-- Made by takt schedule export from ";

struct ImportSettings {
  std::string file, from, unit = "us", output = "-";
};

struct ExportSettings {
  std::vector<std::string> files;
  std::string to, unit = "us", output = "-";
  StrategyOptions strategy;
};

Time unit_of(const std::string& unit) {
  if (unit == "s") return std::chrono::seconds(1);
  if (unit == "ms") return std::chrono::milliseconds(1);
  return unit == "us" ? Time(std::chrono::microseconds(1)) : Time(1);
}

void run_import(const ImportSettings& settings) {
  refuse_to_overwrite(settings.output, made_by_import);
  const auto text = read_file(settings.file);
  if (!text) fail(cannot_be_read(settings.file));
  const auto model = import_mast(*text, settings.file, {.unit = unit_of(settings.unit)});
  if (!model) fail(model.error());
  // Reports what only all declarations together show, such as a period that is too long.
  if (const auto all = complete({&model->declarations, 1}); !all) fail(all.error());
  if (!write_file(settings.output, toml_of(*model, settings.file))) fail(cannot_be_written(settings.output));
}

// A file name in a comment, which ends with its line.
std::string in_one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = '?';
  return text;
}

void run_export(const ExportSettings& settings) {
  refuse_to_overwrite(settings.output, made_by_export);
  const auto operations = operations_in(settings.files);
  if (!operations) fail(operations.error());
  const Repository& repository = operations->repository;
  const std::string files = listed(settings.files);
  const auto analysis = analyse(repository, settings.strategy.priorities(repository.infos()));
  if (!analysis) fail(files + ": " + text_of(analysis.error()));
  const auto model = export_mast(repository, *analysis, {.unit = unit_of(settings.unit)});
  if (!model) fail(files + ": " + model.error());
  const std::string text = std::string(made_by_export) + in_one_line(files) +
                           "; changes will be lost.\n-- Times are in " + settings.unit + ".\n\n" + *model;
  if (!write_file(settings.output, text)) fail(cannot_be_written(settings.output));
}

}  // namespace

void add_schedule_export(const Command& schedule) {
  const auto settings = std::make_shared<ExportSettings>();
  const Command command =
      schedule.add_command("export", "Turns operations and their priorities into a model of another tool.");
  command.add("file", settings->files, "operations, as for 'analyse'").required();
  command.add("--to", settings->to, "the tool: mast, in its text form").required().one_of({"mast"});
  settings->strategy.add_to(command);
  command.add("--unit", settings->unit, "the time that 1 stands for in the model")
      .one_of({"s", "ms", "us", "ns"})
      .show_default();
  command.add("-o,--output", settings->output, "file to write to").show_default();
  command.on_chosen([settings] { run_export(*settings); });
}

void add_schedule_import(const Command& schedule) {
  const auto settings = std::make_shared<ImportSettings>();
  const Command command = schedule.add_command(
      "import", "Turns a model of another tool into operations in TOML, with priorities.");
  command.add("file", settings->file, "the model").required();
  command.add("--from", settings->from, "the tool: mast, in its text form").required().one_of({"mast"});
  command.add("--unit", settings->unit, "the time that 1 stands for in the model, which does not say")
      .one_of({"s", "ms", "us", "ns"})
      .show_default();
  command.add("-o,--output", settings->output, "file to write to").show_default();
  command.on_chosen([settings] { run_import(*settings); });
}

}  // namespace takt::command
