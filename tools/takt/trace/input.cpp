#include "trace/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <iostream>
#include <utility>

#include "common/command.h"
#include "os/shared_memory/shared_region.h"

namespace takt::command {
namespace {

// Without a buffer, because the processes may write meanwhile. Does not wait, because the file may be a
// pipe that another user has put there.
std::expected<tracing::SpanFile, std::string> read_spans(const std::string& path) {
  const os::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  struct stat status = {};
  if (!file.is_open() || fstat(file.fd(), &status) != 0) return std::unexpected("it cannot be read");
  if (!S_ISREG(status.st_mode)) return std::unexpected("it is not a regular file");
  return tracing::read_span_file([&](std::uint64_t offset, std::span<std::uint8_t> to) {
    return pread(file.fd(), to.data(), to.size(), static_cast<off_t>(offset)) ==
           static_cast<ssize_t>(to.size());
  });
}

}  // namespace

Traces read_traces(const std::vector<std::string>& paths) {
  std::vector<tracing::SpanFile> files;
  std::string failures;
  for (const std::string& path : paths) {
    auto file = read_spans(path);
    if (file)
      files.push_back(std::move(*file));
    else
      failures += (failures.empty() ? "" : "\n") + path + ": " + file.error();
  }
  if (files.empty()) fail(failures);
  if (!failures.empty()) std::cerr << "left out: " << failures << '\n';
  return join(files);
}

}  // namespace takt::command
