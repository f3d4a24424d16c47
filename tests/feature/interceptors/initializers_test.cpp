// ORB initializers: what they may do, and what they must not.
#include <algorithm>

#include <takt/orb/linked_plugin.h>
#include <takt/reference/messaging.h>

#include "probes.h"

namespace feature {
namespace {

class Initializers : public WithInitializers {
 protected:
  static Initializing& now() { return Initializing::present(); }
  static std::string refusal(const std::function<void()>& action) { return outcome_of(action); }
  Trace trace;
};

TEST_F(Initializers, LearnTheArgumentsAndTheName) {
  Words arguments;
  std::string id;
  now().pre = [&](const InitInfoRef& info) {
    arguments = info->arguments();
    id = info->orb_id();
    EXPECT_TRUE(info->codec_factory()->create_codec({IOP::ENCODING_CDR_ENCAPS, 1, 2}));
  };
  const Orb orb = make_orb({"-ORBMaxRedirections", "3", "other"}, "named");
  EXPECT_EQ(arguments, (Words{"test", "-ORBMaxRedirections", "3", "other"}));
  EXPECT_EQ(id, orb->id());
  orb->destroy();
}

TEST_F(Initializers, RunPreInitOfAllBeforePostInit) {
  now().pre = [&](const InitInfoRef&) { trace.add("pre"); };
  now().post = [&](const InitInfoRef&) { trace.add("post"); };
  make_orb({}, "one")->destroy();
  make_orb({}, "two")->destroy();
  EXPECT_EQ(trace.take(), (Words{"pre", "post", "pre", "post"}));
}

TEST_F(Initializers, RegisterAndResolveInitialReferences) {
  const auto probe = CORBA::make_reference<ClientProbe>("x", trace);
  now().pre = [&](const InitInfoRef& info) {
    info->register_initial_reference("Probe", probe);
    EXPECT_EQ(refusal([&] { info->register_initial_reference("Probe", probe); }), "InvalidName");
    EXPECT_EQ(refusal([&] { info->register_initial_reference("", probe); }), "InvalidName");
    EXPECT_EQ(refusal([&] { info->register_initial_reference("Nil", nullptr); }), "BAD_PARAM 27");
    EXPECT_EQ(refusal([&] { info->resolve_initial_references("Probe"); }), "BAD_INV_ORDER 14");
  };
  now().post = [&](const InitInfoRef& info) {
    EXPECT_TRUE(info->resolve_initial_references("Probe") == probe);
    EXPECT_EQ(refusal([&] { info->resolve_initial_references("Unknown"); }), "InvalidName");
  };
  const Orb orb = make_orb({}, "client");
  EXPECT_TRUE(orb->resolve_initial_references("Probe") == probe);
  orb->destroy();
}

TEST_F(Initializers, MayNotGiveOneNameToTwoInterceptorsOfAKind) {
  now().pre = [&](const InitInfoRef& info) {
    info->add_client_request_interceptor(CORBA::make_reference<ClientProbe>("x", trace));
    info->add_server_request_interceptor(CORBA::make_reference<ServerProbe>("x", trace));  // another kind
    try {
      info->add_client_request_interceptor(CORBA::make_reference<ClientProbe>("x", trace));
      ADD_FAILURE();
    } catch (const PI::ORBInitInfo::DuplicateName& refused) {
      EXPECT_EQ(refused.name(), "x");
    }
    EXPECT_EQ(refusal([&] {
                info->add_server_request_interceptor(CORBA::make_reference<ServerProbe>("x", trace));
              }),
              "DuplicateName");
    for (int i = 0; i < 2; ++i)
      info->add_client_request_interceptor(CORBA::make_reference<ClientProbe>("", trace));
    EXPECT_EQ(refusal([&] { info->add_client_request_interceptor(nullptr); }), "BAD_PARAM 0");
    EXPECT_EQ(refusal([&] { info->add_server_request_interceptor(nullptr); }), "BAD_PARAM 0");
  };
  make_orb({}, "client")->destroy();
  EXPECT_EQ(trace.take(), (Words{"x.destroy", ".destroy", ".destroy", "x.destroy"}));
}

TEST_F(Initializers, LeaveAnInfoThatIsOfNoUseAfterwards) {
  InitInfoRef kept;
  now().pre = [&](const InitInfoRef& info) { kept = info; };
  const Orb orb = make_orb({}, "client");
  const auto probe = CORBA::make_reference<ClientProbe>("x", trace);
  for (const auto& use : std::vector<std::function<void()>>{
           [&] { kept->arguments(); },
           [&] { kept->orb_id(); },
           [&] { kept->codec_factory(); },
           [&] { kept->register_initial_reference("a", probe); },
           [&] { kept->resolve_initial_references("RootPOA"); },
           [&] { kept->add_client_request_interceptor(probe); },
           [&] { kept->add_server_request_interceptor(CORBA::make_reference<ServerProbe>("x", trace)); },
           [&] { kept->allocate_slot_id(); },
           [&] { kept->register_policy_factory(1, nullptr); },
       })
    EXPECT_EQ(refusal(use), "OBJECT_NOT_EXIST 0");
  orb->destroy();
}

TEST_F(Initializers, ThatThrowMakeTheOrbFail) {
  for (auto* const point : {&now().pre, &now().post}) {
    now() = {};
    *point = [](const InitInfoRef&) { throw CORBA::NO_PERMISSION(5); };
    EXPECT_EQ(refusal([] { make_orb({}, "failing"); }), "NO_PERMISSION 5");
    *point = [](const InitInfoRef&) { throw Calls::Unlisted(); };
    EXPECT_EQ(refusal([] { make_orb({}, "failing"); }), "INITIALIZE 0");
    *point = [](const InitInfoRef&) { throw 5; };
    EXPECT_EQ(refusal([] { make_orb({}, "failing"); }), "INITIALIZE 0");
  }
  now() = {};
  make_orb({}, "later")->destroy();
}

TEST_F(Initializers, MayMakeAnotherOrb) {
  now().post = [&](const InitInfoRef& info) {
    trace.add("post");
    if (info->orb_id().starts_with("outer")) make_orb({}, "inner")->destroy();
  };
  make_orb({}, "outer")->destroy();
  EXPECT_EQ(trace.take(), (Words{"post", "post"}));
}

// The plug-in is linked with the program.
Words* begun = nullptr;
class InitializerOfPlugin final : public IDL::traits<PI::ORBInitializer>::base_type {
 public:
  void pre_init(InitInfoRef info) override {
    if (begun) begun->push_back(info->orb_id());
  }
  void post_init(InitInfoRef) override {}
};
std::uint32_t plugin_with_interceptors(std::uint32_t, takt::PluginRegistry&) {
  PI::register_orb_initializer(CORBA::make_reference<InitializerOfPlugin>());
  return takt::plugin_interface;
}

TEST_F(Initializers, OfAPluginRunForTheOrbThatLoadsIt) {
  Words seen;
  begun = &seen;
  takt::add_plugin("intercepting", plugin_with_interceptors);
  const Orb orb = make_orb({"-ORBPlugin", "intercepting"}, "with-plugin");
  EXPECT_EQ(seen, (Words{orb->id()}));
  orb->destroy();
  begun = nullptr;
}

TEST(OrbInitializers, CannotBeNil) {
  EXPECT_EQ(outcome_of([] { PI::register_orb_initializer(nullptr); }), "INV_OBJREF 0");
}

class NumberPolicy final : public virtual CORBA::Policy, public virtual CORBA::LocalObject {
 public:
  static constexpr CORBA::PolicyType type = 0x12340001;
  explicit NumberPolicy(std::int32_t number) : number(number) {}
  CORBA::PolicyType policy_type() override { return type; }
  CORBA::object_reference<CORBA::Policy> copy() override {
    return CORBA::make_reference<NumberPolicy>(number);
  }
  const std::int32_t number;
};
class NumberFactory final : public IDL::traits<PI::PolicyFactory>::base_type {
 public:
  CORBA::object_reference<CORBA::Policy> create_policy(CORBA::PolicyType, const CORBA::Any& value) override {
    std::int32_t number = 0;
    if (!(value >>= number)) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
    return CORBA::make_reference<NumberPolicy>(number);
  }
};

TEST_F(Initializers, RegisterFactoriesOfPolicies) {
  now().pre = [&](const InitInfoRef& info) {
    info->register_policy_factory(NumberPolicy::type, CORBA::make_reference<NumberFactory>());
    const auto another = CORBA::make_reference<NumberFactory>();
    EXPECT_EQ(refusal([&] { info->register_policy_factory(NumberPolicy::type, another); }),
              "BAD_INV_ORDER 16");
    EXPECT_EQ(refusal([&] { info->register_policy_factory(Messaging::SYNC_SCOPE_POLICY_TYPE, another); }),
              "BAD_INV_ORDER 16");
    EXPECT_EQ(refusal([&] { info->register_policy_factory(7, nullptr); }), "BAD_PARAM 0");
  };
  const Orb orb = make_orb({}, "client");
  const auto made = orb->create_policy(NumberPolicy::type, any_of_long(17));
  EXPECT_EQ(std::dynamic_pointer_cast<NumberPolicy>(made.shared())->number, 17);
  EXPECT_EQ(refusal([&] { orb->create_policy(NumberPolicy::type, CORBA::Any()); }), "PolicyError");
  EXPECT_EQ(refusal([&] { orb->create_policy(NumberPolicy::type + 1, CORBA::Any()); }), "PolicyError");
  orb->destroy();
}

class ProcessingModes : public Intercepted {
 protected:
  CORBA::object_reference<CORBA::Policy> mode(std::int16_t value) const {
    CORBA::Any any;
    any <<= value;
    return maker->create_policy(PI::PROCESSING_MODE_POLICY_TYPE, any);
  }
  Orb maker = make_orb({}, "maker");
  ~ProcessingModes() override { maker->destroy(); }
};

TEST_F(ProcessingModes, SelectTheCallsThatInterceptorsSee) {
  Initializing::present().pre = [this](const InitInfoRef& info) {
    const auto with_policies = IDL::traits<PI::ORBInitInfo_3_1>::narrow(info);
    with_policies->add_client_request_interceptor_with_policy(clients[0], {mode(PI::LOCAL_AND_REMOTE)});
    with_policies->add_client_request_interceptor_with_policy(clients[1], {mode(PI::REMOTE_ONLY)});
    with_policies->add_client_request_interceptor_with_policy(clients[2], {mode(PI::LOCAL_ONLY)});
    EXPECT_EQ(outcome_of([&] {
                with_policies->add_server_request_interceptor_with_policy(
                    servers[0], {CORBA::make_reference<NumberPolicy>(1)});
              }),
              "INV_POLICY 0");
  };
  const Elsewhere elsewhere;
  const Orb orb = make_orb({"-ORBListenEndpoints", OrbPair::loopback}, "both");
  const Poa root = root_poa(orb);
  root->the_POAManager()->activate();
  const auto here = IDL::traits<Calls::Echo>::narrow(
      root->id_to_reference(root->activate_object(CORBA::make_reference<EchoServant>())));
  const auto there = IDL::traits<Calls::Echo>::unchecked_narrow(orb->string_to_object(elsewhere.text()));
  trace.take();
  here->nothing();
  EXPECT_EQ(trace.take(), (Words{"A.send_request", "C.send_request", "C.receive_reply", "A.receive_reply"}));
  there->nothing();
  EXPECT_EQ(trace.take(), (Words{"A.send_request", "B.send_request", "B.receive_reply", "A.receive_reply"}));
  orb->destroy();
}

TEST_F(ProcessingModes, HaveThreeValues) {
  EXPECT_EQ(outcome_of([&] { mode(3); }), "PolicyError");
  EXPECT_EQ(outcome_of([&] { mode(-1); }), "PolicyError");
  EXPECT_EQ(outcome_of([&] { maker->create_policy(PI::PROCESSING_MODE_POLICY_TYPE, any_of_long(1)); }),
            "PolicyError");
}

TEST_F(Intercepted, AnOrbEndsByDestroyingItsInterceptorsAndIgnoresWhatTheyThrow) {
  only_one();
  const Orb orb = make_orb({}, "both");
  orb->destroy();
  EXPECT_EQ(trace.take(), (Words{"A.destroy", "A.destroy"}));
}

TEST(ExceptionsOfInterceptors, SayWhatIsWrong) {
  EXPECT_STREQ(PI::InvalidSlot().what(),
               "PortableInterceptor::InvalidSlot: no initializer of this ORB has allocated the slot");
  EXPECT_STREQ(PI::ForwardRequest().what(),
               "PortableInterceptor::ForwardRequest: an interceptor sends the request to another object");
  EXPECT_STREQ(
      PI::ORBInitInfo::DuplicateName("x").what(),
      "PortableInterceptor::ORBInitInfo::DuplicateName: another interceptor of the kind has the name");
  EXPECT_STREQ(
      PI::ORBInitInfo::InvalidName().what(),
      "PortableInterceptor::ORBInitInfo::InvalidName: the name of an initial reference is empty, unknown or "
      "taken");
}

}  // namespace
}  // namespace feature
