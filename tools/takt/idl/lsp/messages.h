// JSON-RPC messages with Content-Length headers, as the Language Server Protocol has them.
#pragma once

#include <istream>
#include <optional>
#include <ostream>
#include <string>

#include <nlohmann/json.hpp>

namespace takt::command::lsp {

constexpr std::size_t most_message_octets = 64 << 20;

// The content of the next message; nullopt at the end of the input, or for headers that cannot be read, after
// which the next message cannot be found.
std::optional<std::string> read_message(std::istream& in);
// A discarded value if the content is not JSON, or nested in more than 100 levels.
nlohmann::json parsed(const std::string& content);
void write_message(std::ostream& out, const nlohmann::json& message);

}  // namespace takt::command::lsp
