#include "scenario/ledger.h"

#include "machine/finding.h"

namespace takt::sim {

namespace {

std::vector<std::uint8_t> pattern(std::uint32_t start, std::size_t octets) {
  std::vector<std::uint8_t> all(octets);
  std::uint32_t state = start * 2654435761u + 12345;
  for (std::uint8_t& octet : all) {
    state = state * 1664525u + 1013904223u;
    octet = static_cast<std::uint8_t>(state >> 24);
  }
  return all;
}

[[noreturn]] void contradiction(std::size_t call, const std::string& what) {
  report_finding("call " + std::to_string(call) + " " + what);
}

}  // namespace

std::vector<std::uint8_t> Ledger::argument(std::uint32_t call, std::size_t octets) {
  return pattern(2 * call, octets);
}
std::vector<std::uint8_t> Ledger::result(std::uint32_t call, std::size_t octets) {
  return pattern(2 * call + 1, octets);
}

void Ledger::run(std::uint32_t call) {
  trace("upcall", call);
  if (call >= entries_.size()) contradiction(call, "was run, and nobody made it");
  Entry& entry = entries_[call];
  if (++entry.runs > 1) contradiction(call, "was run twice");
  if (entry.told == Told::not_run) contradiction(call, "was run after its caller was told COMPLETED_NO");
}

void Ledger::end(std::uint32_t call, Told told) {
  trace("call ended as", static_cast<std::uint64_t>(told));
  Entry& entry = entries_[call];
  if (entry.told != Told::nothing) contradiction(call, "ended twice");
  entry.told = told;
  if (told == Told::result && entry.runs != 1) contradiction(call, "has a result, and was not run");
  if (told == Told::not_run && entry.runs != 0)
    contradiction(call, "was run, and its caller is told COMPLETED_NO");
}

void Ledger::check(bool all_well, bool oneways_lost, bool no_doubt) const {
  for (std::size_t call = 0; call < entries_.size(); ++call) {
    const Entry& entry = entries_[call];
    if (entry.told == Told::nothing) contradiction(call, "has not ended");
    if (no_doubt && entry.told == Told::maybe_run)
      contradiction(call, "is in doubt, though the server ended in good order");
    if (!all_well) continue;
    if (entry.told != Told::result && entry.told != Told::sent)
      contradiction(call, "failed, though nothing went wrong");
    if (entry.told == Told::sent && oneways_lost) continue;
    if (entry.runs != 1) contradiction(call, "was not run, though nothing went wrong");
  }
}

}  // namespace takt::sim
