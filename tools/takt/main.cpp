// takt: the command line of the project.
#include <algorithm>
#include <array>
#include <cctype>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string_view>

#include <takt/orb/parts.h>

#include "call/words.h"
#include "command.h"
#include "omninames_words.h"

// Operators can see the state of takt naming and the other servers, too.
void takt::choose_parts(Parts& parts) { add_all(parts); }

namespace {

using Words = std::vector<std::string>;

// Removes the ORB's options from the words. Only for commands with positional arguments, because these would
// otherwise take the options' values.
Words take_orb_options(Words& words) {
  Words taken, left;
  constexpr std::array<std::string_view, 5> commands{"call", "describe", "list", "name", "naming"};
  if (words.empty() || std::ranges::find(commands, words[0]) == commands.end()) return taken;
  for (std::size_t i = 0; i < words.size(); ++i) {
    Words& to = words[i].starts_with("-ORB") ? taken : left;
    to.push_back(words[i]);
    if (&to == &taken && i + 1 < words.size()) to.push_back(words[++i]);
  }
  words = left;
  return taken;
}

Words words_of(int argc, char** argv) {
  Words words(argv + 1, argv + argc);
  if (std::filesystem::path(argv[0]).filename() != "omniNames") return words;
  auto translated = takt::command::words_for_omninames(words);
  if (!translated) takt::command::fail(translated.error());
  return std::move(*translated);
}

// For words that are or resemble options of the ORB, such as --ORBLogLevel.
std::string advice_on(std::string_view word) {
  const auto start = word.find_first_not_of('-');
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  if (start == 0 || start > 2 ||
      !std::ranges::equal(word.substr(start, 3), std::string_view("orb"), {}, lower))
    return {};
  return "names of the ORB's options begin with -ORB; if a command takes none, set them in the environment, "
         "as in "
         "TAKT_LOG_LEVEL=info";
}

}  // namespace

int main(int argc, char** argv) try {
  Words words = words_of(argc, argv);
  const Words orb_options = take_orb_options(words);
  Words json_words;
  if (!words.empty() && words[0] == "call") json_words = takt::command::take_call_arguments(words);
  std::vector<const char*> arguments{argv[0]};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  takt::command_line::Program program("Tools for real-time CORBA with Takt.", "takt");
  program.add_version(TAKT_VERSION);
  program.require_command();
  program.add_help_command();
  program.advise(advice_on);
  takt::command::add_bridge(program);
  takt::command::add_call(program, json_words, orb_options);
  takt::command::add_describe(program, orb_options);
  takt::command::add_idl(program);
  takt::command::add_ior(program);
  takt::command::add_list(program, orb_options);
  takt::command::add_metrics(program);
  takt::command::add_name(program, orb_options);
  takt::command::add_naming(program, orb_options);
  takt::command::add_options(program);
  takt::command::add_ping(program);
  takt::command::add_rt(program);
  takt::command::add_schedule(program);
  takt::command::add_top(program);
  try {
    const auto ended = program.parse(static_cast<int>(arguments.size()), arguments.data());
    return ended.value_or(0) == 0 ? 0 : takt::command::unusable;
  } catch (const takt::command::Failure& failure) {
    std::cerr << program.chosen() << ": " << failure.text << '\n';
    return failure.status;
  } catch (const takt::command::Answer& answer) {
    return answer.status;
  } catch (const std::exception& failure) {  // for example, an invalid TAKT_ variable
    std::cerr << program.chosen() << ": " << failure.what() << '\n';
    return takt::command::unusable;
  }
} catch (const takt::command::Failure& failure) {  // thrown before the program was made
  std::cerr << argv[0] << ": " << failure.text << '\n';
  return failure.status;
}
