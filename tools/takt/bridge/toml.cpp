#include "bridge/toml.h"

#include "config/toml_parser.h"

namespace takt::command {
namespace {

using toml_parser::TomlNode;

struct WrongBridge {
  std::string text;
};

[[noreturn]] void fail_at(const std::string& origin, const TomlNode& node, const std::string& text) {
  throw WrongBridge{origin + ":" + std::to_string(node.at.line) + ": " + text};
}

class BridgeReader {
 public:
  explicit BridgeReader(const std::string& origin) : origin_(origin) {}

  BridgeSettings read(const toml_parser::Table& root) {
    BridgeSettings settings;
    for (const auto& [key, key_at, node] : root) {
      if (std::string* const text = text_called(settings, key))
        *text = text_of(node, key);
      else if (key == "to")
        read_objects(node, settings);
      else if (std::vector<std::string>* const texts = texts_called(settings, key))
        read_texts(node, key, *texts);
      else
        fail_at(origin_, node,
                "unknown key '" + key +
                    "'; the keys of a bridge are listen, publish, output, "
                    "to-server, idl, include, inside, outside, orb-options and [to]");
    }
    return settings;
  }

 private:
  static std::string* text_called(BridgeSettings& settings, std::string_view key) {
    if (key == "listen") return &settings.listen;
    if (key == "publish") return &settings.publish;
    if (key == "output") return &settings.output;
    if (key == "to-server") return &settings.server;
    return nullptr;
  }

  static std::vector<std::string>* texts_called(BridgeSettings& settings, std::string_view key) {
    if (key == "orb-options") return &settings.orb_options;
    if (key == "idl") return &settings.idl;
    if (key == "include") return &settings.include;
    if (key == "inside") return &settings.inside;
    if (key == "outside") return &settings.outside;
    return nullptr;
  }

  std::string text_of(const TomlNode& node, std::string_view key) {
    if (const auto* text = node.as_text()) return *text;
    fail_at(origin_, node, "'" + std::string(key) + "' must be a string");
  }

  void read_objects(const TomlNode& node, BridgeSettings& settings) {
    if (node.as_table() == nullptr) fail_at(origin_, node, "'to' must be a table of KEY = \"REFERENCE\"");
    for (const auto& [key, key_at, reference] : *node.as_table())
      settings.objects.push_back({key, text_of(reference, key)});
  }

  void read_texts(const TomlNode& node, std::string_view key, std::vector<std::string>& texts) {
    if (node.as_list() == nullptr)
      fail_at(origin_, node, "'" + std::string(key) + "' must be an array of strings");
    for (const TomlNode& each : *node.as_list()) texts.push_back(text_of(each, key));
  }

  const std::string& origin_;
};

}  // namespace

std::expected<BridgeSettings, std::string> bridge_settings_of(std::string_view text,
                                                              const std::string& origin) {
  const auto root = toml_parser::parse(text);
  if (!root) return std::unexpected(root.error().text_in(origin));
  try {
    return BridgeReader(origin).read(*root);
  } catch (const WrongBridge& wrong) {
    return std::unexpected(wrong.text);
  }
}

}  // namespace takt::command
