// Command lines of the form `--key value --key value`. An ORB's options (-ORB...) must be removed before.
#pragma once

#include <map>
#include <string>

namespace bench {

class Options {
 public:
  Options() = default;
  Options(int argc, char** argv);  // throws std::runtime_error if the form differs

  void set(const std::string& key, const std::string& value);
  bool has(const std::string& key) const;
  std::string text(const std::string& key, const std::string& fallback = "") const;
  double number(const std::string& key, double fallback) const;

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace bench
