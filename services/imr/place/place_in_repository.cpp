#include "imr/place/place_in_repository.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <utility>

#include <takt/corba.h>
#include <takt/reference/forwarded_objects.h>
#include <takt/reference/messaging.h>

#include "Takt_ActivationS.h"
#include "imr/place/ticket.h"
#include "imr/process/identity.h"

namespace takt::imr {
namespace {

using Takt::Activation::Life;
using Takt::Activation::Refused;
using Takt::Activation::Repository;

class LifeServant final : public virtual CORBA::servant_traits<Life>::base_type {
 public:
  LifeServant(std::string token, std::function<void()> end)
      : token_(std::move(token)), end_(std::move(end)) {}
  void ping() override {}
  void shutdown(const std::string& token) override {
    if (equal_secretly(token, token_)) end_();
  }

 private:
  const std::string token_;
  const std::function<void()> end_;
};

// Takes the server's place in the first repository object of the ticket that can be reached and takes it: on
// another machine, another repository may have a socket with that path.
CORBA::object_reference<CORBA::Object> take_place(CORBA::ORB& orb, const Ticket& ticket,
                                                  CORBA::object_reference<Repository>& repository) {
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = ticket.repository.find(' ', begin);
    try {
      repository = IDL::traits<Repository>::unchecked_narrow(
          orb.string_to_object(ticket.repository.substr(begin, end - begin)));
      return repository->take_place(ticket.server, ticket.token);
    } catch (const CORBA::Exception&) {
      if (end == std::string::npos) throw;
    }
    begin = end + 1;
  }
}

// The repository, which has this time for each call.
CORBA::object_reference<Repository> within(const CORBA::object_reference<Repository>& repository,
                                           std::chrono::milliseconds time) {
  using Unit = std::chrono::duration<TimeBase::TimeT, std::ratio<1, 10'000'000>>;
  return IDL::traits<Repository>::unchecked_narrow(repository->_set_policy_overrides(
      {IDL::traits<Messaging::RelativeRoundtripTimeoutPolicy>::make_reference(
          std::chrono::duration_cast<Unit>(time).count())},
      CORBA::SetOverrideType::ADD_OVERRIDE));
}

[[noreturn]] void fail(const std::string& text) {
  throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO, "implementation repository: " + text);
}

}  // namespace

struct PlaceInRepository::Made {
  CORBA::object_reference<CORBA::ORB> orb;
  Ticket ticket;
  CORBA::object_reference<Repository> repository;
  std::function<void()> end;
  std::chrono::milliseconds end_timeout{};
  std::atomic<bool> running{false};

  void tell_end() {
    if (running.exchange(false))
      within(repository, end_timeout)->is_ending(ticket.server, ticket.token, ticket.start, getpid());
  }
  // The repository asks for it.
  void shut_down() {
    try {
      tell_end();
    } catch (const CORBA::Exception&) {  // the repository notices the end of the process
    }
    end();
  }
};

PlaceInRepository::PlaceInRepository(std::shared_ptr<Made> parts) : parts_(std::move(parts)) {}

std::unique_ptr<PlaceInRepository> PlaceInRepository::take(CORBA::object_reference<CORBA::ORB> orb) {
  return take(std::move(orb), Options());
}

std::unique_ptr<PlaceInRepository> PlaceInRepository::take(CORBA::object_reference<CORBA::ORB> orb,
                                                           Options options) {
  if (options.ticket.empty())
    if (const char* given = std::getenv("TAKT_IMR_TICKET")) options.ticket = given;
  if (options.ticket.empty()) return std::unique_ptr<PlaceInRepository>(new PlaceInRepository(nullptr));
  auto ticket = ticket_in(options.ticket);
  if (!ticket) fail("TAKT_IMR_TICKET is not what `takt imr ticket NAME` prints");
  auto made = std::make_shared<Made>();
  made->orb = std::move(orb);
  made->ticket = std::move(*ticket);
  made->end_timeout = options.end_timeout;
  made->end =
      options.end ? std::move(options.end) : [weak = CORBA::weak_object_reference<CORBA::ORB>(made->orb)] {
        if (const auto living = weak.lock()) living->shutdown(false);
      };
  try {
    ForwardedObjects::lead_to(take_place(*made->orb, made->ticket, made->repository));
  } catch (const Refused& refused) {
    fail(refused.why());
  }
  return std::unique_ptr<PlaceInRepository>(new PlaceInRepository(std::move(made)));
}

PlaceInRepository::~PlaceInRepository() {
  try {
    is_ending();
  } catch (...) {
  }
}

bool PlaceInRepository::is_taken() const { return parts_ != nullptr; }

void PlaceInRepository::is_running() {
  if (!parts_) return;
  const auto root =
      IDL::traits<PortableServer::POA>::narrow(parts_->orb->resolve_initial_references("RootPOA"));
  const auto servant =
      CORBA::make_reference<LifeServant>(parts_->ticket.token, [weak = std::weak_ptr<Made>(parts_)] {
        if (const auto made = weak.lock()) made->shut_down();
      });
  const auto life =
      IDL::traits<Life>::unchecked_narrow(root->id_to_reference(root->activate_object(servant)));
  const Ticket& ticket = parts_->ticket;
  try {
    parts_->repository->is_running(ticket.server, ticket.token, ticket.start, getpid(), machine_identity(),
                                   life);
  } catch (const Refused& refused) {
    fail(refused.why());
  }
  parts_->running = true;
}

void PlaceInRepository::is_ending() {
  if (parts_) parts_->tell_end();
}

}  // namespace takt::imr
