// takt schedule import: turns models of other tools into declarations.
#include <memory>

#include "command.h"
#include "files.h"
#include "schedule_output.h"
#include "scheduling/mast/import.h"

namespace takt::command {
namespace {

using namespace takt::scheduling;

constexpr std::string_view made_by_import = "# Made by takt schedule import from ";

struct ImportSettings {
  std::string file, from, unit = "us", output = "-";
};

Time unit_of(const std::string& unit) {
  if (unit == "s") return std::chrono::seconds(1);
  if (unit == "ms") return std::chrono::milliseconds(1);
  return unit == "us" ? Time(std::chrono::microseconds(1)) : Time(1);
}

void run_import(const ImportSettings& settings) {
  refuse_to_overwrite(settings.output, made_by_import);
  const auto text = read_file(settings.file);
  if (!text) fail(settings.file + ": cannot be read");
  const auto model = import_mast(*text, settings.file, {.unit = unit_of(settings.unit)});
  if (!model) fail(model.error());
  // Reports what only all declarations together show, such as a period that is too long.
  if (const auto all = complete({&model->declarations, 1}); !all) fail(all.error());
  if (!write_file(settings.output, toml_of(*model, settings.file)))
    fail(settings.output + ": cannot be written");
}

}  // namespace

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
