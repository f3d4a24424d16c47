#include "calls.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "samples.h"
#include "types/operation_types.h"

namespace takt::idl::diff {

namespace {

using Interfaces = std::vector<const Declaration*>;

Interfaces remote_interfaces(const Specification& specification) {
  Interfaces all;
  for (const Declaration* one : specification.declarations())
    if (one->kind == DeclarationKind::interface_ && !one->is_local) all.push_back(one);
  return all;
}

// The ids for which _is_a() is true.
std::set<std::string> ids_of(const Declaration& interface) {
  std::set<std::string> ids{interface.repository_id};
  for (const Declaration* base : interface.bases) ids.merge(ids_of(*base));
  return ids;
}

const Declaration* with_id(const Interfaces& interfaces, const std::string& id) {
  const auto found = std::ranges::find(interfaces, id, &Declaration::repository_id);
  return found == interfaces.end() ? nullptr : *found;
}

// A new version that only adds interfaces does not make a client call them where they are not served.
bool only_adds(const Side& client, const Side& server) {
  const Interfaces known = remote_interfaces(client.specification);
  return std::ranges::all_of(remote_interfaces(server.specification), [&](const Declaration* one) {
    return with_id(known, one->repository_id) != nullptr;
  });
}

bool arrive(const Types& sent, const Types& expected) {
  for (std::uint32_t variant = 0; variant < sample_count; ++variant) {
    const Written written = write_samples(sent, variant);
    const auto read = read_samples(expected, written.octets);
    if (!read || !means_the_same(written.sample, *read)) return false;
  }
  return true;
}

std::string exception_failure(const OperationTypes& client, const OperationTypes& server) {
  for (const auto& raised : server.exceptions) {
    const auto known =
        std::ranges::find_if(client.exceptions, [&](const auto& one) { return one->id() == raised->id(); });
    if (known == client.exceptions.end()) return "UNKNOWN for " + raised->id();
    if (!arrive({raised}, {*known})) return "the members of " + raised->id();
  }
  return {};
}

std::string call_failure(const OperationTypes& client, const Side& server) {
  const auto served = std::ranges::find_if(server.operations, [&](const OperationTypes& one) {
    return one.interface_id == client.interface_id && one.name == client.name;
  });
  if (served == server.operations.end()) return "BAD_OPERATION for " + client.name;
  if (!arrive(client.arguments, served->arguments)) return "the request of " + client.name;
  if (!arrive(served->results, client.results)) return "the reply of " + client.name;
  return exception_failure(client, *served);
}

Specification read(const std::string& file) {
  auto specification = Specification::read({file}, {});
  if (!specification) throw std::runtime_error(specification.error());
  return std::move(*specification);
}

std::vector<OperationTypes> operations_in(const std::string& file) {
  auto operations = command::operation_types_in({file}, {});
  if (!operations) throw std::runtime_error(operations.error());
  return std::move(*operations);
}

}  // namespace

Side::Side(const std::string& file) : specification(read(file)), operations(operations_in(file)) {}

std::string failure(const Side& client, const Side& server, bool client_is_new) {
  const Interfaces served = remote_interfaces(server.specification);
  const bool adds = client_is_new && only_adds(client, server);
  for (const Declaration* interface : remote_interfaces(client.specification)) {
    const Declaration* const same = with_id(served, interface->repository_id);
    if (!same && adds) continue;
    if (!same) return "no objects with " + interface->repository_id;
    const auto admitted = ids_of(*same);
    for (const std::string& id : ids_of(*interface))
      if (!admitted.contains(id)) return "_is_a() denies " + id;
    for (const OperationTypes& operation : client.operations)
      if (operation.interface_id == interface->repository_id)
        if (const std::string wrong = call_failure(operation, server); !wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace takt::idl::diff
