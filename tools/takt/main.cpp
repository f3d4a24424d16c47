// takt: the command line of the project.
#include <algorithm>
#include <array>
#include <cctype>
#include <exception>
#include <filesystem>
#include <functional>
#include <iostream>
#include <string_view>
#include <utility>
#include <vector>

#include <takt/orb/parts.h>

#include "call/words.h"
#include "colours.h"
#include "common/command.h"
#include "config/option_names.h"
#include "naming/omninames_words.h"

// Operators can see the state of takt naming and the other servers, too.
void takt::choose_parts(Parts& parts) { add_all(parts); }

namespace {

using Words = std::vector<std::string>;

Words words_of(int argc, char** argv) {
  Words words(argv + 1, argv + argc);
  if (std::filesystem::path(argv[0]).filename() != "omniNames") return words;
  auto translated = takt::command::words_for_omninames(words);
  if (!translated) takt::command::fail(translated.error());
  return std::move(*translated);
}

// For words that are or resemble options of the ORB, such as --ORBLogLevel.
std::string advice_on(std::string_view word, const std::string& command, bool takes_orb_options) {
  const auto start = std::min(word.find_first_not_of('-'), word.size());
  const std::string_view name = word.substr(start);
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  if (start == 0 || start > 2 || !std::ranges::equal(name.substr(0, 3), std::string_view("orb"), {}, lower))
    return {};
  const std::string meant = takt::orb::advice_on_option(name.substr(3), "-ORB");
  // Unless it resembles an option, "-orb.ior" is the option -o with the value "rb.ior".
  if (word.starts_with("-o") && !meant.starts_with("did you mean")) return {};
  const std::string given = "'" + std::string(word) + "': ";
  if (command == "takt") return given + "options of the ORB follow the subcommand";
  if (!takes_orb_options) return given + "this command makes no ORB, so it takes none of its options";
  return given + "options of the ORB begin with -ORB; " + meant;
}

// Adds the subcommand that the words name, or all if they name none: all of them take a third of the time of
// a short call.
void add_subcommands(const takt::command::Command& program, const Words& words, const Words& json_words) {
  using namespace takt::command;
  using Add = std::function<void(const Command&)>;
  const std::pair<std::string_view, Add> subcommands[] = {
      {"bridge", add_bridge},
      {"call", [&](const Command& to) { add_call(to, json_words); }},
      {"describe", add_describe},
      {"events", add_events},
      {"hz", add_hz},
      {"idl", add_idl},
      {"ifr", add_ifr},
      {"imr", add_imr},
      {"ior", add_ior},
      {"list", add_list},
      {"metrics", add_metrics},
      {"name", add_name},
      {"naming", add_naming},
      {"notify", add_notify},
      {"options", add_options},
      {"ping", add_ping},
      {"port", add_port},
      {"record", add_record},
      {"replay", add_replay},
      {"rt", add_rt},
      {"schedule", add_schedule},
      {"stream", add_stream},
      {"top", add_top},
      {"trace", add_trace},
      {"trade", add_trade},
      {"watch", add_watch},
  };
  const std::string_view wanted = words.empty() ? std::string_view() : words[0];
  const auto is_wanted = [&](const auto& one) { return one.first == wanted; };
  const bool is_one = std::ranges::any_of(subcommands, is_wanted);
  for (const auto& one : subcommands)
    if (!is_one || is_wanted(one)) one.second(program);
}

// A full disk shows when the last output is written: what a script has redirected is then not whole.
int ended(const takt::command_line::Program& program, int status) {
  if (std::cout.flush()) return status;
  takt::command_line::print_error(program.chosen(), "standard output cannot be written; is the disk full?");
  return takt::command::unusable;
}

}  // namespace

int main(int argc, char** argv) try {
  Words words = words_of(argc, argv);
  Words json_words;
  if (!words.empty() && words[0] == "call") json_words = takt::command::take_call_arguments(words);
  std::vector<const char*> arguments{argv[0]};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  takt::command_line::Program program("Tools for real-time CORBA with Takt.", "takt");
  program.add_version("takt " TAKT_VERSION);
  program.require_command();
  program.add_help_command();
  program.advise(advice_on);
  add_subcommands(program, words, json_words);
  try {
    return ended(program, program.parse(static_cast<int>(arguments.size()), arguments.data()).value_or(0));
  } catch (const takt::command::Failure& failure) {
    takt::command_line::print_error(program.chosen(), failure.text);
    return failure.status;
  } catch (const takt::command::Answer& answer) {
    return ended(program, answer.status);
  } catch (const std::exception& failure) {  // for example, an invalid TAKT_ variable
    takt::command_line::print_error(program.chosen(), failure.what());
    return takt::command::unusable;
  }
} catch (const takt::command::Failure& failure) {  // thrown before the program was made
  takt::command_line::print_error(argv[0], failure.text);
  return failure.status;
}
