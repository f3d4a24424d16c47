#include "giop/references/stringified_name.h"

namespace takt::giop {

namespace {

void append_escaped(std::string& text, std::string_view part) {
  for (const char c : part) {
    if (c == '/' || c == '.' || c == '\\') text += '\\';
    text += c;
  }
}

}  // namespace

std::expected<std::vector<NameComponent>, NameError> parse_name(std::string_view text) {
  if (text.empty()) return std::unexpected(NameError::empty);
  std::vector<NameComponent> name;
  NameComponent component;
  bool dot = false;
  bool something = false;  // in this component
  const auto end_component = [&]() -> std::expected<void, NameError> {
    if (!something) return std::unexpected(NameError::empty_component);
    if (dot && component.kind.empty() && !component.id.empty())
      return std::unexpected(NameError::trailing_dot);
    name.push_back(std::move(component));
    component = {};
    dot = something = false;
    return {};
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '/') {
      if (auto ended = end_component(); !ended) return std::unexpected(ended.error());
      continue;
    }
    something = true;
    if (c == '.') {
      if (dot) return std::unexpected(NameError::second_dot);
      dot = true;
      continue;
    }
    if (c == '\\') {
      if (++i == text.size() || (text[i] != '/' && text[i] != '.' && text[i] != '\\'))
        return std::unexpected(NameError::escape);
      c = text[i];
    }
    (dot ? component.kind : component.id) += c;
  }
  if (auto ended = end_component(); !ended) return std::unexpected(ended.error());
  return name;
}

std::string name_to_text(const std::vector<NameComponent>& name) {
  std::string text;
  for (const NameComponent& component : name) {
    if (!text.empty()) text += '/';
    append_escaped(text, component.id);
    if (!component.kind.empty() || component.id.empty()) text += '.';
    append_escaped(text, component.kind);
  }
  return text;
}

}  // namespace takt::giop
