// The data with which a process takes a server's place, in one text: the environment variable
// TAKT_IMR_TICKET.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace takt::imr {

struct Ticket {
  std::string server, token;
  std::uint64_t start = 0;
  std::string repository;  // references of the repository's object, with spaces between them, best first
};

// Compares tokens. Takes the same time for all texts of a length.
bool equal_secretly(const std::string& one, const std::string& other);

std::string text_of(const Ticket& ticket);
std::optional<Ticket> ticket_in(std::string_view text);

}  // namespace takt::imr
