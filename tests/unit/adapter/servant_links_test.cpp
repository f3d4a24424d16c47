// The objects that each servant incarnates, after any order of activation and deactivation, in several
// adapters of two ORBs.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "adapters.h"

namespace takt::adapter {

using namespace PortableServer;

struct Incarnations : testing::Test {
  struct Place {
    explicit Place(Adapters& in, const std::string& name)
        : orb(in),
          poa(in.child(name, {in.root->create_id_uniqueness_policy(IdUniquenessPolicyValue::MULTIPLE_ID)})),
          core(in.core->adapter.tree().find_child(in.core->adapter.tree().root(), name, false)) {}
    bool has(const Servant& servant) {
      std::lock_guard lock(orb.core->adapter.table().mutex);
      const ActiveObject* found = ServantLinks::find(servant, *core);
      EXPECT_TRUE(!found || (found->poa == core.get() && found->servant.get() == &servant));
      return found != nullptr;
    }

    Adapters& orb;
    CORBA::object_reference<POA> poa;
    std::shared_ptr<PoaCore> core;
    std::vector<std::pair<std::size_t, ObjectId>> objects;  // servant's index
  };

  std::size_t count(const Place& place, std::size_t servant) const {
    return static_cast<std::size_t>(
        std::ranges::count(place.objects, servant, &std::pair<std::size_t, ObjectId>::first));
  }
  void expect_found() {
    for (std::size_t i = 0; i < servants.size(); ++i) {
      const auto any = ServantLinks::any_poa(*servants[i]);
      std::size_t all = 0;
      for (Place& place : places) {
        const std::size_t here = count(place, i);
        all += here;
        ASSERT_EQ(place.has(*servants[i]), here != 0);
        ASSERT_TRUE(any != place.core || here != 0);
      }
      ASSERT_EQ(any != nullptr, all != 0);
      ASSERT_EQ(servants[i].shared().use_count(), static_cast<long>(all) + 1);
    }
  }

  Adapters first, second;
  std::array<Place, 4> places{Place(first, "a"), Place(first, "b"), Place(first, "c"), Place(second, "a")};
  std::array<CORBA::servant_reference<NumberServant>, 3> servants{number_servant(0), number_servant(1),
                                                                  number_servant(2)};
};

TEST_F(Incarnations, AreKnownInEachAdapter) {
  std::mt19937 random(1);
  for (int step = 0; step < 4000; ++step) {
    Place& place = places[random() % places.size()];
    // Alternates between phases in which objects mostly are activated or mostly deactivated.
    if (random() % 3 < (step / 200 % 2 == 0 ? 2u : 1u)) {
      const std::size_t servant = random() % servants.size();
      place.objects.emplace_back(servant, place.poa->activate_object(servants[servant]));
    } else if (!place.objects.empty()) {
      const auto gone = place.objects.begin() + static_cast<std::ptrdiff_t>(random() % place.objects.size());
      place.poa->deactivate_object(gone->second);
      place.objects.erase(gone);
    }
    ASSERT_NO_FATAL_FAILURE(expect_found()) << "step " << step;
  }
}

TEST_F(Incarnations, AreGoneWithTheirAdapter) {
  for (Place& place : places)
    for (std::size_t i = 0; i < 30; ++i)
      place.objects.emplace_back(i % 3, place.poa->activate_object(servants[i % 3]));
  for (Place& place : places) {
    place.poa->destroy(true, true);
    place.objects.clear();
    expect_found();
  }
}

TEST_F(Incarnations, OneThatIsClosingDoesNotCount) {
  Place& place = places[1];
  const auto elsewhere = places[0].poa->activate_object(servants[0]);
  const auto id = place.poa->activate_object(servants[0]);
  {
    ObjectTable& table = place.core->tree.table;
    const Entered inside(table, table.enter(*place.core, id));
    place.poa->deactivate_object(id);
    EXPECT_FALSE(place.has(*servants[0]));
    const auto other = place.poa->activate_object(servants[0]);
    EXPECT_TRUE(place.has(*servants[0]));
    place.poa->deactivate_object(other);
    EXPECT_FALSE(place.has(*servants[0]));
  }
  EXPECT_TRUE(places[0].has(*servants[0]));
  places[0].poa->deactivate_object(elsewhere);
  EXPECT_EQ(ServantLinks::any_poa(*servants[0]), nullptr);
}

}  // namespace takt::adapter
