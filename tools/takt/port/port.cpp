// takt port check: what a program of omniORB or TAO has to change.
#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <tuple>

#include "common/command.h"
#include "common/files.h"
#include "common/output.h"
#include "port/findings.h"

namespace takt::command::port {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t longest_file = 16 << 20;

struct PortSettings {
  std::string folder;
  std::vector<std::string> include;
  bool all = false, json = false;
};

struct Checked {
  Findings findings;
  std::size_t files = 0;
  std::vector<std::string> unread;  // files that could not be read or are too long
};

bool is_skipped_folder(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name == ".git" || name == ".svn" || name == "CVS";
}

// In the order of their names. Does not follow links to folders.
std::vector<fs::path> files_below(const fs::path& folder, std::vector<std::string>& unread) {
  if (fs::is_regular_file(folder)) return {folder};
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
  if (!error) fs::directory_iterator(folder, error);  // which says if the folder itself must not be read
  if (error) fail(folder.string() + ": " + error.message());
  for (; entry != end; entry.increment(error)) {
    std::error_code none;
    if (entry->is_directory(none) && is_skipped_folder(entry->path())) entry.disable_recursion_pending();
    if (entry->is_regular_file(none)) files.push_back(entry->path());
  }
  if (error) unread.push_back(folder.string() + ": " + error.message());
  std::ranges::sort(files);
  return files;
}

void check_file(const fs::path& path, const std::vector<std::string>& include, Checked& checked) {
  const FileKind kind = kind_of(path.filename().string());
  if (kind == FileKind::other) return;
  const std::string file = path.string();
  std::error_code error;
  const auto size = fs::file_size(path, error);
  const auto text = !error && size <= longest_file ? read_file(file) : std::nullopt;
  if (!text) {
    checked.unread.push_back(
        file + (!error && size > longest_file ? ": is longer than 16 MiB" : ": cannot be read"));
    return;
  }
  ++checked.files;
  switch (kind) {
    case FileKind::source:
      return check_source(file, *text, checked.findings);
    case FileKind::build:
      return check_build(file, *text, checked.findings);
    case FileKind::settings:
      return check_settings(file, *text, checked.findings);
    case FileKind::idl:
      return check_idl(file, include, checked.findings);
    case FileKind::text:
      return check_text(file, *text, checked.findings);
    case FileKind::other:
      break;
  }
}

// The folders of the command line, and every folder below that has IDL, as its build surely names.
std::vector<std::string> include_folders(const PortSettings& settings, const std::vector<fs::path>& files) {
  std::vector<std::string> folders = settings.include;
  for (const fs::path& file : files) {
    const std::string folder = file.parent_path().string();
    if (kind_of(file.filename().string()) == FileKind::idl &&
        std::ranges::find(folders, folder) == folders.end())
      folders.push_back(folder);
  }
  return folders;
}

Checked checked(const PortSettings& settings) {
  if (!fs::exists(settings.folder)) fail(settings.folder + ": does not exist");
  Checked all;
  const std::vector<fs::path> files = files_below(settings.folder, all.unread);
  const auto include = include_folders(settings, files);
  for (const fs::path& file : files) check_file(file, include, all);
  if (all.files == 0 && all.unread.empty())
    fail(settings.folder +
         ": there is nothing here that is read: no C++, IDL, build files, settings or scripts, by their "
         "names");
  std::ranges::stable_sort(all.findings, {}, [](const Finding& one) { return std::tie(one.file, one.line); });
  return all;
}

using Counts = std::array<std::size_t, 3>;

Counts counts_of(const Findings& findings) {
  Counts counts{};
  for (const Finding& one : findings) ++counts[static_cast<std::size_t>(one.verdict)];
  return counts;
}

Json json_of(const Checked& checked, const Counts& counts, bool all) {
  Json findings = Json::array();
  for (const Finding& one : checked.findings)
    if (all || one.verdict != Verdict::as_it_is)
      findings.push_back({{"file", one.file},
                          {"line", one.line},
                          {"verdict", word_of(one.verdict)},
                          {"what", one.what},
                          {"advice", one.advice}});
  return {{"findings", findings},  {"files", checked.files}, {"unread", checked.unread},
          {"as it is", counts[0]}, {"change", counts[1]},    {"missing", counts[2]}};
}

void print(const Checked& checked, const Counts& counts, bool all) {
  for (const Finding& one : checked.findings) {
    if (!all && one.verdict == Verdict::as_it_is) continue;
    std::cout << escape_non_ascii(one.file) << ':' << one.line << ": " << word_of(one.verdict) << ": "
              << escape_non_ascii(one.what);
    if (!one.advice.empty()) std::cout << ": " << one.advice;
    std::cout << '\n';
  }
  for (const std::string& each : checked.unread)
    std::cerr << escape_non_ascii(each) << ", so it was left out\n";
  std::cout << checked.files << " files; as it is: " << counts[0] << ", change: " << counts[1]
            << ", missing: " << counts[2] << '\n';
}

void run(const PortSettings& settings) {
  const Checked all = checked(settings);
  const Counts counts = counts_of(all.findings);
  if (settings.json)
    std::cout << text_of(json_of(all, counts, settings.all));
  else
    print(all, counts, settings.all);
  if (all.files == 0) throw Answer{unusable};
  if (counts[1] + counts[2] > 0) throw Answer{negative};
}

}  // namespace
}  // namespace takt::command::port

namespace takt::command {

void add_port(const Command& program) {
  const Command group = program.add_command("port", "Helps to port programs of omniORB and TAO.");
  group.require_command();
  const auto settings = std::make_shared<port::PortSettings>();
  const Command check = group.add_command(
      "check", "Lists what a program of omniORB or TAO has to change to compile with the classic mapping.");
  check.add("folder", settings->folder, "a folder of sources, IDL, build files and scripts, or one file")
      .required();
  check.add("-I", settings->include, "folder to search for included IDL files").one_at_a_time();
  check.add_flag("--all", settings->all, "also list what compiles as it is");
  check.add_flag("--json", settings->json, "print JSON");
  check.set_footer(
      "Exits with 0 if all compiles as it is, 1 if something must change or is missing, 2 if the folder "
      "cannot be "
      "used.");
  check.on_chosen([settings] { port::run(*settings); });
}

}  // namespace takt::command
