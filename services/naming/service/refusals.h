// What clients are told when a change is not made.
#pragma once

#include "CosNamingC.h"
#include "naming/store/committer.h"

namespace takt::naming {

[[noreturn]] void throw_no_context();
// `rest`: the name from the component on that the change was about.
[[noreturn]] void throw_failure(const Committer::Failure& failure, const CosNaming::Name& rest);

}  // namespace takt::naming
