// takt schedule: what the operations of a file need, analysed, as a table and as a page.
#include <filesystem>
#include <iostream>
#include <memory>

#include "command.h"
#include "files.h"
#include "schedule_inputs.h"
#include "schedule_json.h"
#include "schedule_strategy.h"
#include "scheduling/model/words.h"
#include "scheduling/output/page.h"
#include "scheduling/output/report.h"
#include "scheduling/output/run_time_table.h"
#include "scheduling/output/table.h"
#include "scheduling/scheduler.h"

namespace takt::command {
namespace {

using namespace takt::scheduling;

struct ScheduleSettings {
  std::vector<std::string> files;
  StrategyOptions strategy;
  bool share_levels = false, as_json = false, sensitive = false, anyway = false;
  std::int32_t minimum = 1, maximum = 99;
  std::string output = "-", name, folder = ".", title, measured;

  std::string all_files() const { return listed(files); }
  PriorityOptions priorities() const {
    PriorityOptions options = strategy.priorities();
    options.share_levels = share_levels;
    options.levels = std::abs(maximum - minimum) + 1;
    return options;
  }
};

DeclaredOperations declared(const ScheduleSettings& settings) {
  auto operations = operations_in(settings.files);
  if (!operations) fail(operations.error());
  return std::move(*operations);
}
Repository read(const ScheduleSettings& settings) { return declared(settings).repository; }

Analysis analysed(const ScheduleSettings& settings, const Repository& repository) {
  auto analysis = analyse(repository, settings.priorities());
  if (!analysis) fail(settings.all_files() + ": " + text_of(analysis.error()));
  return std::move(*analysis);
}

void run_analyse(const ScheduleSettings& settings) {
  const Repository repository = read(settings);
  const Analysis analysis = analysed(settings, repository);
  std::optional<Sensitivity> margins;
  if (settings.sensitive) {
    if (auto found = sensitivity(repository, settings.priorities())) margins = std::move(*found);
  }
  std::string text = settings.as_json ? json_of(repository, analysis, margins) : report(repository, analysis);
  if (margins && !settings.as_json) text += "\n" + report(repository, *margins);
  if (!write_file(settings.output, text)) fail(settings.output + ": cannot be written");
  if (analysis.critical_verdict != Verdict::meets) throw CLI::RuntimeError(negative);
}

void run_table(const ScheduleSettings& settings) {
  const DeclaredOperations operations = declared(settings);
  Scheduler scheduler(settings.priorities(), operations.repository);
  const auto infos = scheduler.compute_scheduling(settings.minimum, settings.maximum);
  if (!infos && !(settings.anyway && scheduler.analysis()))
    fail(settings.all_files() + ": " + infos.error().text, negative);
  const auto table = priority_table(scheduler.repository().infos(), settings.name, operations.fingerprints);
  if (!table) fail(table.error().text);
  const std::string run_time =
      run_time_table(scheduler.repository().infos(), *scheduler.analysis(), settings.name);
  const std::string base = settings.folder + "/" + settings.name;
  if (!write_file(base + ".h", table->header) || !write_file(base + ".cpp", table->source) ||
      !write_file(base + "_run_time.h", run_time))
    fail(base + ".h, .cpp and _run_time.h: cannot be written");
}

std::vector<Measured> measured(const ScheduleSettings& settings) {
  if (settings.measured.empty()) return {};
  const auto text = read_file(settings.measured);
  if (!text) fail(settings.measured + ": cannot be read");
  auto run = measured_in(*text);
  if (!run) fail(settings.measured + ": " + run.error());
  return std::move(*run);
}

void run_page(const ScheduleSettings& settings) {
  const Repository repository = read(settings);
  const Analysis analysis = analysed(settings, repository);
  std::string title = settings.title;
  if (title.empty()) {
    std::vector<std::string> names;
    for (const std::string& file : settings.files)
      names.push_back(std::filesystem::path(file).filename().string());
    title = "Schedule of " + listed(names);
  }
  if (!write_file(settings.output, page(repository, analysis, title, measured(settings))))
    fail(settings.output + ": cannot be written");
}

// The last file is the run; a list of files takes all that it can get.
void run_compare(const ScheduleSettings& given) {
  ScheduleSettings settings = given;
  settings.measured = settings.files.back();
  settings.files.pop_back();
  const Repository repository = read(settings);
  const Analysis analysis = analysed(settings, repository);
  const auto run = measured(settings);
  std::cout << measured_report(repository, analysis, run);
  for (const Measured& each : run)
    if (each.misses > 0 || exceeds_its_bound(repository, analysis, each)) throw CLI::RuntimeError(negative);
}

CLI::App* add(CLI::App& schedule, ScheduleSettings& settings, const char* name, const char* about,
              void (*run)(const ScheduleSettings&)) {
  CLI::App* sub = schedule.add_subcommand(name, about);
  sub->add_option("file", settings.files,
                  "operations in TOML, or as 'serve' stores them; of several files, what a later one says of "
                  "an operation replaces what earlier ones do; see docs/user/scheduling.md")
      ->required();
  settings.strategy.add_to(*sub);
  sub->add_option("--minimum", settings.minimum, "the system's least urgent priority")
      ->check(CLI::Range(-1'000'000, 1'000'000))
      ->capture_default_str();
  sub->add_option("--maximum", settings.maximum, "its most urgent, which may be the smaller number")
      ->check(CLI::Range(-1'000'000, 1'000'000))
      ->capture_default_str();
  sub->add_flag("--share-levels", settings.share_levels, "with too few levels, neighbours share one");
  sub->callback([&settings, run] { run(settings); });
  return sub;
}

}  // namespace

void add_schedule(CLI::App& app) {
  const auto settings = std::make_shared<ScheduleSettings>();
  CLI::App* schedule =
      app.add_subcommand("schedule", "Which deadlines are met, and priorities with which they are.");
  schedule->require_subcommand(1);
  schedule->immediate_callback(false);
  // Owned by the parsed program as long as it lives.
  schedule->preparse_callback([settings](std::size_t) {});

  CLI::App* analyse = add(*schedule, *settings, "analyse",
                          "Reports which deadlines are met; exits with 1 if one may be missed.", run_analyse);
  analyse->add_flag("--json", settings->as_json, "as JSON");
  analyse->add_flag("--sensitivity", settings->sensitive, "and how far each execution time may grow");
  analyse->add_option("-o,--output", settings->output, "the file to write to")->capture_default_str();

  CLI::App* table = add(*schedule, *settings, "table",
                        "Writes NAME.h and NAME.cpp, priorities by handle and handles by name, and "
                        "NAME_run_time.h, for the run-time scheduler.",
                        run_table);
  table->add_option("-n,--name", settings->name, "of the files, and the namespace")->required();
  table->add_option("-d,--directory", settings->folder, "the folder to write to")->capture_default_str();
  table->add_flag("--anyway", settings->anyway, "also when deadlines may be missed");

  CLI::App* page =
      add(*schedule, *settings, "page", "Writes the report with pictures, as one file of HTML.", run_page);
  page->add_option("-o,--output", settings->output, "the file to write to")->capture_default_str();
  page->add_option("-t,--title", settings->title, "of the page");
  page->add_option("-m,--measured", settings->measured, "a run to show beside it, as JSON");

  CLI::App* compare =
      add(*schedule, *settings, "compare",
          "Holds a run against the analysis; exits with 1 if a deadline was missed or a bound exceeded.",
          run_compare);
  compare->get_option("file")
      ->description("operations, as for 'analyse', and last what was measured, as JSON")
      ->expected(2, 1000);

  add_schedule_calibrate(*schedule);
  add_schedule_serve(*schedule);
}

}  // namespace takt::command
