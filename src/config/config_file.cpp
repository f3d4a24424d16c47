#include "config/config_file.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "config/option_names.h"
#include "config/option_values.h"
#include "config/poa_lookups.h"
#include "config/toml_parser.h"

namespace takt::orb {

namespace {

constexpr std::string_view poa_key = "poa";

bool takes_on_or_off(const Option& option) {
  const auto* choice = std::get_if<Choice>(&option.kind);
  return choice && std::ranges::find(choice->values, "on", &ChoiceValue::name) != choice->values.end();
}

using toml_parser::TextPosition;
using toml_parser::TomlEntry;
using toml_parser::TomlNode;

class ConfigReader {
  using Problem = std::pair<TextPosition, std::string>;

 public:
  explicit ConfigReader(const std::string& origin) : origin_(origin) {}

  void read(const toml_parser::Table& root) {
    for (const TomlEntry& entry : root) entry.key == poa_key ? read_poas(entry) : read_option(entry);
  }
  void fail(TextPosition at, const std::string& text) {
    const auto later = [](const Problem& one, const Problem& other) { return one.first < other.first; };
    Problem problem(at, where(at) + ": " + text);
    problems_.insert(std::ranges::upper_bound(problems_, problem, later),
                     std::move(problem));  // sorted, because tables are in the order of their names
  }
  std::expected<std::vector<FileValue>, std::string> result() {
    if (problems_.empty()) return std::move(values_);
    std::string lines;
    for (const Problem& problem : problems_) lines.append(lines.empty() ? "" : "\n") += problem.second;
    return std::unexpected(std::move(lines));
  }

 private:
  std::string where(TextPosition at) const {
    return origin_ + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  }

  // [poa."RootPOA/navigation"] tables are another form of POALookup.
  void read_poas(const TomlEntry& all) {
    const auto* poas = all.node.as_table();
    if (poas == nullptr) return fail(all.node.at, "poa is a table, as in [poa.\"RootPOA/navigation\"]");
    FileValue value{find_option("POALookup"), {}, true, where(all.key_at)};
    for (const TomlEntry& poa : *poas)
      if (const auto* table = poa.node.as_table())
        read_poa(poa, *table, value);
      else
        fail(poa.node.at, "a POA is a table, as in [poa.\"RootPOA/navigation\"]");
    values_.push_back(std::move(value));
  }
  void read_poa(const TomlEntry& poa, const toml_parser::Table& table, FileValue& value) {
    std::string all;
    for (const auto& [key, key_at, node] : table) {
      const auto* text = node.as_text();
      if (!text) return fail(node.at, key + " takes text, in quotes");
      const std::string alone = poa_lookup_text(poa.key, key, *text);
      if (const auto read = poa_lookup_from_text(alone); !read) return fail(key_at, read.error());
      all.empty() ? all = alone : all += alone.substr(alone.find(':')).replace(0, 1, ",");
    }
    if (all.empty()) return fail(poa.key_at, in_quotes(poa.key) + " says nothing");
    if (const auto fits = check(*poa_lookup_from_text(all)); !fits) return fail(poa.key_at, fits.error());
    value.items.push_back(all);
  }

  void read_option(const TomlEntry& entry) {
    const auto& [key, key_at, node] = entry;
    const Option* option = find_option(key);
    if (!option)
      return fail(key_at, "there is no option " + in_quotes(key) + ", " + advice_on_option(key, ""));
    if (option->name == "Config") return fail(key_at, "a file cannot name another one");
    const auto* list = node.as_list();
    FileValue value{option, {}, list != nullptr, where(key_at)};
    if (list) {
      if (!is_list(*option))
        return fail(node.at, std::string(option->name) + " is not a list: it takes " + range_of(*option));
      for (const TomlNode& item : *list) take(item, value);
    } else {
      take(node, value);
    }
    values_.push_back(std::move(value));
  }

  // Takes a single value, or one item of a list.
  void take(const TomlNode& node, FileValue& value) {
    const std::string name(value.option->name);
    const auto text = text_of(node, *value.option);
    if (!text) {
      const bool is_number = std::holds_alternative<Count>(value.option->kind);
      return fail(node.at, name + " takes " + range_of(*value.option) + (is_number ? "" : ", in quotes"));
    }
    Settings unused;
    const auto set =
        value.is_list ? add_item(*value.option, *text, unused) : set_option(*value.option, *text, unused);
    if (!set) return fail(node.at, not_valid(name, *text, set.error()));
    value.items.push_back(*text);
  }

  static std::optional<std::string> text_of(const TomlNode& node, const Option& option) {
    if (const auto* text = node.as_text()) return *text;
    if (const auto* number = node.as_number()) return std::to_string(*number);
    if (const auto* flag = node.as_flag(); flag && takes_on_or_off(option)) return *flag ? "on" : "off";
    return std::nullopt;
  }

  const std::string& origin_;
  std::vector<FileValue> values_;
  std::vector<Problem> problems_;
};

}  // namespace

[[gnu::cold]] std::expected<std::vector<FileValue>, std::string> options_in(std::string_view text,
                                                                            const std::string& origin) {
  const auto root = toml_parser::parse(text);
  if (!root) return std::unexpected(root.error().text_in(origin));
  ConfigReader reader(origin);
  reader.read(*root);
  return reader.result();
}

std::expected<std::string, std::string> read_config_text(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) return std::unexpected(path + ": cannot be read, " + error.message());
  if (size > max_config_bytes) return std::unexpected(path + ": is longer than 1MiB");
  std::string text(size, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::unexpected(path + ": cannot be read, " + std::generic_category().message(errno));
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  const bool is_whole = file.gcount() == static_cast<std::streamsize>(size) &&
                        file.peek() == std::ifstream::traits_type::eof() && !file.bad();
  if (!is_whole)
    return std::unexpected(path + ": cannot be read as a whole: it has another length than the system says");
  return text;
}

std::expected<std::vector<FileValue>, std::string> read_config_file(const std::string& path) {
  const auto text = read_config_text(path);
  if (!text) return std::unexpected(text.error());
  return options_in(*text, path);
}

}  // namespace takt::orb
