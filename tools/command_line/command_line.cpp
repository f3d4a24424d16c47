#include "command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <sstream>
#include <type_traits>

#include "colours.h"
#include "nearest.h"
#include "units.h"

namespace takt::command_line {

struct Command::Prefixed {
  const CLI::App* app;
  std::string prefix;
  std::vector<std::string>* taken;
};

namespace {

template <class Value>
Option added(CLI::App& app, const std::string& name, Value& value, const std::string& meaning) {
  return Option(*app.add_option(name, value, meaning));
}

// An option whose text `parse` turns into its value. `parse` returns what is wrong with the text, or nothing.
Option added_text(CLI::App& app, const std::string& name, const std::string& kind, const std::string& meaning,
                  std::function<std::string(const std::string&)> parse, std::function<std::string()> shown) {
  CLI::Option* const option = app.add_option(
      name, [parse](const CLI::results_t& texts) { return parse(texts.back()).empty(); }, meaning, false,
      std::move(shown));
  option->check([parse](const std::string& text) {
    const std::string wrong = parse(text);
    return wrong.empty() ? wrong : "'" + text + "' is not valid: it takes " + wrong;
  });
  option->type_name(kind)->expected(1);
  return Option(*option);
}

// An option with a number. Unlike CLI11's own conversion, it refuses -1 for an unsigned number, and nan.
template <class Number>
Option added_number(CLI::App& app, const std::string& name, Number& value, const std::string& kind,
                    const std::string& meaning, const std::string& takes) {
  return added_text(
      app, name, kind, meaning,
      [&value, takes](const std::string& text) -> std::string {
        Number read{};
        const char* const end = text.data() + text.size();
        const auto [rest, error] = std::from_chars(text.data(), end, read);
        if (error != std::errc() || rest != end) return takes;
        if constexpr (std::is_floating_point_v<Number>)
          if (!std::isfinite(read)) return takes;
        value = read;
        return {};
      },
      [&value] {
        std::ostringstream text;
        text << value;
        return text.str();
      });
}

const CLI::App& chosen_app(const CLI::App& app) {
  const auto below = app.get_subcommands();
  return below.empty() ? app : chosen_app(*below.front());
}

std::string chosen_below(const CLI::App& app) {
  const auto below = app.get_subcommands();
  return app.get_name() + (below.empty() ? "" : " " + chosen_below(*below.front()));
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* const one : app.get_options()) {
    for (const std::string& name : one->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : one->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(one->get_name());
  return names;
}

// ", did you mean 'NAME'? " or, if no name is like the word, "; ".
std::string meant_by(const std::string& word, const std::vector<std::string>& names) {
  const std::string known = alike(word, names);
  return known.empty() ? "; " : ", did you mean '" + known + "'? ";
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
      print_error(chosen, "there is no subcommand '" + word + "'" + meant_by(word, commands) + chosen +
                              " --help lists all");
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
  return added_number(*app_, name, value, "INT", meaning, "a whole number");
}

Option Command::add(const std::string& name, std::uint64_t& value, const std::string& meaning) const {
  return added_number(*app_, name, value, "UINT", meaning, "a whole number, 0 or more");
}

Option Command::add(const std::string& name, double& value, const std::string& meaning) const {
  return added_number(*app_, name, value, "FLOAT", meaning, "a number");
}

Option Command::add(const std::string& name, std::chrono::nanoseconds& value, const std::string& meaning,
                    Times range) const {
  const std::string bounds = text_of_time(range.least) + " - " + text_of_time(range.most);
  return added_text(
      *app_, name, "TIME:TIME in [" + bounds + "]", meaning,
      [&value, range, bounds](const std::string& text) -> std::string {
        const auto time = time_from_text(text);
        if (!time) return time.error();
        if (*time < range.least || *time > range.most) return "a time in " + bounds;
        value = *time;
        return {};
      },
      [&value] { return text_of_time(value); });
}

Option Command::add_size(const std::string& name, std::uint64_t& value, const std::string& meaning) const {
  return added_text(
      *app_, name, "SIZE", meaning,
      [&value](const std::string& text) -> std::string {
        const auto size = size_from_text(text);
        if (!size) return size.error();
        value = *size;
        return {};
      },
      [&value] { return text_of_size(value); });
}

void Command::add_flag(const std::string& name, bool& value, const std::string& meaning) const {
  app_->add_flag(name, value, meaning);
}

Command Command::add_command(const std::string& name, const std::string& meaning) const {
  return {*app_->add_subcommand(name, meaning), prefixes_};
}

void Command::require_command() const { app_->require_subcommand(1); }

void Command::on_chosen(std::function<void()> action) const { app_->callback(std::move(action)); }

void Command::set_footer(const std::string& text) const { app_->footer(text); }

void Command::allow_extras() const { app_->allow_extras(); }

std::vector<std::string> Command::remaining() const { return app_->remaining(); }

void Command::take_prefixed(const std::string& prefix, std::vector<std::string>& taken) const {
  prefixes_->push_back({app_, prefix, &taken});
}

std::string Command::chosen() const { return chosen_below(*app_); }

Program::Program(const std::string& meaning, const std::string& name)
    : Program(std::make_unique<CLI::App>(meaning, name)) {}

Program::Program(std::unique_ptr<CLI::App> app)
    : Command(*app, std::make_shared<std::vector<Prefixed>>()), owned_(std::move(app)) {}

Program::~Program() = default;

void Program::add_version(const std::string& text) { owned_->set_version_flag("--version", text); }

void Program::add_help_command() {
  has_help_command_ = true;
  owned_->add_subcommand("help", "Shows help on the program or a subcommand, for example: help schedule page")
      ->allow_extras();
}

void Program::advise(Advice advice) { advice_ = std::move(advice); }

void Program::take_prefixed_words(std::vector<std::string>& words) const {
  const CLI::App* app = app_;
  auto word = words.begin();
  for (; word != words.end(); ++word) {
    const auto commands = commands_of(*app);
    if (std::ranges::find(commands, *word) == commands.end()) break;
    app = app->get_subcommand(*word);
  }
  const auto found = std::ranges::find(*prefixes_, app, &Prefixed::app);
  if (found == prefixes_->end()) return;
  std::vector<std::string> left(words.begin(), word);
  for (; word != words.end() && *word != "--"; ++word) {
    if (!word->starts_with(found->prefix)) {
      left.push_back(*word);
      continue;
    }
    found->taken->push_back(*word);
    if (std::next(word) != words.end() && !std::next(word)->starts_with('-'))
      found->taken->push_back(*++word);
  }
  left.insert(left.end(), word, words.end());
  words = std::move(left);
}

// Prints the advice on the first word that has any, before a parser takes it for a short option with its
// value attached. False if no word has any.
bool Program::refuse_by_advice(const std::vector<std::string>& words) const {
  if (!advice_) return false;
  const CLI::App* app = app_;
  std::string command = app->get_name();
  for (const std::string& word : words) {
    if (word == "--") return false;
    if (const auto commands = commands_of(*app); std::ranges::find(commands, word) != commands.end()) {
      app = app->get_subcommand(word);
      command += " " + word;
      continue;
    }
    const bool is_prefixed = std::ranges::find(*prefixes_, app, &Prefixed::app) != prefixes_->end();
    if (const std::string said = advice_(word, command, is_prefixed); !said.empty()) {
      print_error(command, said);
      return true;
    }
  }
  return false;
}

// Names the options that the chosen command does not have, or else the words that are too many. False if
// there are none.
bool Program::report_unexpected() const {
  const CLI::App& app = chosen_app(*app_);
  const std::string command = chosen();
  std::vector<std::string> words = app_->remaining(true);
  words.erase(std::ranges::find(words, "--"), words.end());  // arguments follow it
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word.starts_with('-'); };
  const auto options = options_of(app);
  for (const std::string& word : words) {
    if (!is_option(word)) continue;
    const std::string name = word.substr(0, word.find('='));
    if (std::ranges::find(options, name) != options.end())
      print_error(command, "'" + name + "' goes behind the subcommand: " + command + ' ' + name + " ...");
    else
      print_error(command, "there is no option '" + word + "'" + meant_by(name, options) + command +
                               " --help lists all");
  }
  if (!words.empty() && std::ranges::none_of(words, is_option))
    print_error(command,
                "'" + words.front() + "' is one word too many; " + command + " --help lists what it takes");
  return !words.empty();
}

std::optional<int> Program::parse(int argc, const char* const* argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const bool asks_for_help = has_help_command_ && !words.empty() && words.front() == "help";
  if (asks_for_help) words.erase(words.begin());
  if (refuses_command(*owned_, words)) return unusable_command_line;
  if (asks_for_help) words.emplace_back("--help");
  take_prefixed_words(words);
  if (refuse_by_advice(words)) return unusable_command_line;
  std::vector<const char*> arguments(argv, argv + std::min(argc, 1));
  for (const std::string& word : words) arguments.push_back(word.c_str());
  try {
    owned_->parse(static_cast<int>(arguments.size()), arguments.data());
    return std::nullopt;
  } catch (const CLI::ParseError& end) {  // also thrown for help and the version
    if (end.get_exit_code() == 0) return owned_->exit(end);
    if (!report_unexpected())
      print_error(chosen(), std::string(end.what()) + "; " + chosen() + " --help lists what it takes");
    return unusable_command_line;
  }
}

}  // namespace takt::command_line
