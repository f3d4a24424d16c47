// kill -9 of the service at random moments: no event that it has acknowledged is lost, and no change of an
// object. TAKT_NOTIFY_KILLS says how often it is killed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "../folder.h"
#include "../kept_port.h"
#include "process.h"
#include "served.h"

namespace feature {
namespace {

using CosNotification::Persistent;

constexpr int suppliers = 6, batch = 20;

int kills() {
  const char* given = std::getenv("TAKT_NOTIFY_KILLS");
  return given ? std::atoi(given) : 12;
}

// The numbers that a consumer has got, and how often. Thread-safe.
class Tally {
 public:
  void add(std::int32_t number) {
    const std::lock_guard lock(mutex_);
    repeated_ += ++counts_[number] > 1;
  }
  bool has(const std::set<std::int32_t>& numbers) const {
    const std::lock_guard lock(mutex_);
    return std::ranges::all_of(numbers, [this](std::int32_t each) { return counts_.contains(each); });
  }
  std::size_t missing(const std::set<std::int32_t>& numbers) const {
    const std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(
        std::ranges::count_if(numbers, [this](std::int32_t each) { return !counts_.contains(each); }));
  }
  std::size_t repeated() const {
    const std::lock_guard lock(mutex_);
    return repeated_;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::int32_t, int> counts_;
  std::size_t repeated_ = 0;
};

class TallyingConsumer final
    : public virtual CORBA::servant_traits<CosNotifyComm::StructuredPushConsumer>::base_type,
      public Tally {
 public:
  void push_structured_event(const StructuredEvent& event) override { add(number_in(event)); }
  void disconnect_structured_push_consumer() override { ++disconnects; }
  void offer_change(const Types&, const Types&) override {}
  std::atomic<int> disconnects{0};
};

// Suppliers of all rounds, and the numbers that were acknowledged.
class Suppliers {
 public:
  // Push single events and batches until the service is gone.
  void run(CORBA::ORB& orb, const std::string& single, const std::string& sequence, int supplier) {
    const auto one =
        IDL::traits<admin::StructuredProxyPushConsumer>::unchecked_narrow(orb.string_to_object(single));
    const auto many =
        IDL::traits<admin::SequenceProxyPushConsumer>::unchecked_narrow(orb.string_to_object(sequence));
    try {
      while (true) {
        std::vector<std::int32_t> numbers;
        CosNotification::EventBatch events;
        for (int i = 0; i < (supplier % 2 ? batch : 1); ++i) {
          numbers.push_back(++last_);
          events.push_back(alarm(numbers.back()));
        }
        if (supplier % 2)
          many->push_structured_events(events);
        else
          one->push_structured_event(events.front());
        const std::lock_guard lock(mutex_);
        acknowledged_.insert(numbers.begin(), numbers.end());
      }
    } catch (const CORBA::SystemException&) {
    }
  }
  const std::set<std::int32_t>& acknowledged() const { return acknowledged_; }

 private:
  std::atomic<std::int32_t> last_{0};
  std::mutex mutex_;
  std::set<std::int32_t> acknowledged_;
};

// Changes a property and a filter of an administrator: the values that were acknowledged, and those that were
// under way when the service was killed.
struct Changes {
  std::int32_t acknowledged = 0, under_way = 0;
  std::size_t constraints = 0, constraints_under_way = 0;

  void run(CORBA::ORB& orb, const std::string& administrator, const std::string& filter) {
    const auto of = IDL::traits<admin::ConsumerAdmin>::unchecked_narrow(orb.string_to_object(administrator));
    const auto changed = IDL::traits<CosNotifyFilter::Filter>::unchecked_narrow(orb.string_to_object(filter));
    try {
      while (true) {
        under_way = acknowledged % 10'000 + 1;
        of->set_qos({property("MaximumBatchSize", under_way)});
        acknowledged = under_way;
        constraints_under_way = constraints < 500 ? constraints + 1 : 0;
        if (constraints_under_way == 0)
          changed->remove_all_constraints();
        else
          changed->add_constraints({{{}, "$number == " + std::to_string(constraints)}});
        constraints = constraints_under_way;
      }
    } catch (const CORBA::SystemException&) {
    }
  }
  void check(CORBA::ORB& orb, const std::string& administrator, const std::string& filter) {
    const auto of = IDL::traits<admin::ConsumerAdmin>::unchecked_narrow(orb.string_to_object(administrator));
    std::int32_t found = 0;
    for (const auto& each : of->get_qos())
      if (each.name() == "MaximumBatchSize") each.value() >>= found;
    if (under_way > 0) {
      EXPECT_TRUE(found == acknowledged || found == under_way) << found << ' ' << under_way;
    }
    const auto count = IDL::traits<CosNotifyFilter::Filter>::unchecked_narrow(orb.string_to_object(filter))
                           ->get_all_constraints()
                           .size();
    EXPECT_TRUE(count == constraints || count == constraints_under_way) << count << ' ' << constraints;
    acknowledged = found;
    constraints = count;
  }
};

class NotifyKilled : public ::testing::Test {
 protected:
  NotifyKilled() : own_(make_orb({"-ORBListenEndpoints", OrbPair::loopback}, "clients")) {
    root_poa(own_)->the_POAManager()->activate();
  }
  ~NotifyKilled() override { own_->destroy(); }

  std::unique_ptr<Process> start() const {
    auto service = std::make_unique<Process>(
        TAKT_COMMAND,
        std::vector<std::string>{"notify", "serve", "--store", folder_ / "notify.db", "--channel", "kept",
                                 "--listen", port_.endpoint(), "--max-queued-events", "1000000"});
    EXPECT_NE(service->line(), "") << "the service has not started";
    return service;
  }
  Ref<CORBA::Object> at(CORBA::ORB& orb, const std::string& key) const {
    return orb.string_to_object("corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(port_.port()) + '/' + key);
  }
  // Makes the objects of the first round.
  void make(CORBA::ORB& orb) {
    const auto channel = IDL::traits<admin::EventChannel>::narrow(at(orb, "kept"));
    admin::ProxyID id = 0;
    const auto consumers = channel->default_consumer_admin();
    const auto reference = root_poa(own_)->id_to_reference(root_poa(own_)->activate_object(consumer_));
    IDL::traits<admin::StructuredProxyPushSupplier>::narrow(
        consumers->obtain_notification_push_supplier(admin::ClientType::STRUCTURED_EVENT, id))
        ->connect_structured_push_consumer(
            IDL::traits<CosNotifyComm::StructuredPushConsumer>::unchecked_narrow(
                orb.string_to_object(own_->object_to_string(reference))));
    const auto pulls = IDL::traits<admin::SequenceProxyPullSupplier>::narrow(
        consumers->obtain_notification_pull_supplier(admin::ClientType::SEQUENCE_EVENT, id));
    pulls->connect_sequence_pull_consumer(nullptr);
    pulls_ = orb.object_to_string(pulls);
    const auto from = channel->default_supplier_admin();
    const auto single = IDL::traits<admin::StructuredProxyPushConsumer>::narrow(
        from->obtain_notification_push_consumer(admin::ClientType::STRUCTURED_EVENT, id));
    single->connect_structured_push_supplier(nullptr);
    single_ = orb.object_to_string(single);
    const auto sequence = IDL::traits<admin::SequenceProxyPushConsumer>::narrow(
        from->obtain_notification_push_consumer(admin::ClientType::SEQUENCE_EVENT, id));
    sequence->connect_sequence_push_supplier(nullptr);
    sequence_ = orb.object_to_string(sequence);
    const auto administrator = channel->new_for_consumers(admin::InterFilterGroupOperator::AND_OP, id);
    const auto filter = channel->default_filter_factory()->create_filter("ETCL");
    administrator->add_filter(filter);
    administrator_ = orb.object_to_string(administrator);
    filter_ = orb.object_to_string(filter);
  }
  // Takes all events that wait.
  void pull(CORBA::ORB& orb) {
    const auto pulls =
        IDL::traits<admin::SequenceProxyPullSupplier>::unchecked_narrow(orb.string_to_object(pulls_));
    bool has_event = true;
    while (has_event)
      for (const auto& event : pulls->try_pull_structured_events(500, has_event))
        pulled_.add(number_in(event));
  }
  // All that happens until the service is killed.
  void load(CORBA::ORB& orb, Process& service, int milliseconds) {
    std::vector<std::jthread> threads;
    for (int i = 0; i < suppliers; ++i)
      threads.emplace_back([this, &orb, i] { pushed_.run(orb, single_, sequence_, i); });
    threads.emplace_back([&] { changes_.run(orb, administrator_, filter_); });
    threads.emplace_back([&] {
      try {
        while (true) pull(orb);
      } catch (const CORBA::SystemException&) {
      }
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    service.kill();
  }

  const Folder folder_;
  const KeptPort port_;
  const Orb own_;
  const CORBA::servant_reference<TallyingConsumer> consumer_ = CORBA::make_reference<TallyingConsumer>();
  Tally pulled_;
  Suppliers pushed_;
  Changes changes_;
  std::string pulls_, single_, sequence_, administrator_, filter_;
};

TEST_F(NotifyKilled, DeliversAllThatItHasAcknowledged) {
  const auto seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::minstd_rand random(seed);
  const int rounds = kills();
  for (int round = 0; round <= rounds && !HasFailure(); ++round) {
    const auto service = start();
    const auto orb = make_orb({"-ORBRoundTripTimeout", "20s"}, "suppliers");
    if (round == 0)
      make(*orb);
    else
      changes_.check(*orb, administrator_, filter_);
    if (round == rounds || round % 20 == 0) {  // the others run with what the earlier ones have left
      EXPECT_TRUE(eventually([&] {
        pull(*orb);
        return pulled_.has(pushed_.acknowledged()) && consumer_->has(pushed_.acknowledged());
      })) << "round "
          << round << ": " << consumer_->missing(pushed_.acknowledged()) << " were not pushed and "
          << pulled_.missing(pushed_.acknowledged()) << " not pulled";
    }
    if (round < rounds) load(*orb, *service, static_cast<int>(5 + random() % 150));
    orb->destroy();
  }
  EXPECT_EQ(consumer_->disconnects, 0);
  EXPECT_GT(pushed_.acknowledged().size(), 100u);
  std::cout << pushed_.acknowledged().size() << " events acknowledged and none lost after " << rounds
            << " kills; " << consumer_->repeated() << " were pushed twice, " << pulled_.repeated()
            << " pulled twice\n";
}

}  // namespace
}  // namespace feature
