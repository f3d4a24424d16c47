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

}  // namespace takt::idl
