// Parses IDL text for tests.
#pragma once

#include <sstream>
#include <string>

#include "syntax/parser.h"

namespace takt::idl {

struct Parsed {
  explicit Parsed(const std::string& source) : text(source) { Parser(text, unit, diagnostics).parse(); }

  std::string said() const {
    std::ostringstream out;
    diagnostics.print(out, unit.files);
    return out.str();
  }
  // The declaration with the name at global scope; null if there is none.
  const Declaration* find(const std::string& name) const {
    for (const Declaration* declaration : unit.root.contents)
      if (declaration->name == name) return declaration;
    return nullptr;
  }

  std::string text;
  Unit unit;
  Diagnostics diagnostics;
};

}  // namespace takt::idl
