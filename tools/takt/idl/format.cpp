// takt idl format: formats IDL.
#include <iostream>
#include <iterator>
#include <memory>

#include "common/command.h"
#include "common/files.h"
#include "common/output.h"
#include "format/formatter.h"
#include "format/unified_diff.h"
#include "idl/idl.h"

namespace takt::command {
namespace {

struct FormatSettings {
  std::vector<std::string> files;
  std::int32_t indent = 2, width = 100;
  bool check = false, show_difference = false, as_json = false;

  idl::format::Style style() const {
    return {static_cast<std::uint32_t>(indent), static_cast<std::uint32_t>(width)};
  }
};

std::string standard_input() { return {std::istreambuf_iterator<char>(std::cin), {}}; }

// Returns whether the file was formatted already.
bool format_one(const FormatSettings& settings, const std::string& file) {
  const bool is_input = file == "-";
  const auto text = is_input ? standard_input() : read_file(file);
  const std::string name = is_input ? "<stdin>" : file;
  if (!text) fail(cannot_be_read(name));
  const auto now = idl::format::formatted(*text, settings.style());
  if (!now) fail(name + ":" + std::to_string(now.error().line) + ": " + now.error().text);
  const bool is_same = *now == *text;
  if (settings.show_difference) std::cout << idl::format::unified_diff(*text, *now, name);
  if (settings.check && !is_same && !settings.show_difference && !settings.as_json) std::cout << name << '\n';
  if (settings.check || settings.show_difference) return is_same;
  if (is_input) {
    std::cout << *now << std::flush;
  } else if (!is_same && !write_file(file, *now)) {
    fail(cannot_be_written(file));
  }
  return true;
}

void run_format(const FormatSettings& settings) {
  const std::vector<std::string> input{"-"};
  if (settings.as_json && (!settings.check || settings.show_difference))
    fail("--json applies to the list of --check, without --diff");
  Json unformatted = Json::array();
  for (const std::string& file : settings.files.empty() ? input : settings.files)
    if (!format_one(settings, file)) unformatted.push_back(file == "-" ? "<stdin>" : file);
  if (settings.as_json) std::cout << text_of(Json{{"unformatted", unformatted}});
  if (settings.check && !unformatted.empty()) throw Answer{negative};
}

}  // namespace

void add_idl_format(const Command& idl) {
  const auto settings = std::make_shared<FormatSettings>();
  const Command format =
      idl.add_command("format", "Formats IDL files in one style; keeps comments and directives.");
  format.add("file", settings->files,
             "IDL files to rewrite; with - or no file, standard input is formatted to standard output");
  format.add_flag("--check", settings->check,
                  "change nothing; list the files that are not formatted, and exit with 1 if there are any");
  format.add_flag("--diff", settings->show_difference, "change nothing; show the changes");
  format.add_flag("--json", settings->as_json, "with --check, print the list as JSON");
  format.add("--indent", settings->indent, "spaces per level").within(1, 8).show_default();
  format.add("--width", settings->width, "longest line").within(40, 1000).show_default();
  format.set_footer("Exits with 0 on success, 1 if --check finds a file, 2 if a file cannot be formatted.");
  format.on_chosen([settings] { run_format(*settings); });
}

}  // namespace takt::command
