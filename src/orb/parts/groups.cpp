#include "groups/groups.h"

#include "orb/parts/parts.h"

void takt::add_groups(Parts& chosen) {
  chosen.add_groups = [](client::Client& client, server::Server& server,
                         const transport::miop::GroupOptions& options,
                         std::function<void()> begin_thread) -> std::shared_ptr<server::GroupMembership> {
    auto groups = std::make_shared<groups::Groups>(client, server, options, std::move(begin_thread));
    client.connection_overrides.insert(client.connection_overrides.begin(), groups.get());
    client.references.options.groups = true;
    server.groups = groups.get();
    return groups;
  };
}
