// Expands includes and macros, using the mcpp library.
#pragma once

#include <expected>
#include <string>
#include <vector>

namespace takt::idl {

struct PreprocessorOptions {
  std::vector<std::string> include_folders;  // -I
  std::vector<std::string> definitions;      // -D NAME or NAME=VALUE
  std::vector<std::string> undefinitions;    // -U NAME
};

// The folder with the IDL files that are installed with this program. Empty if the program is not installed.
std::string installed_idl_folder();
// `file`, or, if it is a name without a folder and there is no such file, the path of the installed IDL of
// this name.
std::string own_or_installed_idl(const std::string& file);

// The preprocessed text of `file`, with line markers. Included files are looked for in the file's own folder,
// in the include folders, and then in installed_idl_folder(). The error is readable text, ready to print, and
// ends with a line break. mcpp is old C code with global state, so it runs in a child process with limited
// time and memory, and its faults become errors here. Must be called while the process has only one thread.
std::expected<std::string, std::string> preprocess(const std::string& file,
                                                   const PreprocessorOptions& options);

}  // namespace takt::idl
