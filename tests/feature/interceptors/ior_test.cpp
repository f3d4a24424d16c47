// Interceptors of references: components, points, states of adapters and their managers.
#include <algorithm>
#include <atomic>
#include <thread>

#include "probes.h"

namespace feature::iors {
namespace {

using IorInfoRef = IDL::traits<PI::IORInfo>::ref_type;
using Point = std::function<void(const IorInfoRef&)>;
constexpr IOP::ComponentId tag = 0x54414b54, other_tag = 0x54414b55;
constexpr CORBA::PolicyType factory_type = 0x7001, no_type = 0x7777;

class IorProbe final : public IDL::traits<PI::IORInterceptor_3_0>::base_type {
 public:
  IorProbe(std::string name, Trace& trace) : name_(std::move(name)), trace_(trace) {}
  std::string name() override { return name_; }
  void destroy() override { trace_.add(name_ + ".destroy"); }
  void establish_components(Info info) override {
    trace_.add(name_ + ".establish");
    if (establish) establish(info);
  }
  void components_established(Info info) override {
    trace_.add(name_ + ".established");
    if (established) established(info);
  }
  void adapter_manager_state_changed(PI::AdapterManagerId id, PI::AdapterState state) override {
    trace_.add(name_ + ".manager " + std::to_string(id) + " " + std::to_string(state));
    if (changed) changed();
  }
  void adapter_state_changed(const PI::ObjectReferenceTemplateSeq& templates,
                             PI::AdapterState state) override {
    for (const auto& one : templates) {
      trace_.add(name_ + "." + one->adapter_name().back() + " " + std::to_string(state));
      ended.push_back(one);
    }
    if (changed) changed();
  }

  Point establish, established;
  std::function<void()> changed;
  PI::ObjectReferenceTemplateSeq ended;

 private:
  const std::string name_;
  Trace& trace_;
};

// One that has only the points of CORBA 2.3.
class OldProbe final : public IDL::traits<PI::IORInterceptor>::base_type {
 public:
  explicit OldProbe(Trace& trace) : trace_(trace) {}
  std::string name() override { return "old"; }
  void destroy() override {}
  void establish_components(Info info) override {
    trace_.add("old.establish");
    info->add_ior_component({tag, {'o', 'l', 'd'}});
  }

 private:
  Trace& trace_;
};

class LevelPolicy final : public virtual CORBA::Policy, public virtual CORBA::LocalObject {
 public:
  static inline std::atomic<int> alive = 0;
  LevelPolicy() { ++alive; }
  ~LevelPolicy() override { --alive; }
  CORBA::PolicyType policy_type() override { return factory_type; }
  CORBA::object_reference<CORBA::Policy> copy() override { return CORBA::make_reference<LevelPolicy>(); }
};
class LevelPolicies final : public IDL::traits<PI::PolicyFactory>::base_type {
 public:
  CORBA::object_reference<CORBA::Policy> create_policy(CORBA::PolicyType, const CORBA::Any&) override {
    return CORBA::make_reference<LevelPolicy>();
  }
};

// The server's ORB has the interceptors A and B; the client's calls are recorded by the last one.
class Iors : public WithInitializers {
 protected:
  Iors() {
    Initializing::present().pre = [this](const InitInfoRef& info) {
      if (info->orb_id().starts_with("client")) {
        info->add_client_request_interceptor(calls);
        return;
      }
      if (before) before(info);
      info->add_ior_interceptor(a);
      info->add_ior_interceptor(b);
    };
    calls->on = [this](const std::string& point, const ClientInfoRef& info) {
      if (point != "send_request") return;
      seen.clear();
      for (const IOP::ComponentId one : {tag, other_tag}) try {
          for (const auto& component : info->get_effective_components(one))
            seen.emplace_back(component.component_data().begin(), component.component_data().end());
        } catch (const CORBA::BAD_PARAM&) {
        }
    };
  }
  static Point adds(IOP::ComponentId id, std::vector<std::uint8_t> octets) {
    return [=](const IorInfoRef& info) { info->add_ior_component({id, octets}); };
  }

  Trace trace, ignored;
  CORBA::object_reference<IorProbe> a = CORBA::make_reference<IorProbe>("A", trace),
                                    b = CORBA::make_reference<IorProbe>("B", trace);
  CORBA::object_reference<ClientProbe> calls = CORBA::make_reference<ClientProbe>("calls", ignored);
  std::function<void(const InitInfoRef&)> before;
  Words seen;  // components in the reference of the last call
};

TEST_F(Iors, AddComponentsThatClientsSee) {
  a->establish = adds(tag, {'x'});
  b->establish = [](const IorInfoRef& info) {
    info->add_ior_component({tag, {}});
    info->add_ior_component_to_profile({other_tag, {'p'}}, IOP::TAG_INTERNET_IOP);
    EXPECT_EQ(outcome_of([&] { info->add_ior_component_to_profile({tag, {}}, 0x7777); }), "BAD_PARAM 29");
    EXPECT_EQ(
        outcome_of([&] { info->add_ior_component_to_profile({tag, {}}, IOP::TAG_MULTIPLE_COMPONENTS); }),
        "BAD_PARAM 29");
  };
  const OrbPair orbs;
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(seen, (Words{"x", "", "p"}));
  EXPECT_EQ(echo->itself()->cube(2), 8);  // made by _this() in the upcall
  EXPECT_EQ(seen, (Words{"x", "", "p"}));
  const auto named = orbs.root->create_reference("IDL:Calls/Echo:1.0");
  seen.clear();
  EXPECT_EQ(outcome_of([&] { orbs.seen_by_client<CORBA::Object>(named)->_non_existent(); }), "ok");
  EXPECT_EQ(seen, (Words{"x", "", "p"}));
}

TEST_F(Iors, LeaveReferencesThatTheirOwnAdapterKnows) {
  a->establish = adds(tag, {'x'});
  const OrbPair orbs;
  const auto servant = CORBA::make_reference<EchoServant>();
  const auto id = orbs.root->activate_object(servant);
  const auto local = orbs.root->id_to_reference(id);
  EXPECT_EQ(orbs.root->reference_to_id(local), id);
  EXPECT_TRUE(local->_is_equivalent(orbs.root->servant_to_reference(servant)));
  EXPECT_EQ(IDL::traits<Calls::Echo>::narrow(local)->cube(3), 27);
  EXPECT_EQ(orbs.server->object_to_string(local),
            orbs.server->object_to_string(orbs.root->id_to_reference(id)));
}

TEST_F(Iors, RunForEachAdapterOnceInTheOrderOfRegistration) {
  const OrbPair orbs;
  EXPECT_EQ(trace.take().front(), "A.establish");
  orbs.root->create_POA("one", orbs.root->the_POAManager(), {});
  EXPECT_EQ(trace.take(), (Words{"A.establish", "B.establish", "A.established", "B.established"}));
  EXPECT_THROW(orbs.root->create_POA("one", nullptr, {}), PortableServer::POA::AdapterAlreadyExists);
  orbs.root->find_POA("one", false);
  EXPECT_EQ(trace.take(), Words());
}

TEST_F(Iors, OfTheFirstVersionHaveNoOtherPoints) {
  before = [this](const InitInfoRef& info) {
    info->add_ior_interceptor(CORBA::make_reference<OldProbe>(trace));
  };
  const OrbPair orbs;
  EXPECT_EQ(Words({trace.take().front()}), (Words{"old.establish"}));
  const auto echo = orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>());
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_EQ(seen, (Words{"old"}));
}

TEST_F(Iors, TellThePoliciesOfTheAdapter) {
  before = [](const InitInfoRef& info) {
    info->register_policy_factory(factory_type, CORBA::make_reference<LevelPolicies>());
  };
  const OrbPair orbs;
  const auto level = orbs.server->create_policy(factory_type, CORBA::Any());
  bool asked = false;
  a->establish = [&](const IorInfoRef& info) {
    asked = true;
    EXPECT_TRUE(info->get_effective_policy(factory_type) == level);
    const auto lifespan = IDL::traits<PortableServer::LifespanPolicy>::narrow(
        info->get_effective_policy(PortableServer::LIFESPAN_POLICY_ID));
    ASSERT_TRUE(lifespan);
    EXPECT_EQ(lifespan->value(), PortableServer::LifespanPolicyValue::PERSISTENT);
    for (CORBA::PolicyType type = PortableServer::THREAD_POLICY_ID;
         type <= PortableServer::REQUEST_PROCESSING_POLICY_ID; ++type)
      EXPECT_EQ(info->get_effective_policy(type)->policy_type(), type);
    EXPECT_FALSE(info->get_effective_policy(40));  // RT-CORBA's priority model
  };
  orbs.root->create_POA(
      "one", nullptr,
      {orbs.root->create_lifespan_policy(PortableServer::LifespanPolicyValue::PERSISTENT), level});
  EXPECT_TRUE(asked);
  a->establish = [&](const IorInfoRef& info) { EXPECT_FALSE(info->get_effective_policy(factory_type)); };
  orbs.root->create_POA("two", nullptr, {});
}

TEST_F(Iors, ThatThrowInEstablishComponentsAreIgnored) {
  a->establish = [](const IorInfoRef& info) {
    info->add_ior_component({tag, {'k'}});
    throw 7;
  };
  b->establish = [](const IorInfoRef&) { throw CORBA::NO_MEMORY(); };
  const OrbPair orbs;
  EXPECT_EQ(orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>())->cube(3), 27);
  EXPECT_EQ(seen, (Words{"k"}));
}

TEST_F(Iors, ThatThrowInComponentsEstablishedMakeTheAdapterFail) {
  const OrbPair orbs;
  const auto create = [&] { orbs.root->create_POA("one", nullptr, {}); };
  b->established = [](const IorInfoRef&) { throw CORBA::NO_PERMISSION(); };
  EXPECT_EQ(outcome_of(create), "OBJ_ADAPTER 6");
  b->established = [](const IorInfoRef&) { throw "text"; };
  EXPECT_EQ(outcome_of(create), "OBJ_ADAPTER 6");
  EXPECT_THROW(orbs.root->find_POA("one", false), PortableServer::POA::AdapterNonExistent);
  b->established = {};
  EXPECT_EQ(outcome_of(create), "ok");
}

TEST_F(Iors, ThatThrowForTheRootMakeItFailUntilTheyDoNot) {
  b->established = [](const IorInfoRef&) { throw CORBA::NO_PERMISSION(); };
  const Orb orb = make_orb({"-ORBListenEndpoints", OrbPair::loopback}, "server");
  EXPECT_EQ(outcome_of([&] { root_poa(orb); }), "OBJ_ADAPTER 6");
  b->established = {};
  EXPECT_TRUE(root_poa(orb));
  orb->destroy();
}

TEST_F(Iors, LearnOfEachChangeOfState) {
  PI::AdapterManagerId id = 0;
  a->establish = [&](const IorInfoRef& info) { id = info->manager_id(); };
  const Orb orb = make_orb({"-ORBListenEndpoints", OrbPair::loopback}, "server");
  const auto root = root_poa(orb);
  const auto root_id = id;
  const auto one = root->create_POA("one", nullptr, {});
  EXPECT_NE(id, root_id);
  const auto manager = one->the_POAManager();
  trace.take();
  const auto reported = [&](int state) {
    const std::string words = ".manager " + std::to_string(id) + " " + std::to_string(state);
    return Words{"A" + words, "B" + words};
  };
  manager->hold_requests(false);  // as it does already
  EXPECT_EQ(trace.take(), Words());
  manager->activate();
  EXPECT_EQ(trace.take(), reported(PI::ACTIVE));
  manager->activate();
  EXPECT_EQ(trace.take(), Words());
  manager->discard_requests(false);
  EXPECT_EQ(trace.take(), reported(PI::DISCARDING));
  manager->hold_requests(true);
  EXPECT_EQ(trace.take(), reported(PI::HOLDING));
  manager->deactivate(false, false);
  EXPECT_EQ(trace.take(), reported(PI::INACTIVE));
  EXPECT_THROW(manager->activate(), PortableServer::POAManager::AdapterInactive);
  EXPECT_EQ(trace.take(), Words());
  one->destroy(true, true);
  EXPECT_EQ(trace.take(), (Words{"A.one 4", "B.one 4"}));
  root->create_POA("two", root->the_POAManager(), {});
  trace.take();
  orb->destroy();
  const std::string words = ".manager " + std::to_string(root_id) + " 3";
  EXPECT_EQ(trace.take(), (Words{"A" + words, "B" + words, "A.two 4", "B.two 4", "A.RootPOA 4", "B.RootPOA 4",
                                 "A.destroy", "B.destroy"}));
}

TEST_F(Iors, ThatThrowWhenStatesChangeAreIgnored) {
  a->changed = [] { throw 1; };
  b->changed = [] { throw CORBA::NO_MEMORY(); };
  const OrbPair orbs;
  const auto one = orbs.root->create_POA("one", nullptr, {});
  one->the_POAManager()->activate();
  one->destroy(true, true);
  EXPECT_EQ(orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>())->cube(3), 27);
}

TEST_F(Iors, GiveATemplateThatMakesReferencesWhileTheAdapterExists) {
  CORBA::valuetype_reference<PI::ObjectReferenceTemplate> made;
  const PortableServer::ObjectId id{'i', 'd'};
  const auto use = [&] { made->make_object("IDL:Calls/Echo:1.0", id); };
  const OrbPair orbs({"-ORBServerId", "shop"});
  a->establish = adds(tag, {'x'});
  a->established = [&](const IorInfoRef& info) {
    made = info->adapter_template();
    EXPECT_EQ(made->adapter_name(), (Words{"RootPOA", "one"}));
    EXPECT_EQ(made->orb_id(), orbs.server->id());
    EXPECT_EQ(made->server_id(), "shop");
    EXPECT_EQ(outcome_of(use), "BAD_INV_ORDER 0");
  };
  const auto one = orbs.root->create_POA(
      "one", orbs.root->the_POAManager(),
      {orbs.root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)});
  one->activate_object_with_id(id, CORBA::make_reference<EchoServant>());
  EXPECT_EQ(orbs.seen_by_client<Calls::Echo>(made->make_object("IDL:Calls/Echo:1.0", id))->cube(3), 27);
  EXPECT_EQ(seen, (Words{"x"}));
  one->destroy(true, true);
  EXPECT_EQ(outcome_of(use), "BAD_INV_ORDER 0");
  ASSERT_EQ(a->ended.size(), 1u);
  made = a->ended.front();
  EXPECT_EQ(made->adapter_name(), (Words{"RootPOA", "one"}));
  EXPECT_EQ(outcome_of(use), "BAD_INV_ORDER 0");
}

// Makes references of the adapter, or what a test says.
class Substituting final : public PI::ObjectReferenceFactory {
 public:
  using Make = std::function<AnyObject(const std::string&, const PortableServer::ObjectId&)>;
  explicit Substituting(Make make) : make_(std::move(make)) {}
  AnyObject make_object(const std::string& repository_id, const PortableServer::ObjectId& id) override {
    return make_(repository_id, id);
  }
  void _write_state(takt::cdr::Encoder& encoder) const override {
    encoder.fail(takt::cdr::Error::local_object);
  }
  bool _read_state(takt::cdr::Decoder&) override { return false; }

 private:
  const Make make_;
};

TEST_F(Iors, MayReplaceTheFactoryOfAnAdaptersReferences) {
  CORBA::valuetype_reference<PI::ObjectReferenceFactory> own;
  Substituting::Make make;
  a->established = [&](const IorInfoRef& info) {
    if (info->adapter_template()->adapter_name().size() != 2) return;
    own = info->current_factory();
    info->current_factory(CORBA::valuetype_reference<PI::ObjectReferenceFactory>(
        std::make_shared<Substituting>([&](const auto& type, const auto& id) { return make(type, id); })));
  };
  const OrbPair orbs;
  const auto elsewhere =
      orbs.root->id_to_reference(orbs.root->activate_object(CORBA::make_reference<EchoServant>()));
  const auto one = orbs.root->create_POA("one", orbs.root->the_POAManager(), {});
  Words types;
  make = [&](const std::string& type, const PortableServer::ObjectId&) {
    types.push_back(type);
    return elsewhere;
  };
  const auto id = one->activate_object(CORBA::make_reference<EchoServant>());
  const auto servant = one->id_to_servant(id);
  for (const AnyObject& object :
       {one->create_reference("IDL:Calls/Echo:1.0"), one->create_reference_with_id(id, "IDL:Calls/Echo:1.0"),
        one->id_to_reference(id), one->servant_to_reference(servant)})
    EXPECT_TRUE(object->_is_equivalent(elsewhere));
  EXPECT_EQ(types, Words(4, "IDL:Calls/Echo:1.0"));
  // The adapter's own reference, by the template and by the adapter.
  make = [&](const std::string& type, const PortableServer::ObjectId& of) {
    return own->make_object(type, of);
  };
  EXPECT_EQ(one->reference_to_id(one->id_to_reference(id)), id);
  make = [&](const std::string& type, const PortableServer::ObjectId& of) {
    return one->create_reference_with_id(of, type);
  };
  const auto seen_by_client = orbs.seen_by_client<Calls::Echo>(one->id_to_reference(id));
  EXPECT_EQ(seen_by_client->cube(3), 27);
  make = [](const auto&, const auto&) { return AnyObject(); };
  EXPECT_EQ(outcome_of([&] { one->id_to_reference(id); }), "INV_OBJREF 0");
  make = [](const auto&, const auto&) -> AnyObject { throw Calls::Unlisted(); };
  EXPECT_EQ(outcome_of([&] { one->id_to_reference(id); }), "UNKNOWN 1");
  make = [](const auto&, const auto&) -> AnyObject { throw CORBA::NO_PERMISSION(77, CORBA::COMPLETED_NO); };
  EXPECT_EQ(outcome_of([&] { one->create_reference("x"); }), "NO_PERMISSION 77");
}

TEST_F(Iors, MayUseOtherAdaptersButNotTheRootThatBegins) {
  Orb orb;
  Words refused;
  a->establish = [&](const IorInfoRef&) {
    refused = {outcome_of([&] { root_poa(orb); }), outcome_of([&] { orb->destroy(); }),
               outcome_of([&] { orb->shutdown(true); })};
  };
  orb = make_orb({"-ORBListenEndpoints", OrbPair::loopback}, "server");
  const auto root = root_poa(orb);
  EXPECT_EQ(refused, (Words{"BAD_INV_ORDER 0", "BAD_INV_ORDER 3", "BAD_INV_ORDER 3"}));
  bool first = true;
  a->establish = [&](const IorInfoRef&) {
    if (!std::exchange(first, false)) return;
    root_poa(orb)->create_POA("inner", root->the_POAManager(), {});
    root->create_POA("outer", root->the_POAManager(), {});  // the one that begins
  };
  EXPECT_EQ(outcome_of([&] { root->create_POA("outer", nullptr, {}); }), "AdapterAlreadyExists");
  EXPECT_TRUE(root->find_POA("inner", false));
  EXPECT_TRUE(root->find_POA("outer", false));
  orb->destroy();
}

TEST_F(Iors, MayBeMadeByThreadsAtATime) {
  a->establish = adds(tag, {'x'});
  const OrbPair orbs;
  std::atomic<int> created{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int number = 0; number < 20; ++number) try {
          orbs.root->create_POA("poa" + std::to_string(number), nullptr, {});
          ++created;
        } catch (const PortableServer::POA::AdapterAlreadyExists&) {
        }
    });
  threads.clear();
  EXPECT_EQ(created, 20);
}

// The components say nothing that their tags promise.
TEST_F(Iors, WithHostileComponentsLeaveCallsAsTheyAre) {
  a->establish = [](const IorInfoRef& info) {
    for (IOP::ComponentId id = 0; id < 40; ++id) info->add_ior_component({id, {0xff, 0xff, 0xff}});
    info->add_ior_component({0xffffffff, std::vector<std::uint8_t>(70000, 0xee)});
  };
  const OrbPair orbs;
  const auto local =
      orbs.root->id_to_reference(orbs.root->activate_object(CORBA::make_reference<EchoServant>()));
  EXPECT_EQ(IDL::traits<Calls::Echo>::narrow(local)->cube(3), 27);
  const auto text = orbs.server->object_to_string(local);
  EXPECT_EQ(orbs.client->object_to_string(orbs.client->string_to_object(text)), text);
}

TEST_F(Iors, AreRegisteredByTheRulesOfAllInterceptors) {
  InitInfoRef kept;
  before = [&](const InitInfoRef& info) {
    kept = info;
    const auto newer = IDL::traits<PI::ORBInitInfo_3_1>::narrow(info);
    const auto mode = CORBA::make_reference<PI::ProcessingModePolicy>(PI::LOCAL_ONLY);
    EXPECT_EQ(outcome_of([&] { newer->add_ior_interceptor_with_policy(a, {mode}); }), "INV_POLICY 0");
    EXPECT_EQ(outcome_of([&] { info->add_ior_interceptor(nullptr); }), "BAD_PARAM 0");
    newer->add_ior_interceptor_with_policy(CORBA::make_reference<IorProbe>("C", trace), {});
    EXPECT_EQ(outcome_of([&] { info->add_ior_interceptor(CORBA::make_reference<IorProbe>("C", trace)); }),
              "DuplicateName");
  };
  make_orb({}, "server")->destroy();
  EXPECT_EQ(trace.take(), (Words{"C.destroy", "A.destroy", "B.destroy"}));
  EXPECT_EQ(outcome_of([&] { kept->add_ior_interceptor(a); }), "OBJECT_NOT_EXIST 0");
}

TEST_F(Iors, RunForARootThatAnInitializerAsksFor) {
  Initializing::present().post = [&](const InitInfoRef& info) {
    a->establish = [&](const IorInfoRef&) {
      info->add_ior_interceptor(CORBA::make_reference<IorProbe>("late", trace));
    };
    EXPECT_TRUE(info->resolve_initial_references("RootPOA"));
  };
  const Orb orb = make_orb({"-ORBListenEndpoints", OrbPair::loopback}, "server");
  EXPECT_EQ(trace.take(), (Words{"A.establish", "B.establish", "A.established", "B.established"}));
  a->establish = {};
  root_poa(orb)->create_POA("one", nullptr, {});
  EXPECT_EQ(trace.take(), (Words{"A.establish", "B.establish", "late.establish", "A.established",
                                 "B.established", "late.established"}));
  orb->destroy();
}

class PolicyKept : public WithInitializers {
 protected:
  PolicyKept() {
    Initializing::present().pre = [this](const InitInfoRef& info) {
      if (!info->orb_id().starts_with("server")) return;
      info->register_policy_factory(factory_type, CORBA::make_reference<LevelPolicies>());
      if (probe) info->add_server_request_interceptor(probe);
    };
  }
  Trace trace;
  CORBA::object_reference<ServerProbe> probe = CORBA::make_reference<ServerProbe>("S", trace);
};

TEST_F(PolicyKept, ByAnAdapterIfItsTypeHasAFactory) {
  const OrbPair orbs;
  const auto level = orbs.server->create_policy(factory_type, CORBA::Any());
  const auto with = orbs.make_poa({level}), without = orbs.make_poa({});
  bool expected = true;
  probe->on = [&](const std::string& point, const ServerInfoRef& info) {
    const auto found = info->get_server_policy(factory_type);
    EXPECT_EQ(found == level, expected && point != "receive_contexts") << point;
  };
  EXPECT_EQ(orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>(), with)->cube(3), 27);
  expected = false;
  EXPECT_EQ(orbs.publish<Calls::Echo>(CORBA::make_reference<EchoServant>(), without)->cube(3), 27);
  EXPECT_THROW(root_poa(orbs.client)->create_POA("one", nullptr, {level}),
               PortableServer::POA::InvalidPolicy);
}

TEST_F(PolicyKept, ForTheRequestThatHasDestroyedTheAdapter) {
  const OrbPair orbs;
  const auto level = orbs.server->create_policy(factory_type, CORBA::Any());
  const auto poa = orbs.make_poa({level});
  int asked = 0;
  probe->on = [&](const std::string& point, const ServerInfoRef& info) {
    if (point != "send_reply" || info->operation() != "nothing") return;
    ++asked;
    EXPECT_EQ(info->get_server_policy(factory_type), level);
  };
  orbs.publish<Calls::Echo>(CORBA::make_reference<DestroysItsAdapter>(poa), poa)->nothing();
  EXPECT_EQ(asked, 1);
}

TEST_F(PolicyKept, NoLongerThanTheAdapterWithoutServerInterceptors) {
  probe = nullptr;
  const Orb orb = make_orb({}, "server");
  const Poa root = root_poa(orb);
  const int before = LevelPolicy::alive;
  root->create_POA("one", nullptr, {orb->create_policy(factory_type, CORBA::Any())})->destroy(true, true);
  EXPECT_EQ(LevelPolicy::alive, before);
  orb->destroy();
}

}  // namespace
}  // namespace feature::iors
