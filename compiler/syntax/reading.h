// Reads IDL files whole.
#pragma once

#include <expected>
#include <memory>
#include <string>

#include "model/model.h"
#include "syntax/preprocessor.h"

namespace takt::idl {

// Preprocesses and parses a file. The error is readable text with all diagnostics, ready to print. Must be
// called while the process has only one thread.
std::expected<std::unique_ptr<Unit>, std::string> read_unit(const std::string& file,
                                                            const PreprocessorOptions& options);

// The path of an included file. The preprocessor names it as the #include spells it, so it is looked for
// beside the file `by` and in the include folders; if it is not there, its name is returned as it is.
std::string path_of_included(const std::string& included, const std::string& by,
                             const PreprocessorOptions& options);

}  // namespace takt::idl
