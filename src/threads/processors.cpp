#include "threads/processors.h"

#include <sched.h>

#include <cerrno>
#include <charconv>
#include <optional>

namespace takt::os {
namespace {

static_assert(Processors().size() == CPU_SETSIZE);

// Removes the number at the start of the text, and returns it.
std::optional<std::size_t> leading_processor(std::string_view& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number >= Processors().size()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// Parses "2" or "0-3".
bool add_range(std::string_view text, Processors& processors) {
  const auto first = leading_processor(text);
  auto last = first;
  if (first && text.starts_with('-')) {
    text.remove_prefix(1);
    last = leading_processor(text);
  }
  if (!first || !last || *last < *first || !text.empty()) return false;
  for (std::size_t each = *first; each <= *last; ++each) processors.set(each);
  return true;
}

}  // namespace

std::expected<Processors, std::string> processors_from_text(std::string_view text) {
  Processors processors;
  for (bool more = true; more;) {
    const auto comma = text.find(',');
    if (!add_range(text.substr(0, comma), processors))
      return std::unexpected(std::string("'")
                                 .append(text.substr(0, comma))
                                 .append("' is not a processor or a range of processors, as in 0,2-3"));
    more = comma != std::string_view::npos;
    text.remove_prefix(more ? comma + 1 : 0);
  }
  return processors;
}

std::string to_text(const Processors& processors) {
  std::string text;
  for (std::size_t first = 0; first < processors.size(); ++first) {
    if (!processors.test(first)) continue;
    std::size_t last = first;
    while (last + 1 < processors.size() && processors.test(last + 1)) ++last;
    text.append(text.empty() ? "" : ",").append(std::to_string(first));
    if (last > first) text.append("-").append(std::to_string(last));
    first = last;
  }
  return text;
}

Processors present_processors() noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  Processors processors;
  if (::sched_getaffinity(0, sizeof set, &set) == 0)
    for (std::size_t each = 0; each < processors.size(); ++each)
      processors.set(each, CPU_ISSET(each, &set) != 0);
  return processors;
}

int run_on(const Processors& processors) noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (std::size_t each = 0; each < processors.size(); ++each)
    if (processors.test(each)) CPU_SET(each, &set);
  return ::sched_setaffinity(0, sizeof set, &set) == 0 ? 0 : errno;
}

}  // namespace takt::os
