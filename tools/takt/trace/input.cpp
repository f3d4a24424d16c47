#include "trace/input.h"

#include <utility>

#include "common/command.h"
#include "common/files.h"

namespace takt::command {

Traces read_traces(const std::vector<std::string>& paths) {
  std::vector<tracing::SpanFile> files;
  for (const std::string& path : paths) {
    const auto contents = read_file(path);
    if (!contents) fail(path + ": cannot be read");
    auto file =
        tracing::read_span_file({reinterpret_cast<const std::uint8_t*>(contents->data()), contents->size()});
    if (!file) fail(path + ": " + file.error());
    files.push_back(std::move(*file));
  }
  return join(files);
}

}  // namespace takt::command
