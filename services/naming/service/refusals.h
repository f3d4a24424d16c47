// The exceptions for changes that were not made.
#pragma once

#include "CosNamingC.h"
#include "naming/store/changes.h"

namespace takt::naming {

[[noreturn]] void throw_no_context();
// The tree is too old to answer from, because the store cannot be reached.
[[noreturn]] void throw_out_of_date();
// `rest`: the name from the failed component on.
[[noreturn]] void throw_failure(const Changes::Failure& failure, const CosNaming::Name& rest);

}  // namespace takt::naming
