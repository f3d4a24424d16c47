// The C++ back end: generates the files of the IDL to C++11 mapping for an IDL file.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cpp/provided_headers.h"
#include "model/model.h"
#include "schedulability/model/declaration.h"

namespace takt::idl::cpp {

struct Options {
  // Suffixes of the generated files' names. They replace the .idl of the IDL file.
  std::string client_header = "C.h";
  std::string client_source = "C.cpp";
  std::string server_header = "S.h";
  std::string server_source = "S.cpp";
  bool server = true;        // generates skeletons too
  bool interpreted = false;  // makes stubs and skeletons that a shared interpreter runs
  bool views = false;        // passes each parameter that can be a view as a view
  bool tie = false;          // generates tie classes
  bool amh = false;          // generates skeletons of servants that answer later
  bool tasks = false;        // generates skeletons of servants whose methods are coroutines
  bool own_types = false;    // generates the OMG types that headers of the runtime have, for these headers
  // Generated files keep the folders of their IDL files below the include folder that they are in.
  bool keep_folders = false;
  bool keep_included_folders = false;  // only the names of included files have folders
  std::vector<std::string> include_folders = {};
  std::vector<ProvidedHeader> provided_headers = {};  // used by the classic mapping alone
  // The scheduling declarations of the main file's operations. If there are any, they become foo_schedule.h.
  std::vector<scheduling::Declaration> schedule = {};
};

struct GeneratedFile {
  std::string name;  // without a folder, unless folders are kept
  std::string text;
};

// "path/foo.idl" and "C.h" give "fooC.h".
std::string generated_name(const std::string& idl_file, const std::string& suffix);
// The same, but "below/fooC.h" for "include/below/foo.idl" if `options` keep folders and "include" is an
// include folder. A relative path in no include folder is kept whole, unless it leaves its folder.
std::string generated_name(const std::string& idl_file, const std::string& suffix, const Options& options);

// The files for IDL whose declarations a library has, such as IDL that describes the ORB (describes_orb()):
// they declare nothing, and include its headers.
std::vector<GeneratedFile> files_of_library(const std::string& idl_file, const Options& options,
                                            const std::string& client_header,
                                            const std::string& server_header);

// Generates the files for the declarations of the unit's main file. Runs gperf once per interface with
// operations, and blocks until it ends. The error is readable text.
std::expected<std::vector<GeneratedFile>, std::string> generate(const Unit& unit, const Options& options);

}  // namespace takt::idl::cpp
