// Captures standard error while this object exists.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>

namespace feature {

// Captures the descriptor, because a log's thread writes to it. Read it when the expected lines have been
// written: after destroy(), shutdown(true) or the log's flush().
class Caught {
 public:
  Caught() : file_(std::tmpfile()), before_(::dup(STDERR_FILENO)) {
    std::fflush(stderr);
    ::dup2(::fileno(file_), STDERR_FILENO);
  }
  ~Caught() {
    std::fflush(stderr);
    ::dup2(before_, STDERR_FILENO);
    ::close(before_);
    std::fclose(file_);
  }
  Caught(const Caught&) = delete;
  Caught& operator=(const Caught&) = delete;

  std::string text() const {
    std::string all;
    char piece[4096];
    ssize_t size = 0;
    while ((size = ::pread(::fileno(file_), piece, sizeof piece, static_cast<off_t>(all.size()))) > 0)
      all.append(piece, static_cast<std::size_t>(size));
    return all;
  }
  bool has(const std::string& part) const { return text().find(part) != std::string::npos; }
  std::size_t lines() const {
    const std::string all = text();
    return static_cast<std::size_t>(std::ranges::count(all, '\n'));
  }

 private:
  std::FILE* const file_;
  const int before_;
};

}  // namespace feature
