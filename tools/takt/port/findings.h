// Finds by the rules in one file all that concerns the ORB.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "port/rules.h"

namespace takt::command::port {

struct Finding {
  std::string file;
  std::size_t line;  // from 1
  std::string what;
  Verdict verdict;
  std::string advice;  // empty if there is none
};

enum class FileKind {
  source,    // C++: headers, names, literals, options in them
  build,     // libraries, packages, compilers of IDL and their options
  settings,  // omniORB.cfg and svc.conf: each setting is an option
  idl,
  text,  // scripts and others: only options of the ORB
  other,
};
// By the file's name.
FileKind kind_of(std::string_view filename);

using Findings = std::vector<Finding>;

void check_source(const std::string& file, std::string_view text, Findings& findings);
void check_build(const std::string& file, std::string_view text, Findings& findings);
void check_settings(const std::string& file, std::string_view text, Findings& findings);
// Options of the ORB that the text gives, -ORBendPoint.
void check_text(const std::string& file, std::string_view text, Findings& findings);
// Reads the file as takt-idl does. Call it while the process has one thread only. Blocks for the
// preprocessor.
void check_idl(const std::string& file, const std::vector<std::string>& include_folders, Findings& findings);

}  // namespace takt::command::port
