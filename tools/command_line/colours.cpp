#include "colours.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace takt::command_line {

bool shows_colours(int descriptor) {
  const char* const unwanted = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  if ((unwanted && *unwanted) || (terminal && std::string_view(terminal) == "dumb")) return false;
  return ::isatty(descriptor) == 1;
}

void print_error(const std::string& command, std::string text) {
  const auto controls = [](unsigned char c) { return (c < ' ' && c != '\n' && c != '\t') || c == 0x7f; };
  std::ranges::replace_if(text, controls, '?');
  std::cerr << painted(command + ":", Colour::red, shows_colours(2)) << ' ' << text << '\n';
}

std::string painted(std::string_view word, Colour colour, bool coloured) {
  if (!coloured) return std::string(word);
  constexpr std::string_view codes[] = {"31", "33", "32", "36"};
  return "\x1b[1;" + std::string(codes[static_cast<int>(colour)]) + "m" + std::string(word) + "\x1b[0m";
}

}  // namespace takt::command_line
