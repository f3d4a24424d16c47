// The parts of a C++ source that the rules of `takt port check` look at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace takt::command::port {

struct SourceLine {
  std::string code;                  // without comments; a literal is ""
  std::string include;               // the header that the line includes, without < > or quotes
  std::vector<std::string> strings;  // the string literals that begin in this line, without quotes
};

// Comments may span lines, and so may raw strings; a line that ends in a backslash is a line of its own. Any
// text is accepted.
std::vector<SourceLine> lines_of(std::string_view source);

// The names of a line of code, each with its scopes: "omniORB::setLogFunction". A leading :: is left out.
std::vector<std::string_view> names_in(std::string_view code);

}  // namespace takt::command::port
