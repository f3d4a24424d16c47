// Arguments, results and exceptions of recorded calls as JSON.
#pragma once

#include <string>

#include "common/output.h"
#include "record/passing_calls.h"
#include "types/catalogue.h"

namespace takt::command {

// By the types of IDL. Text is taken for UTF-8 and UTF-16, whatever the connection has agreed on.
class Contents {
 public:
  // Takes the operations of that interface only; empty: those of the first one that has the operation's name.
  Contents(Catalogue catalogue, std::string interface);

  // For a request, its arguments by name. For a reply the result; with out and inout parameters {"result":
  // ..., "out": {NAME: ...}}; for exceptions {"exception": ID, "members": {...}}, or with a system
  // exception's minor code and completion. Null: nothing is known of it. A text says why the octets do not
  // fit the types.
  Json of(const PassingCall& call) const;

 private:
  const Operation* find(const std::string& operation) const;

  const Catalogue catalogue_;
  const std::string interface_;
};

}  // namespace takt::command
