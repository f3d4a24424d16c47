// file: URIs (RFC 8089).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace takt::command::lsp {

std::string uri_of(const std::filesystem::path& path);
// Nullopt for other schemes, hosts, and wrong escapes.
std::optional<std::filesystem::path> path_of(std::string_view uri);

}  // namespace takt::command::lsp
