// Writes SVG and escapes text for HTML.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace takt::scheduling {

// Names may come from an untrusted source.
inline std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  return result;
}

// A drawing 960 wide whose height grows with its content.
class Svg {
 public:
  static constexpr double width = 960;

  void rectangle(double x, double y, double wide, double high, std::string_view type,
                 std::string_view title = "") {
    body_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", wide) +
             attribute("height", high) + named(type) + ">" + titled(title) + "</rect>\n";
    reach(y + high);
  }
  void line(double x1, double y1, double x2, double y2, std::string_view type, std::string_view title = "") {
    body_ += "<line" + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) + attribute("y2", y2) +
             named(type) + ">" + titled(title) + "</line>\n";
    reach(y1 > y2 ? y1 : y2);
  }
  void text(double x, double y, std::string_view words, std::string_view type = "") {
    body_ +=
        "<text" + attribute("x", x) + attribute("y", y) + named(type) + ">" + escaped(words) + "</text>\n";
    reach(y + 4);
  }
  void path(std::string_view d, std::string_view type, std::string_view title = "") {
    body_ += "<path d=\"" + std::string(d) + "\"" + named(type) + ">" + titled(title) + "</path>\n";
  }

  std::string done(std::string_view label) const {
    return "<div class=\"chart\"><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 " +
           number(height_ + 8) + "\" role=\"img\" aria-label=\"" + escaped(label) + "\">\n" + body_ +
           "</svg></div>\n";
  }

  static std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", value);
    return text;
  }

 private:
  static std::string attribute(const char* name, double value) {
    return std::string(" ") + name + "=\"" + number(value) + "\"";
  }
  static std::string named(std::string_view type) {
    return type.empty() ? "" : " class=\"" + std::string(type) + "\"";
  }
  static std::string titled(std::string_view title) {
    return title.empty() ? "" : "<title>" + escaped(title) + "</title>";
  }
  void reach(double y) { height_ = y > height_ ? y : height_; }

  std::string body_;
  double height_ = 0;
};

}  // namespace takt::scheduling
