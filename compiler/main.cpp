// takt-idl: the IDL compiler's command line.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>

#include "colours.h"
#include "command_line.h"
#include "json_dump.h"
#include "sema/ami.h"
#include "sema/components.h"
#include "sema/defaults.h"
#include "sema/interpreted.h"
#include "sema/schedule.h"
#include "sema/secrets.h"
#include "sema/views.h"
#include "syntax/parser.h"
#include "syntax/preprocessor.h"
#ifdef TAKT_IDL_HAS_CPP
#include "classic/generator.h"
#include "cpp/generator.h"
#endif

namespace {

using namespace takt::idl;

struct Settings {
  std::vector<std::string> files;
  PreprocessorOptions preprocessor;
  std::string output_folder = ".";
  bool check = false, strict = false;
  std::string dump;
  std::string depfile;
  bool schedule = false;
  bool ami = false;
#ifdef TAKT_IDL_HAS_CPP
  cpp::Options cpp;
  std::string mapping = "c++11";
  std::vector<std::string> headers_of;
#endif
  bool whole_prefixes = false;
};

using Operations = std::vector<takt::scheduling::Declaration>;

// Exit statuses beside 0: the IDL has errors; the command line or a file cannot be used.
constexpr int wrong_idl = 1, unusable = takt::command_line::unusable_command_line;

int fail(const std::string& text, int status) {
  takt::command_line::print_error("takt-idl", text);
  return status;
}

// The path below the folder that -I names, if that folder is reached through a symbolic link, which the
// preprocessor replaces by its target. Then build tools know the file by the path that their rules have.
std::string through_links(const std::string& file, const std::vector<std::string>& include_folders) {
  std::error_code error;
  for (const std::string& folder : include_folders) {
    const auto real = std::filesystem::canonical(folder, error);
    if (error || real == std::filesystem::absolute(folder, error).lexically_normal()) continue;
    const auto below = std::filesystem::path(file).lexically_relative(real);
    if (!below.empty() && *below.begin() != ".." && *below.begin() != ".")
      return (std::filesystem::path(folder) / below).string();
  }
  return file;
}

// Writes a make rule: the outputs depend on every file that was read.
bool write_depfile(const std::string& path, const std::vector<std::string>& outputs, const Unit& unit,
                   const std::vector<std::string>& include_folders) {
  const auto escaped = [](const std::string& name) {
    std::string text;
    for (const char c : name) {
      if (c == ' ' || c == '#') text += '\\';
      text += c == '$' ? std::string("$$") : std::string(1, c);
    }
    return text;
  };
  std::ofstream out(path);
  for (const auto& output : outputs) out << escaped(output) << (&output == &outputs.back() ? "" : " ");
  out << ':';
  for (const auto& file : unit.files)
    if (!file.name.starts_with('<')) out << " \\\n  " << escaped(through_links(file.name, include_folders));
  out << '\n';
  return out.flush().good();
}

#ifdef TAKT_IDL_HAS_CPP
// Adds what the command line says in texts, and looks for options of the other mapping. Returns an error
// text; empty on success.
std::string complete(cpp::Options& options, const Settings& settings) {
  options.include_folders = settings.preprocessor.include_folders;
  if (settings.mapping == "classic" && options.tasks) return "--tasks is an option of the C++11 mapping";
  if (settings.mapping == "classic" && (options.tie || options.keep_folders))
    return std::string(options.tie ? "--tie" : "--keep-folders") + " is an option of the C++11 mapping";
  for (const std::string& text : settings.headers_of) {
    const auto header = cpp::provided_header(text);
    if (!header)
      return "--header-of " + text + ": the form is MODULE/FILE=HEADER or MODULE/FILE=CLIENT,SERVER";
    options.provided_headers.push_back(*header);
  }
  if (settings.mapping != "classic" && !options.provided_headers.empty())
    return "--header-of is an option of the classic mapping";
  return {};
}
#endif

// Writes all files or none, so that make never sees an incomplete set. Returns an error text; empty on
// success.
std::string generate(const Unit& unit, const Settings& settings, const Operations& operations,
                     std::vector<std::string>& outputs) {
#ifdef TAKT_IDL_HAS_CPP
  cpp::Options options = settings.cpp;
  if (std::string reason = complete(options, settings); !reason.empty()) return reason;
  if (settings.schedule) options.schedule = operations;
  auto files =
      settings.mapping == "classic" ? classic::generate(unit, options) : cpp::generate(unit, options);
  if (!files) return files.error();
  const std::string& file_name = unit.files.front().name;
  if (settings.schedule)
    files->push_back({cpp::generated_name(file_name, ".schedule.toml", options),
                      "# Made by takt-idl from " + std::filesystem::path(file_name).filename().string() +
                          "; changes will be lost.\n" + takt::scheduling::toml_of(operations)});
  std::error_code error;
  std::filesystem::create_directories(settings.output_folder, error);
  if (error) return settings.output_folder + ": cannot create the folder: " + error.message();
  for (const auto& file : *files) {
    const auto path = std::filesystem::path(settings.output_folder) / file.name;
    std::filesystem::create_directories(path.parent_path(), error);
    std::ofstream out(path, std::ios::binary);
    if (!(out << file.text).flush()) return path.string() + ": cannot be written";
    outputs.push_back(path.string());
  }
  return {};
#else
  (void)unit, (void)settings, (void)operations, (void)outputs;
  return "this takt-idl was built without a back end; use --check or --dump json";
#endif
}

// In the colour of its kind if standard error is a terminal.
std::string painted_severity(const std::string& severity) {
  using namespace takt::command_line;
  const Colour colour = severity == "error"     ? Colour::red
                        : severity == "warning" ? Colour::yellow
                                                : Colour::cyan;
  return painted(severity, colour, shows_colours(2));
}

bool is_readable(const std::string& file) {
  std::ifstream input(file);
  if (!input) return false;
  input.peek();
  return !input.bad();
}

// Parses and checks the preprocessed text, and reports what is wrong. No value: there were errors.
std::optional<Operations> analyse(std::string_view text, Unit& unit, const Settings& settings) {
  Diagnostics diagnostics(settings.strict);
  Parser(text, unit, diagnostics).parse();
  Operations operations = scheduled_operations(unit, diagnostics);
  check_views(unit, diagnostics);
  check_secrets(unit, diagnostics);
  check_defaults(unit, diagnostics);
  check_interpreted(unit, diagnostics);
  if (!settings.check && settings.dump.empty()) check_components(unit, diagnostics);
  if (settings.dump.empty()) add_asynchronous_calls(unit, diagnostics, settings.ami);
  diagnostics.print(std::cerr, unit.files, painted_severity);
  if (!diagnostics.failed()) return operations;
  (void)fail(unit.files.front().name + ": " + std::to_string(diagnostics.errors()) +
                 (diagnostics.errors() == 1 ? " error" : " errors"),
             wrong_idl);
  return std::nullopt;
}

int compile(const std::string& file, const Settings& settings) {
  const auto text = preprocess(file, settings.preprocessor);
  if (!text) {
    std::cerr << text.error();
    return is_readable(file) ? wrong_idl : unusable;
  }
  Unit unit;
  unit.files.push_back({file, true});
  unit.prefixes_whole_names = settings.whole_prefixes;
  const std::optional<Operations> operations = analyse(*text, unit, settings);
  if (!operations) return wrong_idl;
  if (settings.schedule && operations->empty())
    return fail(
        file +
            ": --schedule has nothing to write: no operation has @period, @wcet or another such annotation",
        wrong_idl);
  if (settings.dump == "json") std::cout << to_json(unit);
  std::vector<std::string> outputs;
  if (settings.check || !settings.dump.empty())
    outputs.push_back(file);
  else if (const std::string reason = generate(unit, settings, *operations, outputs); !reason.empty())
    return fail(file + ": " + reason, unusable);
  if (!settings.depfile.empty() &&
      !write_depfile(settings.depfile, outputs, unit, settings.preprocessor.include_folders))
    return fail(settings.depfile + ": cannot be written", unusable);
  return 0;
}

void describe_options(takt::command_line::Program& program, Settings& settings) {
  program.add_version("takt-idl " TAKT_VERSION);
  program.add("files", settings.files, "IDL files").required();
  auto& preprocessor = settings.preprocessor;
  program.add("-I", preprocessor.include_folders, "Folder to search for included files").one_at_a_time();
  program.add("-D", preprocessor.definitions, "Define a macro: NAME or NAME=VALUE").one_at_a_time();
  program.add("-U", preprocessor.undefinitions, "Undefine a macro").one_at_a_time();
  program.add("-o,--output", settings.output_folder, "Folder for the generated files").show_default();
  program.add_flag(
      "--schedule", settings.schedule,
      "Write the operations' annotations (@period, @wcet, ...) to x.schedule.toml, which takt schedule "
      "reads, and to x_schedule.h");
  program.add_flag("--check", settings.check, "Report errors in the IDL; generate nothing");
  program.add_flag("--strict", settings.strict,
                   "Refuse IDL that only earlier versions of the language allowed, such as names that have "
                   "become keywords");
  program.add_flag("--whole-prefixes", settings.whole_prefixes,
                   "Put a #pragma prefix in a module before the names of all modules in repository ids, as "
                   "TAO does; in the standard it stands for the names of the modules around it");
  program.add("--dump", settings.dump, "Print the model, and generate nothing: json").one_of({"json"});
  program.add("--depfile", settings.depfile, "Write a make rule that lists the files that were read");
#ifdef TAKT_IDL_HAS_CPP
  program
      .add("--mapping", settings.mapping,
           "The IDL to C++ mapping to generate: c++11, or classic with _var and _ptr")
      .one_of({"c++11", "classic"})
      .show_default();
  const auto suffix = [&](const char* option, std::string& value, const char* meaning) {
    program.add(option, value, meaning).show_default();
  };
  suffix("--client-header", settings.cpp.client_header,
         "Ending of the client header's name, after x of x.idl");
  suffix("--client-source", settings.cpp.client_source, "Ending of the client source's name");
  suffix("--server-header", settings.cpp.server_header, "Ending of the server header's name");
  suffix("--server-source", settings.cpp.server_source, "Ending of the server source's name");
  program.add_flag("!--no-server", settings.cpp.server, "Generate no skeletons");
  program.add_flag("--keep-folders", settings.cpp.keep_folders,
                   "Generate files in folders like those of the IDL files below their -I folders");
  program.add_flag("--keep-included-folders", settings.cpp.keep_included_folders,
                   "Name the files for included IDL with their folders below the -I folders; the generated "
                   "files are in the output folder itself");
  program
      .add("--header-of", settings.headers_of,
           "MODULE/FILE=HEADER or MODULE/FILE=CLIENT,SERVER: a library's header, for IDL files of this name "
           "that declare nothing outside the module; classic mapping only")
      .one_at_a_time();
  program.add_flag("--tie", settings.cpp.tie,
                   "Generate tie classes, which make servants of objects of any class");
  program.add_flag(
      "--amh", settings.cpp.amh,
      "Generate response handlers, and skeletons of servants that answer later, from any thread");
  program.add_flag("--tasks", settings.cpp.tasks,
                   "Generate skeletons of servants whose methods are coroutines (takt::Task)");
  program.add_flag("--views", settings.cpp.views,
                   "Pass all 'in' sequences of octets and numbers as views (std::span), as with @view");
  program.add_flag("--ami", settings.ami,
                   "Generate asynchronous calls (sendc_, async_, sendp_), reply handlers and pollers for all "
                   "interfaces, as with @ami");
  program.add_flag("--own-types", settings.cpp.own_types,
                   "Generate the types of the OMG's modules that Takt's headers have; for these headers");
  program.add_flag("--interpreted", settings.cpp.interpreted,
                   "Make stubs and skeletons that a shared interpreter runs, as with @interpreted: smaller "
                   "code, slower calls");
#endif
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  takt::command_line::Program program("takt-idl compiles OMG IDL to C++ (the IDL to C++11 mapping).",
                                      "takt-idl");
  describe_options(program, settings);
  if (const auto ended = program.parse(argc, argv)) return *ended;
  if (!settings.depfile.empty() && settings.files.size() > 1)
    return fail("--depfile takes one IDL file at a time", unusable);
#ifdef TAKT_IDL_HAS_CPP
  if (settings.cpp.interpreted && settings.mapping == "classic")
    return fail("--interpreted is not for the classic mapping, whose stubs are always compiled", unusable);
#endif
  int status = 0;
  for (const auto& file : settings.files) status = std::max(status, compile(file, settings));
  return status;
}
