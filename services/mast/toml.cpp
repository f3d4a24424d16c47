#include "mast/import.h"

namespace takt::scheduling {
namespace {

// A file name may contain characters that TOML does not allow in comments.
std::string printable(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text;
}

std::string lines(const std::string& title, const std::vector<std::string>& items) {
  if (items.empty()) return {};
  std::string text = "# " + title + ":\n";
  for (const std::string& each : items) text += "#   " + each + "\n";
  return text;
}

}  // namespace

std::string toml_of(const ImportedModel& model, const std::string& origin) {
  std::string text = "# Made by takt schedule import from " + printable(origin) + "; changes will be lost.\n";
  if (!model.name.empty()) text += "# Model: " + model.name + "\n";
  for (std::size_t i = 0; i < model.resources.size(); ++i)
    text += "# Processor " + std::to_string(i) + ": " + model.resources[i] + "\n";
  text += lines("Without a deadline in the model, so 64 periods are declared", model.no_deadline);
  text += lines("Read, but without effect on the analysis", model.unused);
  return text + toml_of(model.declarations);
}

}  // namespace takt::scheduling
