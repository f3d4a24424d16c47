// Command lines of the form `--key value --key value`. Others' options (-ORB...) are taken out first.
#pragma once

#include <map>
#include <string>

namespace bench {

class Options {
 public:
  Options() = default;
  Options(int argc, char** argv);  // throws std::runtime_error at what has another form

  void set(const std::string& key, const std::string& value);
  bool has(const std::string& key) const;
  std::string text(const std::string& key, const std::string& fallback = "") const;
  double number(const std::string& key, double fallback) const;

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace bench
