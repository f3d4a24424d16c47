#include "imr/place/ticket.h"

#include <charconv>

namespace takt::imr {
namespace {

// Takes the text up to the next space.
std::string_view take_word(std::string_view& text) {
  const auto end = text.find(' ');
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return word;
}

}  // namespace

bool equal_secretly(const std::string& one, const std::string& other) {
  if (one.size() != other.size()) return false;
  unsigned char difference = 0;
  for (std::size_t i = 0; i < one.size(); ++i)
    difference = static_cast<unsigned char>(difference | (one[i] ^ other[i]));
  return difference == 0;
}

std::string text_of(const Ticket& ticket) {
  return "1 " + ticket.server + ' ' + ticket.token + ' ' + std::to_string(ticket.start) + ' ' +
         ticket.repository;
}

std::optional<Ticket> ticket_in(std::string_view text) {
  if (take_word(text) != "1") return std::nullopt;
  Ticket ticket;
  ticket.server = take_word(text);
  ticket.token = take_word(text);
  const std::string_view start = take_word(text);
  const auto [end, failed] = std::from_chars(start.data(), start.data() + start.size(), ticket.start);
  ticket.repository = text;
  const bool complete = failed == std::errc() && end == start.data() + start.size() &&
                        !ticket.server.empty() && !ticket.token.empty() && !ticket.repository.empty();
  return complete ? std::optional(std::move(ticket)) : std::nullopt;
}

}  // namespace takt::imr
