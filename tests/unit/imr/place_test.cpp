// A process with a place in a repository, and those who call its object: this process has both ends.
#include "imr/place/place_in_repository.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <latch>
#include <string>
#include <vector>

#include <takt/corba.h>

#include "Takt_ActivationS.h"
#include "imr/place/ticket.h"

namespace takt::imr {
namespace {

using Takt::Activation::Life;
using Takt::Activation::Repository;
using OrbRef = CORBA::object_reference<CORBA::ORB>;

// Knows one server, and keeps its object.
class RepositoryOfOne final : public virtual CORBA::servant_traits<Repository>::base_type {
 public:
  Takt::Activation::ServerList list() override { return {}; }
  Takt::Activation::ServerList list_after(const std::string&) override { return {}; }
  Takt::Activation::Server status(const std::string&) override { return {}; }
  CORBA::object_reference<CORBA::Object> take_place(const std::string&, const std::string&) override {
    return _this();
  }
  void is_running(const std::string&, const std::string&, std::uint64_t, std::int32_t, const std::string&,
                  CORBA::object_reference<Life> process) override {
    life = process;
  }
  void is_ending(const std::string&, const std::string&, std::uint64_t, std::int32_t) override {
    if (hang) hang->wait();
  }

  CORBA::object_reference<Life> life;
  std::latch* hang = nullptr;  // the end of the time for which is_ending() hangs
};

OrbRef orb_named(const char* name, std::vector<std::string> options = {}) {
  std::vector<char*> words;
  for (std::string& each : options) words.push_back(each.data());
  words.push_back(nullptr);
  auto count = static_cast<int>(options.size());
  const OrbRef orb = CORBA::ORB_init(count, words.data(), name);
  IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"))
      ->the_POAManager()
      ->activate();
  return orb;
}

TEST(Place, EndsTheProcessForTheRepositoryAlone) {
  const OrbRef of_repository = orb_named("repository"), of_server = orb_named("server");
  const auto repository = CORBA::make_reference<RepositoryOfOne>();
  const auto root =
      IDL::traits<PortableServer::POA>::narrow(of_repository->resolve_initial_references("RootPOA"));
  const auto object = root->id_to_reference(root->activate_object(repository));
  std::atomic<int> ends{0};
  {
    const auto place = PlaceInRepository::take(
        of_server, {.ticket = text_of(Ticket{"one", "secret", 0, of_repository->object_to_string(object)}),
                    .end = [&] { ++ends; }});
    place->is_running();
    ASSERT_TRUE(repository->life);
    for (const char* const guess : {"", "secreT", "secret1"}) repository->life->shutdown(guess);
    repository->life->ping();  // on the same connection, so after them
    EXPECT_EQ(ends, 0) << "any client of the server could have called that";
    repository->life->shutdown("secret");
    repository->life->ping();
    EXPECT_EQ(ends, 1);
    repository->life = nullptr;
  }
  of_server->destroy();
  of_repository->destroy();
}

TEST(Place, IsLeftThoughTheRepositoryHangs) {
  using namespace std::chrono_literals;
  const OrbRef of_repository = orb_named("hanging repository");
  const OrbRef of_server = orb_named("patient server", {"test", "-ORBRoundTripTimeout", "0"});
  const auto repository = CORBA::make_reference<RepositoryOfOne>();
  const auto root =
      IDL::traits<PortableServer::POA>::narrow(of_repository->resolve_initial_references("RootPOA"));
  const auto object = root->id_to_reference(root->activate_object(repository));
  std::latch hang(1);
  repository->hang = &hang;
  auto place = PlaceInRepository::take(
      of_server, {.ticket = text_of(Ticket{"one", "secret", 0, of_repository->object_to_string(object)}),
                  .end = [] {},
                  .end_timeout = 100ms});
  place->is_running();
  auto left = std::async(std::launch::async, [&place] { place.reset(); });
  EXPECT_EQ(left.wait_for(20s), std::future_status::ready) << "a server waits for a repository that hangs";
  hang.count_down();
  left.get();
  repository->life = nullptr;
  of_server->destroy();
  of_repository->destroy();
}

}  // namespace
}  // namespace takt::imr
