// The C++ back end: the files of the IDL to C++11 mapping for what an IDL file declares.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "model/model.h"
#include "scheduling/model/declaration.h"

namespace takt::idl::cpp {

struct Options {
  // What follows the IDL file's name, without its .idl, in the names of the generated files.
  std::string client_header = "C.h";
  std::string client_source = "C.cpp";
  std::string server_header = "S.h";
  std::string server_source = "S.cpp";
  bool server = true;  // skeletons as well
  bool views = false;  // every parameter that can be a view is one
  // What the main file's operations declare; if there is something, it becomes foo_schedule.h.
  std::vector<scheduling::Declaration> schedule = {};
};

struct GeneratedFile {
  std::string name;  // without a folder
  std::string text;
};

// "path/foo.idl" and "C.h" give "fooC.h".
std::string generated_name(const std::string& idl_file, const std::string& suffix);

// The files for what the unit's main file declares. Runs gperf for each interface with operations. The error
// is for people.
std::expected<std::vector<GeneratedFile>, std::string> generate(const Unit& unit, const Options& options);

}  // namespace takt::idl::cpp
