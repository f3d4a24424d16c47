// The IDL front end after the preprocessor: any text gives a model or diagnostics, in bounded time and stack.
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <streambuf>
#include <string_view>

#include "json_dump.h"
#include "sema/schedule.h"
#include "syntax/parser.h"

namespace {

class Nowhere : public std::streambuf {
  int overflow(int c) override { return c == EOF ? 0 : c; }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt::idl;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Unit unit;
  Diagnostics diagnostics;
  Parser(text, unit, diagnostics).parse();
  Nowhere nowhere;
  std::ostream out(&nowhere);
  diagnostics.print(out, unit.files);
  const auto operations = scheduled_operations(unit, diagnostics);
  (void)takt::scheduling::toml_of(operations);
  to_json(unit);
  for (const Declaration& declaration : unit.declarations) unit.all_operations(declaration);
  return 0;
}
