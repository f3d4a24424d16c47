#include "trace/input.h"

#include <iostream>
#include <utility>

#include "common/changing_file.h"
#include "common/command.h"

namespace takt::command {
namespace {

std::expected<tracing::SpanFile, std::string> read_spans(const std::string& path) {
  const auto file = ChangingFile::open(path);
  if (!file) return std::unexpected(file.error());
  return tracing::read_span_file(
      [&](std::uint64_t offset, std::span<std::uint8_t> to) { return file->read(offset, to); });
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
