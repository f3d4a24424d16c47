// Answers about one document.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "idl/lsp/analysis.h"

namespace takt::command::lsp {

using Json = nlohmann::json;

Json json_of(Position position);
Json range_of(const Text& text, std::size_t line, std::size_t octet, std::size_t length);

// Errors and warnings, each with its notes. `uri_of` makes the URI of a path.
Json diagnostics_of(const Analysis& analysis,
                    const std::function<std::string(const std::filesystem::path&)>& uri_of);

// Markdown: what the name stands for, its repository id, and its C++ types.
std::string description_of(const idl::Unit& unit, const idl::Declaration& declaration);

// Names that may stand at the position.
Json completions_at(const Analysis& analysis, const Text& present, Position position);

// The declarations of the document, as a tree.
Json symbols_of(const Analysis& analysis);

}  // namespace takt::command::lsp
