#include "common/options.h"

#include <cstdlib>
#include <stdexcept>

namespace bench {

Options::Options(int argc, char** argv) {
  for (int i = 1; i < argc; i += 2) {
    const std::string key = argv[i];
    if (!key.starts_with("--") || i + 1 == argc) throw std::runtime_error("expected --key value at " + key);
    values_[key.substr(2)] = argv[i + 1];
  }
}

void Options::set(const std::string& key, const std::string& value) { values_[key] = value; }

bool Options::has(const std::string& key) const { return values_.contains(key); }

std::string Options::text(const std::string& key, const std::string& fallback) const {
  const auto found = values_.find(key);
  return found == values_.end() ? fallback : found->second;
}

double Options::number(const std::string& key, double fallback) const {
  return has(key) ? std::atof(text(key).c_str()) : fallback;
}

}  // namespace bench
