#include "orb/plugins/personalities.h"

#include <stdexcept>

#include "orb/plugins/plugin_code.h"

namespace takt::orb {

namespace {

class CollectedPersonalities final : public PersonalityRegistry {
 public:
  CollectedPersonalities(Personalities& personalities, std::string_view arguments)
      : personalities_(personalities), arguments_(arguments) {}

  void add_personality(const Personality& personality) override {
    const std::string fault = personalities_.add(personality);
    if (fault.empty()) return;
    if (refusal.empty()) refusal = fault;
    throw std::invalid_argument(fault);
  }
  std::string_view arguments() const override { return arguments_; }

  std::string refusal;  // the reason, even if the plug-in has ignored it

 private:
  Personalities& personalities_;
  const std::string_view arguments_;
};

}  // namespace

void load_personalities(const std::vector<std::string>& texts, Personalities& personalities) {
  for (const std::string& text : texts) {
    const PluginCode code = find_plugin(text);
    if (!code.personalities) continue;
    CollectedPersonalities registry(personalities, code.arguments);
    run_plugin(code, code.personalities, registry, registry.refusal);
  }
}

}  // namespace takt::orb
