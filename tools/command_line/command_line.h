// Command lines of Takt's programs. CLI11 parses them; only command_line.cpp includes it, because it takes
// long to compile.
//
// Names of options follow CLI11: "file" without dashes is positional, "-o,--output" has two names,
// "!--no-server" clears its flag. CLI11 writes the messages about wrong command lines and the answers to
// --help.
// Not thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace takt::command_line {

// An option with values. This object and those that the other functions return refer to the Program, which
// must outlive them.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  const Option& required() const;
  // Shows the variable's present value as the default in help.
  const Option& show_default() const;
  // Takes one value each time the option is given. Without this, a list takes all values that follow.
  const Option& one_at_a_time() const;
  const Option& separated_by(char separator) const;
  // The allowed number of values.
  const Option& count(int least, int most) const;
  // The allowed range, bounds included.
  const Option& within(int least, int most) const;
  const Option& within(double least, double most) const;
  const Option& one_of(const std::vector<std::string>& values) const;

 private:
  CLI::Option* option_;
};

// A program or a subcommand. `meaning` is a text for help.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  // The variable is set when the command line is parsed, and must outlive the program. Throws
  // std::runtime_error if the name is invalid or taken.
  Option add(const std::string& name, std::string& value, const std::string& meaning) const;
  Option add(const std::string& name, std::optional<std::string>& value, const std::string& meaning) const;
  Option add(const std::string& name, std::vector<std::string>& value, const std::string& meaning) const;
  Option add(const std::string& name, std::int32_t& value, const std::string& meaning) const;
  Option add(const std::string& name, std::uint64_t& value, const std::string& meaning) const;
  Option add(const std::string& name, double& value, const std::string& meaning) const;
  void add_flag(const std::string& name, bool& value, const std::string& meaning) const;

  Command add_command(const std::string& name, const std::string& meaning) const;
  // The command line must name one of the added subcommands.
  void require_command() const;
  // parse() calls `action` if the command line names this subcommand. The action's captures live as long as
  // the program.
  void on_chosen(std::function<void()> action) const;

  // The text at the end of help.
  void set_footer(const std::string& text) const;
  // Accepts unknown words, which remaining() returns.
  void allow_extras() const;
  std::vector<std::string> remaining() const;

  // The full name of the chosen subcommand after parse(), as "takt schedule serve".
  std::string chosen() const;

 private:
  CLI::App* app_;
};

class Program : public Command {
 public:
  // `name` defaults to the name by which the program was started.
  explicit Program(const std::string& meaning, const std::string& name = {});
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  // Adds `help [COMMAND ...]`, which prints the same as `COMMAND ... --help`.
  void add_help_command();
  // Adds --version, which prints the text.
  void add_version(const std::string& text);
  // If a command line has unexpected words, parse() asks for advice on each of its words. Empty: none.
  void advise(std::function<std::string(std::string_view word)> advice);
  // Parses the command line and runs the chosen action. Empty if the program should continue. Else the exit
  // status: 0 after help or the version, another after an error, which has been printed. For an unknown
  // subcommand, the error suggests the most similar one. Throws the exceptions of actions.
  std::optional<int> parse(int argc, const char* const* argv);

 private:
  explicit Program(std::unique_ptr<CLI::App> app);

  std::unique_ptr<CLI::App> owned_;
  bool has_help_command_ = false;
  std::function<std::string(std::string_view word)> advice_;
};

}  // namespace takt::command_line
