#include "command_line.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <utility>

#include "nearest.h"

namespace takt::command_line {
namespace {

template <class Value>
Option added(CLI::App& app, const std::string& name, Value& value, const std::string& meaning) {
  return Option(*app.add_option(name, value, meaning));
}

std::string chosen_below(const CLI::App& app) {
  const auto below = app.get_subcommands();
  return app.get_name() + (below.empty() ? "" : " " + chosen_below(*below.front()));
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(one->get_name());
  return names;
}

// Reports the first word that is not a subcommand of the word before it, and returns true; false if there is
// none.
bool refuses_command(const CLI::App& program, const std::vector<std::string>& words) {
  const CLI::App* app = &program;
  std::string chosen = program.get_name();
  for (const std::string& word : words) {
    const auto commands = commands_of(*app);
    if (commands.empty() || word.starts_with('-')) return false;
    if (std::ranges::find(commands, word) == commands.end()) {
      std::cerr << chosen << ": there is no subcommand '" << word << "', did you mean '"
                << nearest(word, commands) << "'? " << chosen << " --help lists all\n";
      return true;
    }
    app = app->get_subcommand(word);
    chosen += " " + word;
  }
  return false;
}

}  // namespace

const Option& Option::required() const {
  option_->required();
  return *this;
}

const Option& Option::show_default() const {
  option_->capture_default_str();
  return *this;
}

const Option& Option::one_at_a_time() const {
  option_->allow_extra_args(false);
  return *this;
}

const Option& Option::separated_by(char separator) const {
  option_->delimiter(separator);
  return *this;
}

const Option& Option::count(int least, int most) const {
  option_->expected(least, most);
  return *this;
}

const Option& Option::within(int least, int most) const {
  option_->check(CLI::Range(least, most));
  return *this;
}

const Option& Option::within(double least, double most) const {
  option_->check(CLI::Range(least, most));
  return *this;
}

const Option& Option::one_of(const std::vector<std::string>& values) const {
  option_->check(CLI::IsMember(values));
  return *this;
}

Option Command::add(const std::string& name, std::string& value, const std::string& meaning) const {
  return added(*app_, name, value, meaning);
}

Option Command::add(const std::string& name, std::optional<std::string>& value,
                    const std::string& meaning) const {
  return added(*app_, name, value, meaning);
}

Option Command::add(const std::string& name, std::vector<std::string>& value,
                    const std::string& meaning) const {
  return added(*app_, name, value, meaning);
}

Option Command::add(const std::string& name, std::int32_t& value, const std::string& meaning) const {
  return added(*app_, name, value, meaning);
}

Option Command::add(const std::string& name, std::uint64_t& value, const std::string& meaning) const {
  return added(*app_, name, value, meaning);
}

Option Command::add(const std::string& name, double& value, const std::string& meaning) const {
  return added(*app_, name, value, meaning);
}

void Command::add_flag(const std::string& name, bool& value, const std::string& meaning) const {
  app_->add_flag(name, value, meaning);
}

Command Command::add_command(const std::string& name, const std::string& meaning) const {
  return Command(*app_->add_subcommand(name, meaning));
}

void Command::require_command() const { app_->require_subcommand(1); }

void Command::on_chosen(std::function<void()> action) const { app_->callback(std::move(action)); }

void Command::set_footer(const std::string& text) const { app_->footer(text); }

void Command::allow_extras() const { app_->allow_extras(); }

std::vector<std::string> Command::remaining() const { return app_->remaining(); }

std::string Command::chosen() const { return chosen_below(*app_); }

Program::Program(const std::string& meaning, const std::string& name)
    : Program(std::make_unique<CLI::App>(meaning, name)) {}

Program::Program(std::unique_ptr<CLI::App> app) : Command(*app), owned_(std::move(app)) {}

Program::~Program() = default;

void Program::add_version(const std::string& text) { owned_->set_version_flag("--version", text); }

void Program::add_help_command() {
  has_help_command_ = true;
  owned_->add_subcommand("help", "Shows help on the program or a subcommand, for example: help schedule page")
      ->allow_extras();
}

void Program::advise(std::function<std::string(std::string_view word)> advice) {
  advice_ = std::move(advice);
}

std::optional<int> Program::parse(int argc, const char* const* argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const bool asks_for_help = has_help_command_ && !words.empty() && words.front() == "help";
  if (asks_for_help) words.erase(words.begin());
  if (refuses_command(*owned_, words)) return 1;
  if (asks_for_help) words.emplace_back("--help");
  std::vector<const char*> arguments(argv, argv + std::min(argc, 1));
  for (const std::string& word : words) arguments.push_back(word.c_str());
  try {
    owned_->parse(static_cast<int>(arguments.size()), arguments.data());
    return std::nullopt;
  } catch (const CLI::ExtrasError& end) {
    for (const std::string& word : words)
      if (const std::string advice = advice_ ? advice_(word) : ""; !advice.empty())
        std::cerr << word << ": " << advice << '\n';
    return owned_->exit(end);
  } catch (const CLI::ParseError& end) {  // also thrown for help and the version
    return owned_->exit(end);
  }
}

}  // namespace takt::command_line
