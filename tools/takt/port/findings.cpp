#include "port/findings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <filesystem>

#include "base/items.h"
#include "classic/generator.h"
#include "config/option_names.h"
#include "foreign/setting.h"
#include "port/source_text.h"
#include "syntax/reading.h"

namespace takt::command::port {

namespace {

bool is_letter_or_digit(char c) { return std::isalnum(static_cast<unsigned char>(c)); }

// Calls `action` with each line and its number.
template <typename Action>
void for_each_line(std::string_view text, Action action) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    action(text.substr(0, end), number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// Between the words of a line of a build file, which are names, files and options.
constexpr std::string_view around_words = " \t\r\"'`(){}[]<>,;=$\\&|!";

// A line's word is told once.
void add(Findings& findings, const std::string& file, std::size_t line, std::string_view what,
         const Rule* rule) {
  if (!rule) return;
  for (auto last = findings.rbegin(); last != findings.rend() && last->line == line && last->file == file;
       ++last)
    if (last->what == what) return;
  findings.push_back({file, line, std::string(what), rule->verdict, std::string(rule->advice)});
}

// omniORB's, or TAO's; null if neither has it.
const orb::others::Setting* find_setting(std::string_view name) {
  const orb::others::Setting* const omniorb = orb::others::find_omniorb_setting(name);
  return omniorb ? omniorb : orb::others::find_tao_setting(name);
}

// The verdict on an option by its name without -ORB, in a program with Takt's headers for omniORB or TAO.
Finding option_finding(const std::string& file, std::size_t line, std::string_view name) {
  Finding finding{file, line, "-ORB" + std::string(name), Verdict::as_it_is, {}};
  const orb::others::Setting* const setting = find_setting(name);
  if (!setting && orb::find_option(name)) return finding;
  if (!setting) {
    finding.verdict = Verdict::missing;
    finding.advice = orb::advice_on_option(name, "-ORB");
  } else if (setting->fate == orb::others::Fate::refused) {
    finding.verdict = Verdict::change;
    finding.advice = setting->text;
  } else if (setting->fate == orb::others::Fate::translated && !setting->becomes.empty()) {
    finding.advice = "becomes -ORB" + std::string(setting->ours);
  } else if (setting->fate == orb::others::Fate::without_effect) {
    finding.advice = "has no effect: " + std::string(setting->text);
  }
  return finding;
}

void check_options(const std::string& file, std::size_t number, std::string_view line, Findings& findings) {
  constexpr std::string_view prefix = "-ORB";
  for (std::size_t at = line.find(prefix); at != line.npos; at = line.find(prefix, at)) {
    const bool begins_word = at == 0 || (!is_letter_or_digit(line[at - 1]) && line[at - 1] != '-');
    at += prefix.size();
    std::size_t end = at;
    while (end < line.size() && is_letter_or_digit(line[end])) ++end;
    if (begins_word && end > at) findings.push_back(option_finding(file, number, line.substr(at, end - at)));
    at = end;
  }
}

bool asks_pkg_config(std::string_view line) {
  return line.find("pkg") != line.npos || line.find("PKG") != line.npos;
}

constexpr Rule packaged{
    "", Verdict::as_it_is,
    "put libexec/takt/omniorb/pkgconfig or libexec/takt/tao/pkgconfig first in PKG_CONFIG_PATH"};

bool any_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

// Packages for which Takt has files of pkg-config.
bool is_package(std::string_view word) {
  return any_of(word, {"omniORB4", "omniDynamic4", "omnithread4", "TAO", "TAO_AnyTypeCode", "TAO_BiDirGIOP",
                       "TAO_CosNaming", "TAO_CosNaming_Skel", "TAO_DynamicInterface", "TAO_IORTable",
                       "TAO_Messaging", "TAO_PortableServer", "TAO_Valuetype", "TAO_PI", "TAO_PI_Server",
                       "TAO_CodecFactory", "TAO_IORInterceptor"});
}

void check_build_words(const std::string& file, std::size_t number, std::string_view line,
                       Findings& findings) {
  bool compiles_idl = false;
  for (std::string_view word : items_of(line, around_words)) {
    if (!word.starts_with('-')) word.remove_prefix(word.rfind('/') + 1);
    const Rule* rule =
        compiles_idl && word.starts_with('-') ? rule_of_compiler_option(word) : rule_of_build_word(word);
    compiles_idl = compiles_idl || any_of(word, {"omniidl", "tao_idl", "OMNIIDL", "TAO_IDL", "idlflags"}) ||
                   word.find("IDLFLAGS") != word.npos;
    if (asks_pkg_config(line) && is_package(word)) rule = &packaged;
    add(findings, file, number, word, rule);
  }
}

// CMake's search for one of the ORBs.
void check_find_package(const std::string& file, std::size_t number, std::string_view line,
                        Findings& findings) {
  constexpr std::string_view begin = "find_package(";
  auto at = line.find(begin);
  if (at == line.npos) return;
  at += begin.size();
  std::size_t end = at;
  while (end < line.size() && (is_letter_or_digit(line[end]) || line[end] == '_')) ++end;
  const std::string name(line.substr(at, end - at));
  if (any_of(name, {"omniORB", "omniORB4", "OmniORB", "OMNIORB", "TAO"}))
    findings.push_back({file, number, std::string(begin) + name, Verdict::change,
                        "find_package(Takt REQUIRED), which has Takt::omniorb and Takt::tao"});
}

// "name = value" of omniORB.cfg; "" for other lines.
std::string_view setting_in(std::string_view line) {
  const auto begin = line.find_first_not_of(" \t");
  if (begin == line.npos || line[begin] == '#') return {};
  line.remove_prefix(begin);
  std::size_t end = 0;
  while (end < line.size() && is_letter_or_digit(line[end])) ++end;
  const auto sign = line.find_first_not_of(" \t", end);
  return sign != line.npos && line[sign] == '=' ? line.substr(0, end) : std::string_view{};
}

bool is_directive(std::string_view line) {
  return line.starts_with("static ") || line.starts_with("dynamic ") || line.starts_with("suspend ") ||
         line.starts_with("resume ") || line.starts_with("stream ");
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

// The line of "FILE:LINE: ..." or "FILE:LINE:COLUMN: ..."; 1 if there is none.
std::size_t line_in(std::string_view diagnostic, const std::string& file) {
  std::size_t line = 1;
  const auto at = diagnostic.find(file + ":");
  if (at == diagnostic.npos) return line;
  const char* const digits = diagnostic.data() + at + file.size() + 1;
  std::from_chars(digits, diagnostic.data() + diagnostic.size(), line);
  return std::max<std::size_t>(line, 1);
}

// The first line of a text, without its place.
std::string message_in(std::string_view diagnostic, const std::string& file) {
  diagnostic = diagnostic.substr(0, diagnostic.find('\n'));
  if (diagnostic.starts_with(file + ":"))
    if (const auto end = diagnostic.find(": ", file.size()); end != diagnostic.npos)
      diagnostic.remove_prefix(end + 2);
  return std::string(diagnostic);
}

}  // namespace

FileKind kind_of(std::string_view filename) {
  const std::filesystem::path path(filename);
  const std::string name = lower_case(path.filename().string()),
                    ending = lower_case(path.extension().string());
  if (ending == ".idl" || ending == ".pidl") return FileKind::idl;
  if (any_of(ending,
             {".cc", ".cpp", ".cxx", ".c++", ".c", ".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".tcc"}))
    return FileKind::source;
  if (name == "svc.conf" || ending == ".conf" || (name.starts_with("omniorb") && ending == ".cfg"))
    return FileKind::settings;
  if (name.starts_with("makefile") ||
      any_of(name, {"cmakelists.txt", "gnumakefile", "meson.build", "sconstruct", "sconscript",
                    "configure.ac", "configure.in"}) ||
      any_of(ending, {".cmake", ".mk", ".mak", ".am", ".in", ".pro", ".pri", ".mpc", ".mwc", ".m4", ".dir"}))
    return FileKind::build;
  if (any_of(ending, {".sh", ".bash", ".service", ".py", ".pl", ".bat", ".xml", ".ini", ".cfg", ".toml",
                      ".yaml", ".yml", ".json", ".ksh", ".csh"}))
    return FileKind::text;
  return FileKind::other;
}

void check_source(const std::string& file, std::string_view text, Findings& findings) {
  std::size_t number = 0;
  for (const SourceLine& line : lines_of(text)) {
    ++number;
    if (!line.include.empty()) {
      add(findings, file, number, "<" + line.include + ">", rule_of_header(line.include));
      continue;
    }
    for (const std::string_view name : names_in(line.code))
      add(findings, file, number, name, rule_of_name(name));
    for (const std::string& literal : line.strings) {
      add(findings, file, number, "\"" + literal + "\"", rule_of_literal(literal));
      check_options(file, number, literal, findings);
    }
  }
}

void check_build(const std::string& file, std::string_view text, Findings& findings) {
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    line = line.substr(0, line.find('#'));
    check_build_words(file, number, line, findings);
    check_find_package(file, number, line, findings);
    check_options(file, number, line, findings);
  });
}

void check_settings(const std::string& file, std::string_view text, Findings& findings) {
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    if (is_directive(line))
      findings.push_back({file, number, std::string(line.substr(0, line.find('"'))), Verdict::as_it_is, {}});
    else if (const auto name = setting_in(line); !name.empty() && find_setting(name))
      findings.push_back(option_finding(file, number, name));
    check_options(file, number, line.substr(0, line.find('#')), findings);
  });
}

void check_text(const std::string& file, std::string_view text, Findings& findings) {
  for_each_line(
      text, [&](std::string_view line, std::size_t number) { check_options(file, number, line, findings); });
}

void check_idl(const std::string& file, const std::vector<std::string>& include_folders, Findings& findings) {
  const auto unit = idl::read_unit(file, {include_folders, {}, {}});
  const auto refused = [&](const std::string& why, Verdict verdict, const std::string& advice) {
    findings.push_back({file, line_in(why, file), message_in(why, file), verdict, advice});
  };
  if (!unit) {
    const bool is_not_found = unit.error().find("Can't open include file") != std::string::npos;
    return refused(unit.error(), Verdict::change,
                   is_not_found ? "give its folder with -I" : "takt-idl does not accept it");
  }
  if (const std::string what = idl::classic::unsupported(**unit); !what.empty())
    return refused(what, Verdict::missing, "");
  findings.push_back({file, 1, "IDL", Verdict::as_it_is, {}});
}

}  // namespace takt::command::port
