// Values of members, parameters and operations that IDL marks @secret are neither in recordings nor in logs.
#include <condition_variable>
#include <mutex>
#include <thread>

#include <takt/orb/asynchronous.h>

#include "recorded.h"
#include "secretsS.h"

namespace feature::secrets {
namespace {

constexpr const char* hidden = "HIDDEN-VALUE";
constexpr const char* open_value = "OPEN-VALUE";

Secrets::Card card() { return Secrets::Card("holder", hidden); }

class Bank final : public CORBA::servant_traits<Secrets::Bank>::base_type {
 public:
  Secrets::Cards pay(const Secrets::Cards& some) override { return some; }
  void log_in(const std::string&, const std::string& password) override { EXPECT_EQ(password, hidden); }
  void check(const std::string&) override { throw Secrets::Wrong(hidden); }
  Secrets::Token issue() override { return hidden; }
  void keep(IDL::traits<Secrets::Base>::ref_type value) override { EXPECT_TRUE(value); }
  std::string whisper(const std::string& text) override { return text; }
  std::string pin() override { return hidden; }
  void pin(const std::string& text) override { EXPECT_EQ(text, hidden); }
  Secrets::Cards all() override { return Secrets::Cards(large, card()); }
  std::int32_t level() override { return 7; }
  void level(std::int32_t) override {}
  std::string plain(const std::string& text) override { return text; }

  static inline std::size_t large = 3;
};

class Key final : public virtual IDL::traits<Secrets::Derived>::obv_type {
 public:
  Key() = default;
  Key(std::int32_t x, std::string key) {
    this->x(x);
    this->key(std::move(key));
  }
};

class Parcel final : public virtual IDL::traits<Secrets::Parcel>::obv_type {
 public:
  Parcel() = default;
  explicit Parcel(std::string key) {
    this->x(1);
    this->key(std::move(key));
  }
};

class Store final : public CORBA::servant_traits<ValuesOfOthers::Store>::base_type {
 public:
  void hold(IDL::traits<ValuesOfOthers::Base>::ref_type value) override { EXPECT_TRUE(value); }
  void seal(IDL::traits<ValuesOfOthers::Sealed>::ref_type value) override { EXPECT_TRUE(value); }
  void put(CORBA::valuetype_reference<CORBA::ValueBase> value) override { EXPECT_TRUE(value); }
  IDL::traits<ValuesOfOthers::Base>::ref_type give() override {
    return CORBA::make_reference<Parcel>(hidden);
  }
};

class Teller final : public CORBA::servant_traits<Secrets::Teller>::base_type {
 public:
  std::string code() override { return hidden; }
  void inspect() override { throw Secrets::Wrong(hidden); }
};

// Calls come from the client, which has the replies.
class Handler final : public CORBA::servant_traits<Secrets::AMI_TellerHandler>::base_type {
 public:
  using Holder = IDL::traits<Messaging::ExceptionHolder>::ref_type;
  void get_code(const std::string& value) override {
    EXPECT_EQ(value, hidden);
    add();
  }
  void inspect_excep(Holder holder) override {
    EXPECT_THROW(holder->raise_exception(), Secrets::Wrong);
    add();
  }
  void get_code_excep(Holder) override { ADD_FAILURE(); }
  void inspect() override { ADD_FAILURE(); }
  bool has(int calls) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return calls_ == calls; });
  }

 private:
  void add() {
    const std::lock_guard lock(mutex_);
    ++calls_;
    changed_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  int calls_ = 0;
};

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string in_hexadecimal(const std::string& text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string hex;
  for (const unsigned char c : text) hex += {digits[c >> 4], digits[c & 15]};
  return hex;
}

void call_all(const IDL::traits<Secrets::Bank>::ref_type& bank) {
  EXPECT_EQ(bank->pay({card(), card()}).size(), 2u);
  bank->log_in("name", hidden);
  EXPECT_THROW(bank->check("text"), Secrets::Wrong);
  EXPECT_EQ(bank->issue(), hidden);
  bank->keep(CORBA::make_reference<Key>(1, hidden));
  EXPECT_EQ(bank->whisper(hidden), hidden);
  bank->pin(hidden);
  EXPECT_EQ(bank->pin(), hidden);
  EXPECT_EQ(bank->all().size(), Bank::large);
  EXPECT_EQ(bank->plain(open_value), open_value);
  EXPECT_EQ(bank->level(), 7);
}

class SecretValues : public testing::TestWithParam<Options> {};

TEST_P(SecretValues, AreNotRecorded) {
  const Folder logs;
  Options options = GetParam();
  options.insert(options.end(), {"-ORBLogLevel", "trace", "-ORBLogFile", logs / "log"});
  Bank::large = 3;
  {
    const Recorded orbs(OrbPair::loopback, options, options);
    const auto bank = orbs.publish<Secrets::Bank>(CORBA::make_reference<Bank>());
    for (const Orb& orb : {orbs.client, orbs.server})
      orb->register_value_factory(Secrets::Derived::_repository_id(),
                                  CORBA::make_reference<Secrets::Derived_init>());
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int j = 0; j < 5; ++j) call_all(bank);
      });
    for (auto& thread : threads) thread.join();
    Bank::large = 20'000;
    EXPECT_EQ(bank->all().size(), 20'000u);
    (void)orbs.of_server();
    for (const char* const end : {"server", "client"}) {
      const std::string recording = content_of(orbs / end);
      EXPECT_EQ(recording.find(hidden), std::string::npos) << end;
      EXPECT_NE(recording.find(open_value), std::string::npos) << end << ": of calls without secrets";
      EXPECT_NE(recording.find("log_in"), std::string::npos) << end;
    }
  }
  const std::string log = content_of(logs / "log");
  EXPECT_NE(log.find("message-sent"), std::string::npos);
  for (const std::string& form : {std::string(hidden), in_hexadecimal(hidden)})
    EXPECT_EQ(log.find(form), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(By, SecretValues,
                         testing::Values(Options{}, Options{"-ORBClientConnections", "multiplexed"},
                                         Options{"-ORBClientConnections", "multiplexed-active"},
                                         Options{"-ORBServerConcurrency", "leader-followers"},
                                         Options{"-ORBServerConcurrency", "worker-pool"},
                                         Options{"-ORBFragmentSize", "256"},
                                         Options{"-ORBMessaging", "giop-lite"},
                                         Options{"-ORBCompression", "on", "-ORBCompressionThreshold", "256"}),
                         [](const auto& info) { return "options" + std::to_string(info.index); });

class OtherSecretValues : public testing::Test {
 protected:
  ~OtherSecretValues() override {
    EXPECT_EQ(orbs.echo->cube(2), 8);
    (void)orbs.of_server();
    for (const char* const end : {"server", "client"}) {
      const std::string recording = content_of(orbs / end);
      EXPECT_EQ(recording.find(hidden), std::string::npos) << end;
      EXPECT_NE(recording.find("cube"), std::string::npos) << end;
    }
  }
  const Recorded orbs;
};

TEST_F(OtherSecretValues, OfReplyHandlersAreNotRecorded) {
  const auto teller = orbs.publish<Secrets::Teller>(CORBA::make_reference<Teller>());
  const auto servant = CORBA::make_reference<Handler>();
  const auto handler = orbs.publish<Secrets::AMI_TellerHandler>(servant);
  teller->sendc_get_code(handler);
  EXPECT_TRUE(servant->has(1));
  teller->sendc_inspect(handler);
  EXPECT_TRUE(servant->has(2));
}

TEST_F(OtherSecretValues, InArgumentsThatAnotherFileDeclaresAreNotRecorded) {
  const auto store = orbs.publish<ValuesOfOthers::Store>(CORBA::make_reference<Store>());
  for (const Orb& orb : {orbs.client, orbs.server})
    orb->register_value_factory(Secrets::Parcel::_repository_id(),
                                CORBA::make_reference<Secrets::Parcel_init>());
  const auto parcel = CORBA::make_reference<Parcel>(hidden);
  store->hold(parcel);
  store->seal(parcel);
  store->put(parcel);
  EXPECT_TRUE(store->give());
}

// Several replies may be on their way, and some never come.
TEST(SecretValuesOfManyCalls, AreNotRecorded) {
  const Recorded orbs(OrbPair::loopback, {}, {"-ORBRoundTripTimeout", "1ms"});
  const auto bank = orbs.publish<Secrets::Bank>(CORBA::make_reference<Bank>());
  Bank::large = 2000;
  for (int i = 0; i < 100; ++i) {
    try {
      (void)bank->all();
    } catch (const CORBA::SystemException&) {
      continue;
    }
  }
  for (const char* const end : {"server", "client"})
    EXPECT_EQ(content_of(orbs / end).find(hidden), std::string::npos) << end;
}

}  // namespace
}  // namespace feature::secrets
