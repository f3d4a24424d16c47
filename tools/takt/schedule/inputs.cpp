#include "schedule/inputs.h"

#include <utility>
#include <vector>

#include "common/files.h"
#include "schedule/toml.h"
#include "scheduling/service/store.h"

namespace takt::command {
namespace {

using Declarations = std::vector<scheduling::Declaration>;

// Reads a store of `takt schedule serve`.
std::expected<Declarations, std::string> stored(const std::string& file) {
  const auto store = scheduling::Store::open(file);
  if (!store) return std::unexpected(store.error());
  const auto repository = store->read();
  if (!repository) return std::unexpected(file + ": " + repository.error());
  return scheduling::declarations_of(*repository, file);
}

}  // namespace

std::expected<scheduling::DeclaredOperations, std::string> operations_in(std::span<const std::string> files) {
  std::vector<Declarations> all;
  scheduling::DeclaredSystem system;
  for (const std::string& file : files) {
    const auto text = read_file(file);
    if (!text) return std::unexpected(cannot_be_read(file));
    if (scheduling::Store::is_one(*text)) {
      auto declarations = stored(file);
      if (!declarations) return std::unexpected(std::move(declarations.error()));
      all.push_back(std::move(*declarations));
      continue;
    }
    auto schedule = schedule_in(*text, file);
    if (!schedule)
      return std::unexpected(schedule.error() +
                             (file.ends_with(".idl")
                                  ? "; this is IDL: `takt-idl --schedule` turns its annotations "
                                    "into a file of TOML, NAME.schedule.toml"
                                  : ""));
    all.push_back(std::move(schedule->declarations));
    const auto& [chains, reservations] = schedule->system;
    system.chains.insert(system.chains.end(), chains.begin(), chains.end());
    system.reservations.insert(system.reservations.end(), reservations.begin(), reservations.end());
  }
  auto complete = scheduling::complete(all, system);
  if (complete && complete->repository.infos().empty())  // every deadline of none would be met
    return std::unexpected((files.empty() ? std::string() : files.front() + ": ") +
                           "there is no operation; a configuration run registers those of an application");
  return complete;
}

}  // namespace takt::command
