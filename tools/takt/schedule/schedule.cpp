// takt schedule: analyses the operations declared in files, with the result as text, JSON and a page.
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "common/command.h"
#include "common/files.h"
#include "schedulability/model/words.h"
#include "schedule/inputs.h"
#include "schedule/json.h"
#include "schedule/strategy.h"
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
  std::string output = "-", name, folder = ".", title, measured, wake_ups;

  std::string all_files() const { return listed(files); }
  PriorityOptions priorities(const Repository& repository) const {
    PriorityOptions options = strategy.priorities(repository.infos());
    options.share_levels = share_levels;
    options.levels = maximum - minimum + 1;
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
  auto analysis = analyse(repository, settings.priorities(repository));
  if (!analysis) fail(settings.all_files() + ": " + text_of(analysis.error()));
  return std::move(*analysis);
}

void run_analyse(const ScheduleSettings& settings) {
  const Repository repository = read(settings);
  const Analysis analysis = analysed(settings, repository);
  std::optional<Sensitivity> margins;
  if (settings.sensitive) {
    auto found = sensitivity(repository, settings.priorities(repository));
    if (!found) fail(settings.all_files() + ": " + text_of(found.error()));
    margins = std::move(*found);
  }
  std::string text = settings.as_json ? json_of(repository, analysis, margins) : report(repository, analysis);
  if (margins && !settings.as_json) text += "\n" + report(repository, *margins);
  if (!write_file(settings.output, text)) fail(cannot_be_written(settings.output));
  if (analysis.critical_verdict != Verdict::meets) throw Answer{negative};
}

void run_table(const ScheduleSettings& settings) {
  const DeclaredOperations operations = declared(settings);
  Scheduler scheduler(settings.priorities(operations.repository), operations.repository);
  const auto infos = scheduler.compute_scheduling(settings.minimum, settings.maximum);
  if (!infos && !(settings.anyway && scheduler.analysis()))
    fail(settings.all_files() + ": " + infos.error().text,
         infos.error().kind == SchedulingError::utilization_bound_exceeded ? negative : unusable);
  const auto table = priority_table(scheduler.repository().infos(), settings.name, operations.fingerprints);
  if (!table) fail(table.error().text);
  const std::string run_time =
      run_time_table(scheduler.repository().infos(), *scheduler.analysis(), settings.name);
  const std::string base = settings.folder + "/" + settings.name;
  std::error_code unused;  // an error shows when the files are written
  std::filesystem::create_directories(settings.folder, unused);
  if (!write_file(base + ".h", table->header) || !write_file(base + ".cpp", table->source) ||
      !write_file(base + "_run_time.h", run_time))
    fail(cannot_be_written(base + ".h, .cpp and _run_time.h"));
}

// Fails if the run has no job of the schedule, because a comparison would then prove nothing.
std::vector<Measured> measured(const ScheduleSettings& settings, const Repository& repository,
                               const Analysis& analysis) {
  if (settings.measured.empty()) return {};
  const auto text = read_file(settings.measured);
  if (!text) fail(cannot_be_read(settings.measured));
  auto record = run_record_in(*text);
  if (!record) fail(settings.measured + ": " + record.error());
  if (measured_rows(repository, analysis, record->responses).empty())
    fail(
        settings.measured + ": no job of the schedule was measured; the record has " +
        (record->responses.empty()
             ? "no responses: is it of a program that has a schedule or a periodic dispatcher?"
             : "'" + record->responses.front().entry_point + "', at which no thread of the schedule begins"));
  return std::move(record->responses);
}

// By how much the machine delayed its most urgent thread, if that was measured during the run.
std::optional<Time> machine_delay(const ScheduleSettings& settings) {
  if (settings.wake_ups.empty()) return std::nullopt;
  const auto text = read_file(settings.wake_ups);
  if (!text) fail(cannot_be_read(settings.wake_ups));
  const auto delay = machine_delay_in(*text);
  if (!delay) fail(settings.wake_ups + ": " + delay.error());
  return *delay;
}

// The command line as the shell got it, with the program's plain name.
std::string present_command() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text = "takt", word;
  for (bool first = true; std::getline(file, word, '\0'); first = false) {
    if (first) continue;
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789-_./:=,+@%") == std::string::npos;
    text += plain ? " " + word : " '" + word + "'";
  }
  return text;
}

// Uses SOURCE_DATE_EPOCH if it is set, so that the same inputs make the same page.
std::string present_date() {
  std::time_t now = std::time(nullptr);
  if (const char* const fixed = std::getenv("SOURCE_DATE_EPOCH"))
    std::from_chars(fixed, fixed + std::strlen(fixed), now);
  std::tm parts{};
  char text[64];
  if (!::gmtime_r(&now, &parts) || std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts) == 0)
    return "";
  return text;
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
  const Provenance provenance{.version = TAKT_VERSION,
                              .date = present_date(),
                              .inputs = settings.all_files(),
                              .command = present_command()};
  if (!write_file(settings.output,
                  page(repository, analysis, title, measured(settings, repository, analysis), provenance)))
    fail(cannot_be_written(settings.output));
  if (analysis.critical_verdict != Verdict::meets) throw Answer{negative};
}

// The last file is the measured run, because the list of files takes all arguments.
void run_compare(const ScheduleSettings& given) {
  ScheduleSettings settings = given;
  settings.measured = settings.files.back();
  settings.files.pop_back();
  const Repository repository = read(settings);
  const Analysis analysis = analysed(settings, repository);
  const auto run = measured(settings, repository, analysis);
  const auto delay = machine_delay(settings);
  std::cout << (settings.as_json ? json_of(repository, analysis, run, delay)
                                 : measured_report(repository, analysis, run, delay));
  for (const Measured& each : run)
    if (each.misses > 0) throw Answer{negative};
  for (const MeasuredRow& each : measured_rows(repository, analysis, run))
    if (each.beyond_bound() > delay.value_or(Time(0))) throw Answer{negative};
}

using Run = void(const ScheduleSettings&);

// Linux takes larger numbers for more urgent ones, so a reversed range would make a table with all priorities
// inverted.
void refuse_reversed(const ScheduleSettings& settings) {
  if (settings.maximum < settings.minimum)
    fail("--maximum " + std::to_string(settings.maximum) + " is below --minimum " +
         std::to_string(settings.minimum) + ": the larger number is the more urgent priority");
}

constexpr const char* operations =
    "operations in TOML, or as 'serve' stores them; in several files, a later declaration of an operation "
    "replaces earlier ones; see docs/user/scheduling.md";

Command add(const Command& schedule, const std::shared_ptr<ScheduleSettings>& settings, const char* name,
            const char* about, Run* run, const char* files = operations, int least_files = 1) {
  const Command sub = schedule.add_command(name, about);
  const auto file = sub.add("file", settings->files, files).required();
  if (least_files > 1) file.count(least_files, 1000);
  settings->strategy.add_to(sub);
  sub.add("--minimum", settings->minimum, "least urgent priority of the system")
      .within(-1'000'000, 1'000'000)
      .show_default();
  sub.add("--maximum", settings->maximum, "most urgent priority of the system, the larger number")
      .within(-1'000'000, 1'000'000)
      .show_default();
  sub.add_flag("--share-levels", settings->share_levels,
               "let neighbouring levels share a priority if there are too few");
  sub.on_chosen([settings, run] {
    refuse_reversed(*settings);
    run(*settings);
  });
  return sub;
}

}  // namespace

void add_schedule(const Command& program) {
  const auto settings = std::make_shared<ScheduleSettings>();
  const Command schedule =
      program.add_command("schedule", "Analyses which deadlines are met, and assigns priorities.");
  schedule.require_command();

  const Command analyse =
      add(schedule, settings, "analyse",
          "Reports which deadlines are met; exits with 1 if one may be missed.", run_analyse);
  analyse.add_flag("--json", settings->as_json, "print JSON");
  analyse.add_flag("--sensitivity", settings->sensitive, "also report how far each execution time may grow");
  analyse.add("-o,--output", settings->output, "file to write to").show_default();

  const Command table = add(schedule, settings, "table",
                            "Writes NAME.h and NAME.cpp (priorities by handle, handles by name) and "
                            "NAME_run_time.h (for the run-time scheduler).",
                            run_table);
  table.add("-n,--name", settings->name, "name of the files and of the namespace").required();
  table.add("-d,--directory", settings->folder, "folder to write to; it is made if there is none")
      .show_default();
  table.add_flag("--anyway", settings->anyway, "write the files even if deadlines may be missed");

  const Command page =
      add(schedule, settings, "page", "Writes the report with charts, as one HTML file.", run_page);
  page.add("-o,--output", settings->output, "file to write to").show_default();
  page.add("-t,--title", settings->title, "title of the page");
  page.add("-m,--measured", settings->measured, "file that -ORBRunRecord wrote, to show beside the analysis");

  const Command compare = add(
      schedule, settings, "compare",
      "Compares a run with the analysis; exits with 1 if a deadline was missed or a bound exceeded.",
      run_compare,
      "operations, as for 'analyse', and as the last file the run's record, which -ORBRunRecord wrote", 2);
  compare.add_flag("--json", settings->as_json, "print JSON");
  compare.add(
      "--wake-ups", settings->wake_ups,
      "file with what 'takt rt check --json --priority 99' printed during the run; a job is then beyond its "
      "bound only if it is so by more than the latest wake-up");

  add_schedule_assign(schedule);
  add_schedule_calibrate(schedule);
  add_schedule_export(schedule);
  add_schedule_import(schedule);
  add_schedule_serve(schedule);
}

}  // namespace takt::command
