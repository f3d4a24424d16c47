// The operations of devices, end points, stream controls and their properties (OMG Audio/Video Streams 1.0,
// Property Service 1.0), row by row: what each raises, and what it answers.
#include <gtest/gtest.h>

#include "../rows.h"
#include "studio.h"

namespace feature {
namespace {

using CosPropertyService::Properties;
using CosPropertyService::PropertyNames;

struct StreamCalls : testing::Test {
  Quality any;
  std::shared_ptr<Shown> shown = std::make_shared<Shown>();
  Station camera{{.offers = {camera_flow(), camera_flow("sound")}}};
  Station screen{{.offers = {screen_flow(shown), screen_flow(shown, "sound")}}};
  const Ref<Device> a = camera.seen_by(screen.orb()), b = screen.seen_by(camera.orb());
  const Ref<Control> control = camera.device->make_control();

  std::function<void()> binds(Ref<Device> from, Ref<Device> to, Flows flows, Quality quality = {}) {
    return [=, this]() mutable { control->bind_devs(from, to, quality, flows); };
  }
  Ref<AVStreams::StreamEndPoint_A> end_a(const Flows& flows = {}) {
    Ref<AVStreams::VDev> device;
    bool met = false;
    std::string name;
    return a->create_A(nullptr, device, any, met, name, flows);
  }
};

TEST_F(StreamCalls, OfDevices) {
  Ref<AVStreams::VDev> device;
  bool met = false;
  std::string name;
  const auto own = end_a();
  const auto creates = [&](const Flows& flows, Quality quality = {}) {
    return [=, this]() mutable { b->create_B(nullptr, device, quality, met, name, flows); };
  };
  const CallRow rows[] = {
      {"create_B", creates({"video"}), "nothing"},
      {"create_B: all flows", creates({}), "nothing"},
      {"create_B: an entry of four fields", creates({R"(video\IN\UNS:octets\takt:1.0\UDP)"}), "nothing"},
      {"create_B: noSuchFlow", creates({"smell"}), "noSuchFlow"},
      {"create_B: QoSRequestFailed",
       creates({"video"},
               quality_of("video", {parameter("frame_rate_min", 1e9), parameter("frame_rate", 1e9)})),
       "QoSRequestFailed"},
      {"bind: streamOpFailed", [&] { a->bind(nullptr, any, met, {}); }, "streamOpFailed"},
      {"bind: noSuchFlow", [&] { a->bind(b, any, met, {"smell"}); }, "noSuchFlow"},
      {"bind_mcast: streamOpFailed", [&] { a->bind_mcast(nullptr, any, met, {}); }, "streamOpFailed"},
      {"bind_mcast: noSuchFlow", [&] { a->bind_mcast(b, any, met, {"smell"}); }, "noSuchFlow"},
      {"destroy: notSupported for the end point of another", [&] { b->destroy(own, ""); }, "notSupported"},
      {"destroy: notSupported for nil", [&] { b->destroy(nullptr, ""); }, "notSupported"},
      {"destroy", [&] { a->destroy(own, ""); }, "nothing"},
      {"destroy: twice", [&] { a->destroy(own, ""); }, "notSupported"},
      {"get_fdev", [&] { EXPECT_TRUE(a->get_fdev("video")->_is_equivalent(a->get_fdev("video"))); },
       "nothing"},
      {"get_fdev: noSuchFlow", [&] { a->get_fdev("smell"); }, "noSuchFlow"},
      {"add_fdev: notSupported", [&] { a->add_fdev(b); }, "notSupported"},
      {"remove_fdev: notSupported", [&] { a->remove_fdev("video"); }, "notSupported"},
  };
  expect_rows(rows, exception_of);
}

TEST_F(StreamCalls, OfControls) {
  Ref<AVStreams::StreamEndPoint> end;
  const std::string failed = "streamOpFailed", none = "noSuchFlow";
  const CallRow rows[] = {
      {"stop without flows", [&] { control->stop({}); }, "nothing"},
      {"bind_devs", binds(a, b, {"video"}), "nothing"},
      {"bind_devs: streamOpFailed", binds(nullptr, nullptr, {}), failed},
      {"bind_devs: noSuchFlow", binds(a, b, {"smell"}), none},
      {"bind_devs: QoSRequestFailed",
       binds(a, b, {"video"}, quality_of("video", {parameter("dscp", std::int32_t{64})})),
       "QoSRequestFailed"},
      {"bind_devs: an entry that is none", binds(a, b, {R"(video\UP)"}), failed},
      {"bind: streamOpFailed", [&] { control->bind(nullptr, nullptr, any, {}); }, failed},
      {"start", [&] { control->start({}); }, "nothing"},
      {"start of one flow", [&] { control->start({"video"}); }, "nothing"},
      {"start: noSuchFlow", [&] { control->start({"smell"}); }, none},
      {"stop: noSuchFlow", [&] { control->stop({"smell"}); }, none},
      {"destroy: noSuchFlow", [&] { control->destroy({"smell"}); }, none},
      {"modify_QoS", [&] { control->modify_QoS(any, {}); }, "nothing"},
      {"modify_QoS: noSuchFlow", [&] { control->modify_QoS(any, {"smell"}); }, none},
      {"modify_QoS: QoSRequestFailed",
       [&] {
         Quality quality = quality_of("video", {parameter("frame_rate", -1.0)});
         control->modify_QoS(quality, {"video"});
       },
       "QoSRequestFailed"},
      {"push_event", [&] { control->push_event(parameter("x", true)); }, "nothing"},
      {"set_FPStatus: noSuchFlow", [&] { control->set_FPStatus({"smell"}, "SFP:1.0", {}); }, none},
      {"set_FPStatus: FPError", [&] { control->set_FPStatus({"video"}, "SFP:1.0", {}); }, "FPError"},
      {"get_flow_connection", [&] { control->get_flow_connection("video"); }, "nothing"},
      {"get_flow_connection: noSuchFlow", [&] { control->get_flow_connection("smell"); }, none},
      {"set_flow_connection: notSupported", [&] { control->set_flow_connection("video", nullptr); },
       "notSupported"},
      {"get_related_vdev", [&] { EXPECT_TRUE(control->get_related_vdev(b, end)); }, "nothing"},
      {"get_related_vdev: streamOpFailed", [&] { control->get_related_vdev(nullptr, end); }, failed},
      {"unbind_party: streamOpFailed", [&] { control->unbind_party(nullptr, {}); }, failed},
      {"unbind_party: of a flow", [&] { control->unbind_party(end, {"video"}); }, "nothing"},
      {"unbind_dev: streamOpFailed", [&] { control->unbind_dev(nullptr, {}); }, failed},
      {"unbind_dev", [&] { control->unbind_dev(b, {}); }, "nothing"},
      {"unbind_dev: twice", [&] { control->unbind_dev(b, {}); }, failed},
      {"unbind", [&] { control->unbind(); }, "nothing"},
      {"a destroyed stream", [&] { control->start({}); }, "OBJECT_NOT_EXIST"},
  };
  expect_rows(rows, exception_of);
}

TEST_F(StreamCalls, OfEndPoints) {
  const auto end = end_a({"video"});
  const std::string failed = "streamOpFailed", none = "noSuchFlow", unsupported = "notSupported";
  const auto requests = [&](Flows flows) {
    return [=, this]() mutable { end->request_connection(nullptr, false, any, flows); };
  };
  const CallRow rows[] = {
      {"start", [&] { end->start({}); }, "nothing"},
      {"start: noSuchFlow", [&] { end->start({"sound"}); }, none},
      {"stop", [&] { end->stop({"video"}); }, "nothing"},
      {"stop: noSuchFlow", [&] { end->stop({"sound"}); }, none},
      {"connect: streamOpFailed", [&] { end->connect(nullptr, any, {}); }, failed},
      {"connect: noSuchFlow", [&] { end->connect(end, any, {"sound"}); }, none},
      {"request_connection: noSuchFlow", requests({"sound"}), none},
      {"request_connection: FPError", requests({R"(video\IN\\RTP:1.0\UDP)"}), "FPError"},
      {"request_connection: streamOpDenied", requests({R"(video\OUT\\\UDP)"}), "streamOpDenied"},
      {"modify_QoS: noSuchFlow", [&] { end->modify_QoS(any, {"sound"}); }, none},
      {"set_protocol_restriction", [&] { EXPECT_TRUE(end->set_protocol_restriction({"UDP"})); }, "nothing"},
      {"set_protocol_restriction: FALSE", [&] { EXPECT_FALSE(end->set_protocol_restriction({"ATM"})); },
       "nothing"},
      {"disconnect: noSuchFlow", [&] { end->disconnect({"sound"}); }, none},
      {"disconnect", [&] { end->disconnect({}); }, "nothing"},
      {"set_FPStatus: FPError", [&] { end->set_FPStatus({"video"}, "SFP:1.0", {}); }, "FPError"},
      {"get_fep", [&] { EXPECT_TRUE(end->get_fep("video")->_is_equivalent(end->get_fep("video"))); },
       "nothing"},
      {"get_fep: noSuchFlow", [&] { end->get_fep("sound"); }, none},
      {"add_fep: notSupported", [&] { end->add_fep(end); }, unsupported},
      {"remove_fep: notSupported", [&] { end->remove_fep("video"); }, unsupported},
      {"multiconnect",
       [&] {
         Flows flows;
         end->multiconnect(any, flows);
       },
       "nothing"},
      {"multiconnect: noSuchFlow",
       [&] {
         Flows flows{"sound"};
         end->multiconnect(any, flows);
       },
       none},
      {"connect_leaf: streamOpFailed", [&] { end->connect_leaf(nullptr, any, {}); }, failed},
      {"disconnect_leaf: noSuchFlow", [&] { end->disconnect_leaf(nullptr, {"sound"}); }, none},
      {"set_negotiator", [&] { end->set_negotiator(nullptr); }, "nothing"},
      {"set_key", [&] { end->set_key("video", {}); }, "NO_IMPLEMENT"},
      {"set_source_id", [&] { end->set_source_id(1); }, "NO_IMPLEMENT"},
      {"destroy of a flow: noSuchFlow", [&] { end->destroy({"sound"}); }, none},
      {"destroy of a flow", [&] { end->destroy({"video"}); }, "nothing"},
      {"a destroyed flow", [&] { end->start({"video"}); }, none},
      {"destroy", [&] { end->destroy({}); }, "nothing"},
  };
  expect_rows(rows, exception_of);
}

TEST_F(StreamCalls, OfProperties) {
  const std::string module = "any omg.org::CosPropertyService::", no_name = module + "InvalidPropertyName",
                    absent = module + "PropertyNotFound", conflict = module + "ConflictingProperty",
                    fixed = module + "FixedProperty", readonly = module + "ReadOnlyProperty",
                    several = module + "MultipleExceptions";
  const CORBA::Any three = parameter("", std::int32_t{3}).property_value(),
                   text = parameter("", std::string("x")).property_value();
  const CallRow rows[] = {
      {"define_property", [&] { b->define_property("x", three); }, "nothing"},
      {"define_property: changes a value", [&] { b->define_property("x", three); }, "nothing"},
      {"define_property: InvalidPropertyName", [&] { b->define_property("", three); }, no_name},
      {"define_property: ConflictingProperty", [&] { b->define_property("x", text); }, conflict},
      {"define_property: ReadOnlyProperty", [&] { b->define_property("Flows", three); }, readonly},
      {"define_properties", [&] { b->define_properties({parameter("y", 1.0), parameter("z", true)}); },
       "nothing"},
      {"define_properties: MultipleExceptions",
       [&] { b->define_properties({parameter("", 1.0), parameter("z", 1.0)}); }, several},
      {"get_property_value: PropertyNotFound", [&] { b->get_property_value("none"); }, absent},
      {"get_property_value: InvalidPropertyName", [&] { b->get_property_value(""); }, no_name},
      {"is_property_defined", [&] { EXPECT_TRUE(b->is_property_defined("x")); }, "nothing"},
      {"is_property_defined: InvalidPropertyName", [&] { b->is_property_defined(""); }, no_name},
      {"delete_property: PropertyNotFound", [&] { b->delete_property("none"); }, absent},
      {"delete_property: InvalidPropertyName", [&] { b->delete_property(""); }, no_name},
      {"delete_property: FixedProperty", [&] { b->delete_property("Flows"); }, fixed},
      {"delete_properties: MultipleExceptions", [&] { b->delete_properties({"none", "Flows"}); }, several},
      {"get_number_of_properties", [&] { EXPECT_EQ(b->get_number_of_properties(), 4u); }, "nothing"},
  };
  expect_rows(rows, exception_of);
  Properties some;
  EXPECT_FALSE(b->get_properties({"x", "none"}, some));
  ASSERT_EQ(some.size(), 2u);
  EXPECT_EQ(some[1].property_value().type()->kind(), CORBA::TCKind::tk_void) << "one that is missing";
  PropertyNames names;
  Ref<CosPropertyService::PropertyNamesIterator> more_names;
  b->get_all_property_names(1, names, more_names);
  EXPECT_EQ(names, PropertyNames{"Flows"});
  ASSERT_TRUE(more_names);
  std::string name;
  EXPECT_TRUE(more_names->next_one(name));
  EXPECT_EQ(name, "x");
  EXPECT_TRUE(more_names->next_n(9, names));
  EXPECT_EQ(names, (PropertyNames{"y", "z"}));
  EXPECT_FALSE(more_names->next_n(9, names));
  EXPECT_FALSE(more_names->next_one(name));
  more_names->reset();
  EXPECT_TRUE(more_names->next_n(1, names));
  EXPECT_EQ(names, PropertyNames{"x"});
  more_names->destroy();
  EXPECT_TRUE(exception_of([&] { more_names->reset(); }).starts_with("OBJECT_NOT_EXIST"));
  Ref<CosPropertyService::PropertiesIterator> more, first;
  b->get_all_properties(4, some, more);
  EXPECT_FALSE(more) << "nil when none are left";
  b->get_all_properties(0, some, first);
  EXPECT_TRUE(some.empty());
  for (int i = 0; i < 4; ++i) b->get_all_properties(3, some, more);
  EXPECT_TRUE(exception_of([&] { first->reset(); }).starts_with("OBJECT_NOT_EXIST"))
      << "too many: the oldest ends";
  CosPropertyService::Property last;
  EXPECT_TRUE(more->next_one(last));
  EXPECT_EQ(last.property_name(), "z");
  EXPECT_FALSE(b->delete_all_properties());
  EXPECT_EQ(b->get_number_of_properties(), 1u);
  const auto end = end_a();
  end->define_property("x", three);
  end->get_all_properties(0, some, more);
  end->destroy({});
  EXPECT_TRUE(exception_of([&] { more->reset(); }).starts_with("OBJECT_NOT_EXIST"))
      << "it ends with its object";
}

}  // namespace
}  // namespace feature
