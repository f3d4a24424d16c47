#include "syntax/reading.h"

#include <sstream>
#include <utility>

#include "model/diagnostics.h"
#include "syntax/parser.h"

namespace takt::idl {

std::expected<std::unique_ptr<Unit>, std::string> read_unit(const std::string& file,
                                                            const PreprocessorOptions& options) {
  auto text = preprocess(file, options);
  if (!text) return std::unexpected(std::move(text.error()));
  auto unit = std::make_unique<Unit>();
  unit->files.push_back({file, true});
  Diagnostics diagnostics;
  Parser(*text, *unit, diagnostics).parse();
  if (!diagnostics.failed()) return unit;
  std::ostringstream said;
  diagnostics.print(said, unit->files);
  return std::unexpected(said.str());
}

}  // namespace takt::idl
