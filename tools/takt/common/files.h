// Reads and writes whole files.
#pragma once

#include <fstream>
#include <optional>
#include <ostream>
#include <string>

namespace takt::command {

std::optional<std::string> read_file(const std::string& path);
// Path "-" is standard output.
bool write_file(const std::string& path, const std::string& text);

// A file that is written in pieces, each of which is there when write() returns. Path "-" is standard output.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  // False with errno if the file could not be opened or written.
  bool write(const std::string& text);

 private:
  std::ofstream file_;
  std::ostream* to_;
  int error_ = 0;  // errno of a failed open
};

// The text of an error if one of these has just failed: the path, and the system's reason, which is errno.
std::string cannot_be_read(const std::string& path);
std::string cannot_be_written(const std::string& path);

}  // namespace takt::command
