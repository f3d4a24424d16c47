#include "common/files.h"

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <system_error>

namespace takt::command {
namespace {

std::string with_reason(const std::string& text, int error) {
  return error == 0 ? text : text + ": " + std::generic_category().message(error);
}

}  // namespace

std::optional<std::string> read_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file) return std::nullopt;
  if (file.peek() != EOF) text << file.rdbuf();  // which fails if there is nothing to copy
  if (file.bad() || !text) return std::nullopt;
  return std::move(text).str();
}

bool write_file(const std::string& path, const std::string& text) {
  errno = 0;
  if (path == "-") return static_cast<bool>(std::cout << text << std::flush);
  std::ofstream file(path, std::ios::binary);
  return static_cast<bool>(file << text << std::flush);
}

OutputFile::OutputFile(const std::string& path) : to_(path == "-" ? &std::cout : &file_) {
  if (path == "-") return;
  errno = 0;
  file_.open(path, std::ios::binary);
  if (!file_) error_ = errno;
}

bool OutputFile::write(const std::string& text) {
  errno = error_;
  return error_ == 0 && static_cast<bool>(*to_ << text << std::flush);
}

std::string cannot_be_read(const std::string& path) {
  const int error = errno;
  return with_reason(path + ": cannot be read", error);
}

std::string cannot_be_written(const std::string& path) {
  const int error = errno;
  return with_reason((path == "-" ? "standard output" : path) + ": cannot be written", error);
}

}  // namespace takt::command
