// Includes and macros, by the mcpp library.
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

// The preprocessed text of `file`, with line markers. The error is for people, ready to print, and ends with
// a line break. mcpp is old C with global state, so it runs in a child process of bounded time and memory:
// what upsets it costs an error here and nothing else. Call it while the process has one thread.
std::expected<std::string, std::string> preprocess(const std::string& file,
                                                   const PreprocessorOptions& options);

}  // namespace takt::idl
