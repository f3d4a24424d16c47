#include "trace/input.h"

#include <cstdio>
#include <memory>
#include <utility>

#include "common/command.h"

namespace takt::command {
namespace {

// Without a buffer, because the processes may write meanwhile.
std::expected<tracing::SpanFile, std::string> read_spans(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return std::unexpected("it cannot be read");
  std::setvbuf(file.get(), nullptr, _IONBF, 0);
  return tracing::read_span_file([&](std::uint64_t offset, std::span<std::uint8_t> to) {
    return std::fseek(file.get(), static_cast<long>(offset), SEEK_SET) == 0 &&
           std::fread(to.data(), 1, to.size(), file.get()) == to.size();
  });
}

}  // namespace

Traces read_traces(const std::vector<std::string>& paths) {
  std::vector<tracing::SpanFile> files;
  for (const std::string& path : paths) {
    auto file = read_spans(path);
    if (!file) fail(path + ": " + file.error());
    files.push_back(std::move(*file));
  }
  return join(files);
}

}  // namespace takt::command
