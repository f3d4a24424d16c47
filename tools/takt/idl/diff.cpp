// takt idl diff: shows what a change of IDL breaks.
#include "diff/finding.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>

#include "common/command.h"
#include "common/files.h"
#include "diff/report/report.h"
#include "diff/rules.h"
#include "idl/git.h"
#include "idl/idl.h"
#include "idl/ignores.h"

namespace takt::command {
namespace {

namespace fs = std::filesystem;
namespace changes = idl::diff;

struct DiffSettings {
  std::vector<std::string> paths, categories, ignores, ignore_files;
  std::vector<std::string> include, old_include, definitions;
  std::string against, format = "text", output = "-";
  bool as_json = false;
};

// The file itself, or all IDL files below the folder.
std::vector<std::string> files_at(const fs::path& path) {
  if (!fs::is_directory(path)) return {path.string()};
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file() && entry.path().extension() == ".idl") files.push_back(entry.path().string());
  std::ranges::sort(files);
  if (files.empty()) fail(path.string() + ": contains no IDL file");
  return files;
}

// Relative to the working directory if the file is below it.
std::string shown_here(const std::string& file) {
  std::error_code error;
  const fs::path here = fs::current_path(error), path(file);
  if (error || !path.is_absolute()) return file;
  const fs::path relative = path.lexically_relative(here);
  return relative.empty() || *relative.begin() == ".." ? file : relative.string();
}

changes::Specification specification(const fs::path& path, idl::PreprocessorOptions options,
                                     const changes::Specification::Shown& shown) {
  if (!fs::exists(path)) fail(shown(path.string()) + ": does not exist");
  if (fs::is_directory(path)) options.include_folders.push_back(path.string());
  auto read = changes::Specification::read(files_at(path), options, shown);
  if (!read) fail("this version does not compile:\n" + read.error());
  return std::move(*read);
}

std::vector<changes::Finding> compared_with_git(const DiffSettings& settings) {
  if (!settings.against.starts_with("git#") || settings.against.size() == 4)
    fail("--against takes git#REF, such as git#main, not '" + settings.against + "'");
  if (settings.paths.size() != 1) fail("with --against, give one file or folder, the new version");
  const fs::path path(settings.paths.front());
  const auto version = GitVersion::take(settings.against.substr(4), path);
  if (!version) fail(version.error());
  idl::PreprocessorOptions before{{}, settings.definitions, {}};
  for (const std::string& folder : settings.old_include.empty() ? settings.include : settings.old_include)
    before.include_folders.push_back(version->at(folder).string());
  const auto old =
      specification(version->at(path), before, [&](const std::string& file) { return version->shown(file); });
  const auto now = specification(path, {settings.include, settings.definitions, {}}, shown_here);
  return changes::compare(old, now);
}

std::vector<changes::Finding> compared(const DiffSettings& settings) {
  if (!settings.against.empty()) return compared_with_git(settings);
  if (settings.paths.size() != 2)
    fail("give two files or folders, OLD and NEW, or one and --against git#REF");
  const auto& before = settings.old_include.empty() ? settings.include : settings.old_include;
  const auto old = specification(settings.paths[0], {before, settings.definitions, {}}, shown_here);
  const auto now = specification(settings.paths[1], {settings.include, settings.definitions, {}}, shown_here);
  return changes::compare(old, now);
}

changes::Effects chosen_effects(const DiffSettings& settings) {
  changes::Effects chosen = 0;
  for (const std::string& word : settings.categories) {
    const changes::Effects before = chosen;
    for (const changes::Effect one : {changes::Effect::wire, changes::Effect::wire_back, changes::Effect::any,
                                      changes::Effect::source, changes::Effect::layout})
      if (word == changes::word_of(one)) chosen |= changes::bit(one);
    if (chosen == before && !word.empty())
      fail("there is no category '" + word + "'; the categories are WIRE, WIRE-BACK, ANY, SOURCE and LAYOUT");
  }
  return chosen ? chosen : changes::all_effects;
}

std::vector<Ignore> ignores(const DiffSettings& settings) {
  std::vector<Ignore> all;
  for (const std::string& text : settings.ignores) {
    auto one = ignore_of(text);
    if (!one) fail(one.error());
    all.push_back(std::move(*one));
  }
  for (const std::string& file : settings.ignore_files) {
    const auto text = read_file(file);
    if (!text) fail(cannot_be_read(file));
    auto more = ignores_of(*text, file);
    if (!more) fail(more.error());
    std::ranges::move(*more, std::back_inserter(all));
  }
  return all;
}

changes::ReportFormat format_of(const std::string& word) {
  if (word == "json") return changes::ReportFormat::json;
  if (word == "junit") return changes::ReportFormat::junit;
  return word == "github" ? changes::ReportFormat::github : changes::ReportFormat::text;
}

void run_diff(const DiffSettings& settings) {
  const changes::Effects chosen = chosen_effects(settings);
  auto known = ignores(settings);
  auto findings = compared(settings);
  std::erase_if(findings, [&](changes::Finding& finding) { return (finding.effects &= chosen) == 0; });
  drop_ignored(findings, known);
  for (const Ignore& ignore : known)
    if (!ignore.used) std::cerr << ignore.origin << ": note: this rule matches no finding\n";
  std::ostringstream report;
  changes::write_report(report, findings, format_of(settings.as_json ? "json" : settings.format));
  if (!write_file(settings.output, report.str())) fail(cannot_be_written(settings.output));
  if (!findings.empty()) throw Answer{negative};
}

}  // namespace

void add_idl_diff(const Command& idl) {
  const auto settings = std::make_shared<DiffSettings>();
  const Command diff =
      idl.add_command("diff", "Reports what a change of IDL breaks: which operations, and why.");
  diff.add("path", settings->paths, "OLD and NEW: IDL files, or folders of them; with --against, NEW alone");
  diff.add("--against", settings->against, "git#REF: take the old version from this commit, branch or tag");
  diff.add("--format", settings->format, "text, json, junit, or github for annotations in a review")
      .one_of({"text", "json", "junit", "github"})
      .show_default();
  diff.add_flag("--json", settings->as_json, "the same as --format json");
  diff.add("--category", settings->categories,
           "only WIRE (old client, new server), WIRE-BACK (new client, old server), ANY, SOURCE or LAYOUT; "
           "separate several by commas")
      .separated_by(',')
      .one_at_a_time();
  diff.add("--ignore", settings->ignores,
           "RULE, RULE=::NAME or RULE=FILE, where NAME and FILE are patterns with * and RULE may be *")
      .one_at_a_time();
  diff.add("--ignore-file", settings->ignore_files,
           "TOML file of [[ignore]] tables with rule, name, file and reason")
      .one_at_a_time();
  diff.add("-I", settings->include, "folder to search for included files").one_at_a_time();
  diff.add("--old-include", settings->old_include, "the same for the old version, if its folder differs")
      .one_at_a_time();
  diff.add("-D", settings->definitions, "define a macro: NAME or NAME=VALUE").one_at_a_time();
  diff.add("-o,--output", settings->output, "file to write to").show_default();
  diff.set_footer("Exits with 0 if nothing breaks, 1 if something breaks, 2 if the input cannot be used.");
  diff.on_chosen([settings] { run_diff(*settings); });

  const Command rules = idl.add_command("rules", "Lists the rules of 'diff' as a Markdown table.");
  rules.on_chosen([] { std::cout << changes::rules_as_markdown(); });
}

}  // namespace takt::command
