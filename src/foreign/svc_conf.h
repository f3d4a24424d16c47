// Directives of ACE's Service Configurator.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace takt::orb::others {

struct Directive {
  std::size_t line;             // counts from 1
  std::string_view what;        // static, dynamic, suspend, resume, remove or stream
  std::string_view service;     // "Resource_Factory"
  std::string_view parameters;  // the text in quotes; empty if there is none
  std::size_t parameters_line;
};

struct Malformed {
  std::size_t line;
  std::string text;
};

// The views are of `text`.
std::expected<std::vector<Directive>, Malformed> directives_in(std::string_view text);

// The words of a directive's parameters, without quotes.
std::vector<std::string> words_in(std::string_view parameters);

}  // namespace takt::orb::others
