// The exceptions for changes that were not made.
#pragma once

#include "CosNamingC.h"
#include "naming/store/committer.h"

namespace takt::naming {

[[noreturn]] void throw_no_context();
// `rest`: the name from the failed component on.
[[noreturn]] void throw_failure(const Committer::Failure& failure, const CosNaming::Name& rest);

}  // namespace takt::naming
