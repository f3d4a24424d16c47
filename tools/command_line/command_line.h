// Command lines of Takt's programs. CLI11 parses them; only command_line.cpp includes it, because it takes
// long to compile.
//
// Names of options follow CLI11: "file" without dashes is positional, "-o,--output" has two names,
// "!--no-server" clears its flag. CLI11 writes the messages about wrong command lines and the answers to
// --help.
// Not thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace takt::command_line {

// The exit status of all programs for a command line that they cannot use.
inline constexpr int unusable_command_line = 2;

// A time with its unit in place of a number, such as 500ms. A number without a unit is in seconds.
struct Times {
  std::chrono::nanoseconds least, most;
};

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
  // For all commands of a program, their prefixes and the variables for the words that are taken.
  struct Prefixed;
  using Prefixes = std::shared_ptr<std::vector<Prefixed>>;
  Command(CLI::App& app, Prefixes prefixes) : app_(&app), prefixes_(std::move(prefixes)) {}

  // The variable is set when the command line is parsed, and must outlive the program. Throws
  // std::runtime_error if the name is invalid or taken.
  Option add(const std::string& name, std::string& value, const std::string& meaning) const;
  Option add(const std::string& name, std::optional<std::string>& value, const std::string& meaning) const;
  Option add(const std::string& name, std::vector<std::string>& value, const std::string& meaning) const;
  Option add(const std::string& name, std::int32_t& value, const std::string& meaning) const;
  Option add(const std::string& name, std::uint64_t& value, const std::string& meaning) const;
  Option add(const std::string& name, double& value, const std::string& meaning) const;
  // A time within the range.
  Option add(const std::string& name, std::chrono::nanoseconds& value, const std::string& meaning,
             Times range) const;
  // A number of octets, with or without a unit: 64k.
  Option add_size(const std::string& name, std::uint64_t& value, const std::string& meaning) const;
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
  // Takes words that begin with `prefix` out of the command line before it is parsed, each with its value,
  // which is the next word unless that begins with '-', and appends both to `taken`, which must outlive the
  // program.
  void take_prefixed(const std::string& prefix, std::vector<std::string>& taken) const;

  // The full name of the chosen subcommand after parse(), as "takt schedule serve".
  std::string chosen() const;

 protected:
  CLI::App* app_;
  Prefixes prefixes_;
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
  // parse() refuses a word on which there is advice. `command` is the full name of the chosen command, and
  // `is_prefixed` whether it takes options with a prefix. No advice: an empty text.
  using Advice =
      std::function<std::string(std::string_view word, const std::string& command, bool is_prefixed)>;
  void advise(Advice advice);
  // Parses the command line and runs the chosen action. Empty if the program should continue. Else the exit
  // status: 0 after help or the version, unusable_command_line after an error, which has been printed. For an
  // unknown subcommand or option, the error suggests the most similar one. Throws the exceptions of actions.
  std::optional<int> parse(int argc, const char* const* argv);

 private:
  explicit Program(std::unique_ptr<CLI::App> app);
  void take_prefixed_words(std::vector<std::string>& words) const;
  bool refuse_by_advice(const std::vector<std::string>& words) const;
  bool report_unexpected() const;

  std::unique_ptr<CLI::App> owned_;
  bool has_help_command_ = false;
  Advice advice_;
};

}  // namespace takt::command_line
