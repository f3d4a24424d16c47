// A naming service that is killed at any moment has all acknowledged changes after a restart.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "../folder.h"
#include "../kept_port.h"
#include "process.h"
#include "served.h"

namespace feature {
namespace {

constexpr int rounds = 20, writers = 4;

// A client's record of a name that only it writes: the acknowledged state, and the change in progress when
// the service was killed.
struct Written {
  std::string acknowledged, under_way;  // keys of objects; empty: not bound
};

class Writer {
 public:
  Writer(int number, const std::string& address)
      : prefix_("w" + std::to_string(number) + "."), address_(address) {}

  // Changes its own names until the service is gone.
  void write(CORBA::ORB& orb) {
    const auto root = IDL::traits<NamingContext>::unchecked_narrow(orb.string_to_object(address_));
    while (true) {
      const std::string key = "k" + std::to_string(++count_);
      Written& name = names_[prefix_ + std::to_string(count_ % 50)];
      const bool unbinds = !name.acknowledged.empty() && count_ % 3 == 0;
      name.under_way = unbinds ? std::string() : key;
      try {
        if (unbinds)
          root->unbind(name_of(name));
        else
          root->rebind(name_of(name), orb.string_to_object("corbaloc:iiop:1.2@127.0.0.1:9/" + key));
      } catch (const CORBA::SystemException&) {
        return;
      }
      name.acknowledged = name.under_way;
    }
  }
  // Compares the record with the bindings; a change in progress may or may not be present.
  void check(CORBA::ORB& orb, std::uint64_t& checked) {
    const auto root = IDL::traits<NamingContext>::unchecked_narrow(orb.string_to_object(address_));
    for (auto& [text, written] : names_) {
      std::string found;
      try {
        const auto object = root->resolve({{text, ""}});
        for (const std::string& key : {written.acknowledged, written.under_way})
          if (!key.empty() &&
              object->_is_equivalent(orb.string_to_object("corbaloc:iiop:1.2@127.0.0.1:9/" + key)))
            found = key;
        EXPECT_NE(found, "") << text << " leads to what was never bound, or was replaced";
      } catch (const NamingContext::NotFound&) {
      }
      EXPECT_TRUE(found == written.acknowledged || found == written.under_way)
          << text << " is '" << found << "', acknowledged was '" << written.acknowledged << "'";
      written.acknowledged = written.under_way = found;
      ++checked;
    }
  }
  std::uint64_t count() const { return count_; }

 private:
  CosNaming::Name name_of(const Written& name) const {
    for (const auto& [text, written] : names_)
      if (&written == &name) return {{text, ""}};
    return {};
  }

  const std::string prefix_, address_;
  std::map<std::string, Written> names_;
  std::uint64_t count_ = 0;
};

TEST(NamingKilled, HasAllThatItHasAcknowledged) {
  const Folder folder;
  const KeptPort port;
  const std::string address = "corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(port.port()) + "/NameService";
  const std::vector<std::string> command{"naming", "--store", folder / "names.db", "--listen",
                                         "iiop://127.0.0.1:" + std::to_string(port.port())};
  const auto seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::minstd_rand random(seed);
  std::vector<Writer> all;
  for (int i = 0; i < writers; ++i) all.emplace_back(i, address);
  std::uint64_t checked = 0;
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    Process service(TAKT_COMMAND, command);
    ASSERT_NE(service.line(), "") << "the service has not started in round " << round;
    const auto orb = make_orb({"-ORBRoundTripTimeout", "20s"}, "writer");
    for (Writer& each : all) each.check(*orb, checked);
    {
      std::vector<std::jthread> threads;
      for (Writer& each : all) threads.emplace_back([&] { each.write(*orb); });
      std::this_thread::sleep_for(std::chrono::milliseconds(5 + random() % 120));
      service.kill();
    }
    orb->destroy();
  }
  std::uint64_t changes = 0;
  for (const Writer& each : all) changes += each.count();
  std::cout << changes << " changes, " << checked << " names checked after " << rounds << " kills\n";
  EXPECT_GT(changes, 100u);
  EXPECT_GT(checked, 100u);
}

}  // namespace
}  // namespace feature
