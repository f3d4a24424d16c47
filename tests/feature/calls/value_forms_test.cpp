// The form of valuetypes in replies follows that of the connection's requests.
#include <gtest/gtest.h>

#include <takt/cdr/value.h>

#include "../hostile/raw_peer.h"
#include "carrier_servant.h"
#include "orbs.h"
#include "value_kinds.h"

namespace feature {
namespace {

using takt::cdr::ValueForm;

// The encoded value, as the body of a request or reply.
Octets body_with(const Values::Base::_ref_type& value, ValueForm form) {
  takt::cdr::Format format;
  format.values = form;
  takt::GatherBuffer buffer;
  takt::cdr::Encoder encoder(buffer, format);
  encoder.set_borrowing(false);
  takt::cdr::write(encoder, value);
  return {buffer.owned(), buffer.owned() + buffer.owned_size()};
}

// Calls keep(), which gives its argument back, with encoded values.
class Keeping {
 public:
  explicit Keeping(const std::string& ior) : place_(ior), peer_(place_.port) {}
  Octets operator()(const Octets& argument) {
    if (!peer_.send(request(id_ += 2, place_.key, "keep", {}, true).raw(argument).finish())) return {};
    const Octets reply = peer_.receive_message();
    constexpr std::size_t head = 24;
    return reply.size() < head ? Octets() : Octets(reply.begin() + head, reply.end());
  }

 private:
  const Place place_;
  RawPeer peer_;
  std::uint32_t id_ = 0;
};

class ValueCallsInForms : public testing::TestWithParam<const char*> {
 protected:
  explicit ValueCallsInForms(const char* form = "auto")
      : orbs({"-ORBServerConcurrency", GetParam(), "-ORBValueForm", form}) {
    orbs.server->register_value_factory(Values::Derived::_repository_id(),
                                        std::make_shared<Values::Derived_init>());
    const auto carrier = CORBA::make_reference<CarrierServant>();
    ior = orbs.server->object_to_string(orbs.root->id_to_reference(orbs.root->activate_object(carrier)));
    value = CORBA::make_reference<Values::obv::Derived>(
        std::uint8_t{7}, std::string("s"), 0.5, Values::Point(1, 2),
        CORBA::make_reference<Values::obv::Base>(std::uint8_t{8}, std::string()));
    tao = body_with(value, ValueForm::tao);
    standard = body_with(value, ValueForm::standard);
  }

  ServerAndClient orbs;
  std::string ior;
  Values::Base::_ref_type value;
  Octets tao, standard;
};

TEST_P(ValueCallsInForms, AConnectionKeepsTaosFormOnceItHasCome) {
  ASSERT_NE(tao, standard);
  Keeping one(ior), other(ior);
  EXPECT_EQ(one(standard), standard);
  EXPECT_EQ(one(tao), tao);
  EXPECT_EQ(one(standard), tao);
  EXPECT_EQ(other(standard), standard) << "another connection";
}

struct WithStandard : ValueCallsInForms {
  WithStandard() : ValueCallsInForms("standard") {}
};
TEST_P(WithStandard, BothFormsAreReadAndOneIsWritten) {
  Keeping one(ior);
  EXPECT_EQ(one(tao), standard);
  EXPECT_EQ(one(standard), standard);
}

struct WithTao : ValueCallsInForms {
  WithTao() : ValueCallsInForms("tao") {}
};
TEST_P(WithTao, BothFormsAreReadAndOneIsWritten) {
  Keeping one(ior);
  EXPECT_EQ(one(standard), tao);
  EXPECT_EQ(one(tao), tao);
}

constexpr const char* strategies[] = {"thread-per-connection", "leader-followers", "reactive", "worker-pool"};
INSTANTIATE_TEST_SUITE_P(All, ValueCallsInForms, testing::ValuesIn(strategies));
INSTANTIATE_TEST_SUITE_P(ValueCalls, WithStandard, testing::ValuesIn(strategies));
INSTANTIATE_TEST_SUITE_P(ValueCalls, WithTao, testing::ValuesIn(strategies));

// A form that makes no sense is answered with MARSHAL, and the connection goes on.
TEST(ValueCallsOfAnyForm, AMixedFormIsRefused) {
  ServerAndClient orbs;
  const auto carrier = CORBA::make_reference<CarrierServant>();
  const std::string ior =
      orbs.server->object_to_string(orbs.root->id_to_reference(orbs.root->activate_object(carrier)));
  Octets bad = body_with(CORBA::make_reference<Values::obv::Derived>(), ValueForm::tao);
  bad[bad.size() - 4] = 0xfd;  // the last end tag
  Keeping keep(ior);
  const Octets said = keep(bad);
  const std::string text(said.begin(), said.end());
  EXPECT_NE(text.find("IDL:omg.org/CORBA/MARSHAL:1.0"), std::string::npos);
  const Octets flat = body_with(CORBA::make_reference<Values::obv::Base>(), ValueForm::standard);
  EXPECT_EQ(keep(flat), flat);
}

}  // namespace
}  // namespace feature
