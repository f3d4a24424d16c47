// Initializers, flow, slots, policies, references and codecs of the classic mapping.
#include "interceptors.h"

namespace intercepted {
namespace {

class Flow : public Pair {};

TEST_F(Flow, InterceptorsAreDestroyedWithTheirOrb) {
  client_->destroy();
  client_ = CORBA::ORB::_nil();
  EXPECT_EQ(script().destroyed, 3);
}

class Slots : public Pair {
 protected:
  void SetUp() override {
    script().pre_init = [](PortableInterceptor::ORBInitInfo_ptr info) {
      EXPECT_EQ(info->allocate_slot_id(), 0u);
    };
    Pair::SetUp();
  }
};

TEST_F(Slots, GoFromThreadsToTheirCalls) {
  CORBA::Object_var object = client_->resolve_initial_references("PICurrent");
  PortableInterceptor::Current_var current = PortableInterceptor::Current::_narrow(object);
  ASSERT_FALSE(CORBA::is_nil(current.in()));
  CORBA::Any value;
  value <<= CORBA::Long(17);
  current->set_slot(0, value);
  CORBA::Long seen = 0;
  script().client = [&](const std::string& point, ClientInfo info) {
    const CORBA::Any_var slot = info->get_slot(0);
    if (point == "send_request") slot.in() >>= seen;
  };
  echo_->twice(3);
  EXPECT_EQ(seen, 17);
  EXPECT_THROW(current->set_slot(1, value), PortableInterceptor::InvalidSlot);
}

class Initializers : public testing::Test {
 protected:
  void SetUp() override { register_once(); }
  void TearDown() override { script() = Script(); }
};

TEST_F(Initializers, KnowTheirOrb) {
  Words seen;
  script().pre_init = [&](PortableInterceptor::ORBInitInfo_ptr info) {
    const CORBA::String_var id = info->orb_id();
    seen.push_back(id.in());
    const CORBA::StringSeq_var arguments = info->arguments();
    seen.push_back(arguments.in()[0]);
    EXPECT_EQ(outcome_of([&] { CORBA::Object_var o = info->resolve_initial_references("RootPOA"); }),
              "BAD_INV_ORDER 14");
    const PortableInterceptor::ORBInitInfo_3_1_var more = PortableInterceptor::ORBInitInfo_3_1::_narrow(info);
    EXPECT_FALSE(CORBA::is_nil(more.in()));
  };
  script().post_init = [&](PortableInterceptor::ORBInitInfo_ptr info) {
    CORBA::Object_var root = info->resolve_initial_references("RootPOA");
    EXPECT_FALSE(CORBA::is_nil(root.in()));
    EXPECT_EQ(outcome_of([&] { CORBA::Object_var o = info->resolve_initial_references("None"); }),
              "InvalidName");
  };
  CORBA::ORB_var orb = make_orb("known");
  EXPECT_EQ(seen, (Words{"known", "test"}));
  orb->destroy();
}

TEST_F(Initializers, AreRefusedWrongRegistrations) {
  PortableInterceptor::ORBInitInfo_var kept;
  script().pre_init = [&](PortableInterceptor::ORBInitInfo_ptr info) {
    kept = PortableInterceptor::ORBInitInfo::_duplicate(info);
    PortableInterceptor::ClientRequestInterceptor_var one = new Client("same"), two = new Client("same");
    info->add_client_request_interceptor(one.in());
    try {
      info->add_client_request_interceptor(two.in());
      ADD_FAILURE();
    } catch (const PortableInterceptor::ORBInitInfo::DuplicateName& duplicate) {
      EXPECT_STREQ(duplicate.name.in(), "same");
    }
    EXPECT_EQ(outcome_of([&] { info->add_client_request_interceptor(nullptr); }), "BAD_PARAM 0");
    EXPECT_EQ(outcome_of([&] { info->register_initial_reference("", CORBA::Object::_nil()); }),
              "BAD_PARAM 27");
    EXPECT_EQ(outcome_of([&] { info->register_policy_factory(0x7777, nullptr); }), "BAD_PARAM 0");
  };
  CORBA::ORB_var orb = make_orb("wrong");
  EXPECT_EQ(outcome_of([&] { kept->allocate_slot_id(); }), "OBJECT_NOT_EXIST 0");
  EXPECT_EQ(outcome_of([] { PortableInterceptor::register_orb_initializer(nullptr); }), "INV_OBJREF 0");
  orb->destroy();
}

TEST_F(Initializers, ThatThrowEndTheOrbsBeginning) {
  script().pre_init = [](PortableInterceptor::ORBInitInfo_ptr) {
    throw CORBA::NO_PERMISSION(5, CORBA::COMPLETED_NO);
  };
  EXPECT_THROW(CORBA::ORB_var orb = make_orb("failing"), CORBA::NO_PERMISSION);
  script().pre_init = [](PortableInterceptor::ORBInitInfo_ptr) { throw Broad::Refused(); };
  EXPECT_THROW(CORBA::ORB_var orb = make_orb("failing"), CORBA::INITIALIZE);
}

class SitePolicy : public virtual CORBA::Policy, public virtual CORBA::LocalObject {
 public:
  explicit SitePolicy(CORBA::Long of) : site(of) {}
  CORBA::PolicyType policy_type() { return 0x7001; }
  const CORBA::Long site;
};
class SiteFactory : public virtual PortableInterceptor::PolicyFactory, public virtual CORBA::LocalObject {
 public:
  CORBA::Policy_ptr create_policy(CORBA::PolicyType, const CORBA::Any& value) {
    CORBA::Long site = 0;
    if (!(value >>= site)) throw CORBA::PolicyError(CORBA::BAD_POLICY_VALUE);
    return new SitePolicy(site);
  }
};

TEST_F(Initializers, MakePoliciesOfAdapters) {
  std::vector<CORBA::Long> sites;
  script().pre_init = [&](PortableInterceptor::ORBInitInfo_ptr info) {
    PortableInterceptor::PolicyFactory_var factory = new SiteFactory;
    info->register_policy_factory(0x7001, factory.in());
    EXPECT_EQ(outcome_of([&] { info->register_policy_factory(0x7001, factory.in()); }), "BAD_INV_ORDER 16");
  };
  script().references = [&](PortableInterceptor::IORInfo_ptr info) {
    const CORBA::Policy_var policy = info->get_effective_policy(0x7001);
    if (SitePolicy* const site = dynamic_cast<SitePolicy*>(policy.in())) sites.push_back(site->site);
    EXPECT_TRUE(CORBA::is_nil(
        PortableServer::LifespanPolicy_var(PortableServer::LifespanPolicy::_narrow(policy.in())).in()));
    const CORBA::Policy_var own = info->get_effective_policy(PortableServer::LIFESPAN_POLICY_ID);
    const PortableServer::LifespanPolicy_var lifespan = PortableServer::LifespanPolicy::_narrow(own.in());
    EXPECT_TRUE(!CORBA::is_nil(lifespan) && lifespan->value() == PortableServer::TRANSIENT);
    const PortableServer::ThreadPolicy_var of_threads = PortableServer::ThreadPolicy::_narrow(own.in());
    EXPECT_TRUE(CORBA::is_nil(of_threads));
    IOP::TaggedComponent component;
    component.tag = 0x4d595502;
    component.component_data.length(1);
    component.component_data[0] = 9;
    info->add_ior_component(component);
    EXPECT_EQ(info->state(), PortableInterceptor::HOLDING);
    EXPECT_EQ(outcome_of([&] { info->add_ior_component_to_profile(component, 0x7777); }), "BAD_PARAM 29");
  };
  CORBA::ORB_var orb = make_orb("policies");
  CORBA::Any value;
  value <<= CORBA::Long(11);
  CORBA::PolicyList policies(1);
  policies.length(1);
  policies[0] = orb->create_policy(0x7001, value);
  EXPECT_EQ(policies[0]->policy_type(), 0x7001u);
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var root = PortableServer::POA::_narrow(object);
  PortableServer::POA_var child = root->create_POA("child", PortableServer::POAManager::_nil(), policies);
  EXPECT_EQ(sites, std::vector<CORBA::Long>{11});
  value <<= "no number";
  EXPECT_THROW(CORBA::Policy_var none = orb->create_policy(0x7001, value), CORBA::PolicyError);
  object = child->create_reference("IDL:Broad/Basics:1.0");
  CORBA::String_var text = orb->object_to_string(object);
  const std::string ior = text.in();
  EXPECT_TRUE(ior.find("4d595502") != std::string::npos || ior.find("0255594d") != std::string::npos) << ior;
  orb->destroy();
}

// Makes the adapter's own references, or another one.
class Substituting : public virtual PortableInterceptor::ObjectReferenceFactory,
                     public virtual CORBA::DefaultValueRefCountBase {
 public:
  explicit Substituting(PortableInterceptor::ObjectReferenceFactory* own)
      : own_(PortableInterceptor::ObjectReferenceFactory::_duplicate(own)) {}
  CORBA::Object_ptr make_object(const char* repository_id, const PortableInterceptor::ObjectId& id) {
    ++made;
    if (refuses) throw CORBA::NO_PERMISSION(7, CORBA::COMPLETED_NO);
    if (!CORBA::is_nil(other.in())) return CORBA::Object::_duplicate(other.in());
    return own_->make_object(repository_id, id);
  }
  int made = 0;
  bool refuses = false;
  CORBA::Object_var other;

 private:
  const PortableInterceptor::ObjectReferenceFactory_var own_;
};

TEST_F(Initializers, ReplaceTheFactoryOfAnAdaptersReferences) {
  Substituting* factory = nullptr;
  script().references = [](PortableInterceptor::IORInfo_ptr info) {
    EXPECT_EQ(
        outcome_of([&] { PortableInterceptor::ObjectReferenceTemplate_var t = info->adapter_template(); }),
        "BAD_INV_ORDER 14");
    EXPECT_EQ(outcome_of([&] { info->current_factory(nullptr); }), "BAD_INV_ORDER 14");
  };
  script().established = [&](PortableInterceptor::IORInfo_ptr info) {
    PortableInterceptor::ObjectReferenceTemplate_var own = info->adapter_template();
    const CORBA::String_var orb = own->orb_id(), server = own->server_id();
    EXPECT_STREQ(orb.in(), "factories");
    EXPECT_STREQ(server.in(), "");
    const PortableInterceptor::AdapterName_var name = own->adapter_name();
    EXPECT_STREQ(name.in()[0], "RootPOA");
    if (name->length() == 1) return;
    EXPECT_EQ(outcome_of([&] { info->current_factory(nullptr); }), "BAD_PARAM 0");
    PortableInterceptor::ObjectReferenceFactory_var present = info->current_factory();
    info->current_factory(present.in());
    factory = new Substituting(present.in());
    info->current_factory(factory);
    present = info->current_factory();
    EXPECT_EQ(present.in(), factory);
    factory->_remove_ref();  // the adapter keeps it
  };
  CORBA::ORB_var orb = make_orb("factories");
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var root = PortableServer::POA::_narrow(object);
  PortableServer::POA_var child =
      root->create_POA("child", PortableServer::POAManager::_nil(), CORBA::PolicyList());
  factory->other = root->create_reference("IDL:Broad/Basics:1.0");
  object = child->create_reference("IDL:Broad/Basics:1.0");
  EXPECT_TRUE(object->_is_equivalent(factory->other.in()));
  factory->other = CORBA::Object::_nil();
  object = child->create_reference("IDL:Broad/Basics:1.0");
  PortableServer::ObjectId_var id = child->reference_to_id(object.in());
  factory->refuses = true;
  EXPECT_EQ(outcome_of([&] { object = child->create_reference_with_id(id.in(), ""); }), "NO_PERMISSION 7");
  EXPECT_EQ(factory->made, 3);
  script().states.clear();
  PortableServer::POAManager_var manager = child->the_POAManager();
  manager->activate();
  child->destroy(true, true);
  EXPECT_EQ(script().states, (Words{"manager 1", "child 4"}));
  orb->destroy();
}

TEST_F(Initializers, ThatThrowInComponentsEstablishedRefuseTheAdapter) {
  CORBA::ORB_var orb = make_orb("refusing");
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var root = PortableServer::POA::_narrow(object);
  script().established = [](PortableInterceptor::IORInfo_ptr) { throw Broad::Refused(); };
  EXPECT_EQ(outcome_of([&] {
              PortableServer::POA_var none =
                  root->create_POA("none", PortableServer::POAManager::_nil(), CORBA::PolicyList());
            }),
            "OBJ_ADAPTER 6");
  orb->destroy();
}

TEST_F(Initializers, HaveCodecsWithCodeSets) {
  CORBA::ORB_var orb = make_orb("codesets");
  CORBA::Object_var object = orb->resolve_initial_references("CodecFactory");
  IOP::CodecFactory_var codecs = IOP::CodecFactory::_narrow(object);
  IOP::Encoding_1_2 encoding = {IOP::ENCODING_CDR_ENCAPS, 1, 2, 0x05010001, 0};
  IOP::Codec_var utf_8 = codecs->create_codec_with_codesets(encoding);
  CORBA::Any value;
  value <<= "e";
  CORBA::OctetSeq_var octets = utf_8->encode_value(value);
  EXPECT_EQ(octets->length(), 10u);  // the byte order, padding, a length and two octets
  encoding.char_codeset = 0x12345678;
  try {
    utf_8 = codecs->create_codec_with_codesets(encoding);
    ADD_FAILURE();
  } catch (const IOP::CodecFactory::UnsupportedCodeset& unsupported) {
    EXPECT_EQ(unsupported.codeset, 0x12345678u);
  }
  encoding.format = 1;
  EXPECT_THROW(utf_8 = codecs->create_codec_with_codesets(encoding), IOP::CodecFactory::UnknownEncoding);
  orb->destroy();
}

TEST_F(Initializers, HaveCodecs) {
  CORBA::ORB_var orb = make_orb("codecs");
  CORBA::Object_var object = orb->resolve_initial_references("CodecFactory");
  IOP::CodecFactory_var codecs = IOP::CodecFactory::_narrow(object);
  IOP::Encoding encoding = {IOP::ENCODING_CDR_ENCAPS, 1, 2};
  IOP::Codec_var codec = codecs->create_codec(encoding);
  CORBA::Any value;
  value <<= CORBA::Long(7);
  CORBA::OctetSeq_var octets = codec->encode(value);
  CORBA::Any_var same = codec->decode(octets.in());
  CORBA::Long number = 0;
  EXPECT_TRUE(same.in() >>= number);
  EXPECT_EQ(number, 7);
  octets = codec->encode_value(value);
  EXPECT_EQ(octets->length(), 8u);
  same = codec->decode_value(octets.in(), CORBA::_tc_long);
  octets->length(5);
  EXPECT_THROW(same = codec->decode_value(octets.in(), CORBA::_tc_long), IOP::Codec::TypeMismatch);
  octets->length(0);
  EXPECT_THROW(same = codec->decode(octets.in()), IOP::Codec::FormatMismatch);
  encoding.format = 1;
  EXPECT_THROW(codec = codecs->create_codec(encoding), IOP::CodecFactory::UnknownEncoding);
  orb->destroy();
}

// Anys of kinds that no IDL of ours declares in the classic mapping come from other programs.
TEST_F(Initializers, HaveCodecsForEventsAndComponents) {
  CORBA::ORB_var orb = make_orb("kinds");
  CORBA::Object_var object = orb->resolve_initial_references("CodecFactory");
  IOP::CodecFactory_var codecs = IOP::CodecFactory::_narrow(object);
  const IOP::Encoding encoding = {IOP::ENCODING_CDR_ENCAPS, 1, 2};
  IOP::Codec_var codec = codecs->create_codec(encoding);
  CORBA::Octet event_octets[] = {0,   0,  0,   0,   0,   0,   0,   36,  0,   0,   0,   36, 0, 0, 0, 0, 0, 0,
                                 0,   10, 'I', 'D', 'L', ':', 'E', ':', '1', '.', '0', 0,  0, 0, 0, 0, 0, 2,
                                 'E', 0,  0,   0,   0,   0,   0,   0,   0,   0,   0,   0,  0, 0, 0, 0};
  CORBA::Any_var event =
      codec->decode(CORBA::OctetSeq(sizeof event_octets, sizeof event_octets, event_octets));
  CORBA::ValueBase_var value;
  EXPECT_TRUE(event.in() >>= CORBA::Any::to_value(value.out()));
  EXPECT_TRUE(value.in() == nullptr);
  CORBA::Octet nil_octets[] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
  const CORBA::TypeCode_var component = orb->create_component_tc("IDL:C:1.0", "C");
  CORBA::Any_var reference =
      codec->decode_value(CORBA::OctetSeq(sizeof nil_octets, sizeof nil_octets, nil_octets), component.in());
  EXPECT_TRUE(reference.in() >>= CORBA::Any::to_object(object.out()));
  EXPECT_TRUE(CORBA::is_nil(object));
  orb->destroy();
}

}  // namespace
}  // namespace intercepted
