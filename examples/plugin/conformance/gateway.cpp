// The personality of gateway.cpp as the conformance suite tests it.
#include <personality_suite.h>

namespace takt {

std::vector<TestedPlugin> tested_plugins() { return {{"gateway", &takt_plugin, &takt_personalities}}; }

}  // namespace takt
