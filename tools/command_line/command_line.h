// What the command lines of takt's programs consist of, for CLI11 to read: that is compiled once, in the
// source of this header, and nobody includes it otherwise.
//
// Names of options are as CLI11 has them: "file" has no dashes and is told by its place, "-o,--output" has
// two names, "!--no-server" clears its flag. What is said of a wrong command line and in answer to --help is
// CLI11's.
// Everything belongs to one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace takt::command_line {

// One that takes values. Refers to what its program owns, as all that these functions return.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  const Option& required() const;
  // Help shows what the variable holds now.
  const Option& show_default() const;
  // A value each time it is given; otherwise a list takes all that follows.
  const Option& one_at_a_time() const;
  const Option& separated_by(char separator) const;
  // So many values.
  const Option& count(int least, int most) const;
  // The bounds are allowed.
  const Option& within(int least, int most) const;
  const Option& within(double least, double most) const;
  const Option& one_of(const std::vector<std::string>& values) const;

 private:
  CLI::Option* option_;
};

// A program, or a subcommand. `meaning` is what help says of something.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  // The variable is set when the command line is parsed, and outlives it. Throws std::runtime_error if the
  // name cannot be, or is there already.
  Option add(const std::string& name, std::string& value, const std::string& meaning) const;
  Option add(const std::string& name, std::optional<std::string>& value, const std::string& meaning) const;
  Option add(const std::string& name, std::vector<std::string>& value, const std::string& meaning) const;
  Option add(const std::string& name, std::int32_t& value, const std::string& meaning) const;
  Option add(const std::string& name, std::uint64_t& value, const std::string& meaning) const;
  Option add(const std::string& name, double& value, const std::string& meaning) const;
  void add_flag(const std::string& name, bool& value, const std::string& meaning) const;

  Command add_command(const std::string& name, const std::string& meaning) const;
  // One of those that were added has to be chosen.
  void require_command() const;
  // Is called by parse() if the command was chosen, and what it owns is kept as long as the program.
  void on_chosen(std::function<void()> action) const;

  // What help ends with.
  void set_footer(const std::string& text) const;
  // Words that mean nothing to it are no mistake: they remain.
  void allow_extras() const;
  std::vector<std::string> remaining() const;

  // After parse(), how it was chosen, as "takt schedule serve".
  std::string chosen() const;

 private:
  CLI::App* app_;
};

class Program : public Command {
 public:
  // Without a name it is called as it was started.
  explicit Program(const std::string& meaning, const std::string& name = {});
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  // Adds `help [COMMAND ...]`, which answers as `COMMAND ... --help` does.
  void add_help_command();
  // Adds --version, which answers with the text.
  void add_version(const std::string& text);
  // A subcommand that there is not is said to be none, with the one that is most like it. Nothing if the
  // program goes on, or the status that it ends with: 0 when help or the version was asked for, and another
  // when the command line is wrong; that has been said then. Throws what the actions throw.
  std::optional<int> parse(int argc, const char* const* argv);

 private:
  explicit Program(std::unique_ptr<CLI::App> app);

  std::unique_ptr<CLI::App> owned_;
  bool has_help_command_ = false;
};

}  // namespace takt::command_line
