#include <takt/reference/name_text.h>

#include <utility>

namespace takt::reference {

namespace {

bool may_be_escaped(char c) { return c == '/' || c == '.' || c == '\\'; }

void append_escaped(std::string& text, std::string_view part) {
  for (const char c : part) {
    if (may_be_escaped(c)) text += '\\';
    text += c;
  }
}

// Parses a name octet by octet.
class NameReader {
 public:
  void put(char c) {
    something_ = true;
    (dot_ ? component_.kind : component_.id) += c;
  }
  std::optional<NameError> put_dot() {
    if (dot_) return NameError::second_dot;
    something_ = dot_ = true;
    return std::nullopt;
  }
  std::optional<NameError> end_component() {
    if (!something_) return NameError::empty_component;
    if (dot_ && component_.kind.empty() && !component_.id.empty()) return NameError::trailing_dot;
    name_.push_back(std::exchange(component_, {}));
    dot_ = something_ = false;
    return std::nullopt;
  }
  std::vector<NameComponent> take() { return std::move(name_); }

 private:
  std::vector<NameComponent> name_;
  NameComponent component_;
  bool dot_ = false;
  bool something_ = false;  // the component has content
};

}  // namespace

[[gnu::cold]] std::optional<NameError> read_name(std::string_view text, std::vector<NameComponent>& name) {
  if (text.empty()) return NameError::empty;
  NameReader reader;
  std::optional<NameError> error;
  for (std::size_t i = 0; i < text.size() && !error; ++i) {
    const char c = text[i];
    if (c == '/')
      error = reader.end_component();
    else if (c == '.')
      error = reader.put_dot();
    else if (c != '\\')
      reader.put(c);
    else if (++i < text.size() && may_be_escaped(text[i]))
      reader.put(text[i]);
    else
      error = NameError::escape;
  }
  if (!error) error = reader.end_component();
  if (!error) name = reader.take();
  return error;
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

}  // namespace takt::reference
