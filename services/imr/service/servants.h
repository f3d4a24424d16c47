// The repository as CORBA objects: one for everyone, one for its owner.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "Takt_ActivationS.h"
#include "imr/service/keeper.h"
#include "imr/service/locator.h"

namespace takt::imr {

// The reference of a server's object with that key.
using Refer =
    std::function<CORBA::object_reference<CORBA::Object>(const std::string& server, const std::string& key)>;

class RepositoryServant final
    : public virtual CORBA::servant_traits<Takt::Activation::Repository>::base_type {
 public:
  RepositoryServant(Keeper& keeper, Destinations& destinations, Refer refer, CORBA::ORB& orb)
      : keeper_(keeper), destinations_(destinations), refer_(std::move(refer)), orb_(orb) {}

  Takt::Activation::ServerList list() override;
  Takt::Activation::ServerList list_after(const std::string& server) override;
  Takt::Activation::Server status(const std::string& server) override;
  CORBA::object_reference<CORBA::Object> take_place(const std::string& server,
                                                    const std::string& token) override;
  void is_running(const std::string& server, const std::string& token, std::uint64_t start, std::int32_t pid,
                  const std::string& machine,
                  CORBA::object_reference<Takt::Activation::Life> process) override;
  void is_ending(const std::string& server, const std::string& token, std::uint64_t start,
                 std::int32_t pid) override;

 private:
  Takt::Activation::Server server_of(const ServerState& state);
  Takt::Activation::Process process_of(const Process& process);

  Keeper& keeper_;
  Destinations& destinations_;
  const Refer refer_;
  CORBA::ORB& orb_;
};

// Serves only processes of the repository's own user and of the superuser, over a UNIX-domain socket.
class OwnerServant final : public virtual CORBA::servant_traits<Takt::Activation::Owner>::base_type {
 public:
  using Ticket = std::function<std::string(const std::string& server)>;
  using Listed = std::function<void(const std::string& server, bool is_there)>;
  // `listed`: called when a server was added or removed.
  OwnerServant(Keeper& keeper, Refer refer, Ticket ticket, Listed listed)
      : keeper_(keeper), refer_(std::move(refer)), ticket_(std::move(ticket)), listed_(std::move(listed)) {}

  void add(const Takt::Activation::Definition& server) override;
  void change(const Takt::Activation::Definition& server) override;
  void remove(const std::string& server) override;
  void start(const std::string& server) override;
  void stop(const std::string& server) override;
  Takt::Activation::Definition describe(const std::string& server) override;
  std::string ticket(const std::string& server) override;
  CORBA::object_reference<CORBA::Object> reference(const std::string& server,
                                                   const std::string& key) override;

 private:
  Keeper& keeper_;
  const Refer refer_;
  const Ticket ticket_;
  const Listed listed_;
};

}  // namespace takt::imr
