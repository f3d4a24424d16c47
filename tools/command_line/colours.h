// Colours of words in a terminal.
#pragma once

#include <string>
#include <string_view>

namespace takt::command_line {

enum class Colour { red, yellow, green, cyan };

// Whether the descriptor is a terminal, and the environment has neither NO_COLOR nor
// TERM=dumb.
bool shows_colours(int descriptor);

// Writes the error text of a program or command to standard error, the name in red. What could control the
// terminal is replaced by question marks.
void print_error(const std::string& command, std::string text);

// The word, with the terminal's sequences around it if `coloured`.
std::string painted(std::string_view word, Colour colour, bool coloured);

}  // namespace takt::command_line
