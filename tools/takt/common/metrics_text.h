// Metrics in Prometheus's text format, version 0.0.4.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace takt::command {

class MetricsText {
 public:
  // `type`: "gauge" or "counter". The samples of a metric follow it.
  void begin(const char* name, const char* type, const char* help) {
    text_.append("# HELP ").append(name).append(" ").append(help).append("\n");
    text_.append("# TYPE ").append(name).append(" ").append(type).append("\n");
  }
  // `labels`: those besides the target, each with a comma before it, as made by label().
  void sample(const char* name, std::string_view target, const std::string& labels, std::uint64_t value) {
    add(name, target, labels, std::to_string(value));
  }
  // A time, in seconds.
  void sample_time(const char* name, std::string_view target, const std::string& labels, std::uint64_t ns) {
    constexpr std::uint64_t second = 1'000'000'000;
    std::string fraction = std::to_string(second + ns % second);
    fraction[0] = '.';
    add(name, target, labels, std::to_string(ns / second) + fraction);
  }
  static std::string label(const char* name, std::string_view value) {
    return std::string(",") + name + "=\"" + escaped(value) + "\"";
  }
  std::string text() { return std::move(text_); }

 private:
  void add(const char* name, std::string_view target, const std::string& labels, const std::string& value) {
    text_.append(name).append("{target=\"").append(escaped(target)).append("\"").append(labels);
    text_.append("} ").append(value).append("\n");
  }
  static std::string escaped(std::string_view text) {
    std::string all;
    for (const char c : text) {
      if (c == '\\' || c == '"') all += '\\';
      all += c == '\n' ? std::string("\\n") : std::string(1, c);
    }
    return all;
  }

  std::string text_;
};

}  // namespace takt::command
