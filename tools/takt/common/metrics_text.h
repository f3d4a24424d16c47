// Metrics in Prometheus's text format, version 0.0.4.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "cdr/text/utf.h"

namespace takt::command {

// The text within a label's quotes. Octets that are no UTF-8, for which Prometheus would refuse the whole
// page, become U+FFFD.
inline std::string label_value(std::string_view text) {
  constexpr char32_t ill_formed = 0xffffffff;
  std::string all;
  while (!text.empty()) {
    const std::string_view whole = text;
    const char32_t character = cdr::next_utf_8(text);
    if (character == '\\' || character == '"') all += '\\';
    if (character == '\n')
      all += "\\n";
    else if (character == ill_formed)
      all += "\xef\xbf\xbd";
    else
      all += whole.substr(0, whole.size() - text.size());
  }
  return all;
}

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
    return std::string(",") + name + "=\"" + label_value(value) + "\"";
  }
  std::string text() { return std::move(text_); }

 private:
  void add(const char* name, std::string_view target, const std::string& labels, const std::string& value) {
    text_.append(name).append("{target=\"").append(label_value(target)).append("\"").append(labels);
    text_.append("} ").append(value).append("\n");
  }
  std::string text_;
};

}  // namespace takt::command
