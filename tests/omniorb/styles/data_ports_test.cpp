// As robots' middleware does it: templates over any sequence, buffers that are written in place, and
// properties in Anys.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "styles.hh"

namespace {

template <class Sequence, class Element>
void push_back(Sequence& sequence, const Element& element) {
  const CORBA::ULong count(sequence.length());
  sequence.length(count + 1);
  sequence[count] = element;
}
template <class Sequence>
void append(Sequence& to, const Sequence& from) {
  const CORBA::ULong count(to.length());
  to.length(count + from.length());
  for (CORBA::ULong i(0); i < from.length(); ++i) to[count + i] = from[i];
}
template <class Sequence>
void erase(Sequence& sequence, CORBA::ULong index) {
  const CORBA::ULong count(sequence.length());
  for (CORBA::ULong i(index); i + 1 < count; ++i) sequence[i] = sequence[i + 1];
  sequence.length(count - 1);
}
template <class Sequence, class Predicate>
CORBA::Long find(const Sequence& sequence, Predicate predicate) {
  for (CORBA::ULong i(0); i < sequence.length(); ++i)
    if (predicate(sequence[i])) return static_cast<CORBA::Long>(i);
  return -1;
}

struct Named {
  explicit Named(const char* text) : name(text) {}
  bool operator()(const Plant::NameValue& one) const { return name == static_cast<const char*>(one.name); }
  std::string name;
};

template <class Value>
Plant::NameValue named(const char* name, const Value& value) {
  Plant::NameValue made;
  made.name = CORBA::string_dup(name);
  made.value <<= value;
  return made;
}

class Inlet_i : public virtual POA_Plant::Inlet {
 public:
  Plant::Answer put(const Plant::Bytes& data) {
    if (octets_.size() + data.length() > 64) return Plant::full;
    octets_.insert(octets_.end(), data.get_buffer(), data.get_buffer() + data.length());
    return Plant::accepted;
  }
  void get_profiles(Plant::Profiles_out all) {
    Plant::Profiles_var made = new Plant::Profiles();
    made->length(1);
    made[0].name = CORBA::string_dup("inlet");
    push_back(made[0].settings, named("interface_type", "corba"));
    push_back(made[0].settings, named("octets", static_cast<CORBA::ULong>(octets_.size())));
    all = made._retn();
  }
  CORBA::Boolean change(Plant::Profile& one) {
    const CORBA::Long at = find(one.settings, Named("rate"));
    if (at < 0) return false;
    erase(one.settings, static_cast<CORBA::ULong>(at));
    return true;
  }
  std::vector<CORBA::Octet> octets_;
};

class DataPorts : public testing::Test {
 protected:
  DataPorts() {
    int count = 0;
    orb_ = CORBA::ORB_init(count, nullptr);
    CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
    PortableServer::POA_var root = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = root->the_POAManager();
    manager->activate();
    servant_ = new Inlet_i;
    PortableServer::ServantBase_var owner = servant_;
    inlet_ = servant_->_this();
  }
  ~DataPorts() { orb_->destroy(); }

  CORBA::ORB_var orb_;
  Inlet_i* servant_;
  Plant::Inlet_var inlet_;
};

TEST_F(DataPorts, TakeOctetsThatAreWrittenIntoABuffer) {
  const char text[] = "measured";
  Plant::Bytes bytes;
  bytes.length(sizeof text);
  std::memcpy(&bytes[0], text, sizeof text);
  EXPECT_EQ(inlet_->put(bytes), Plant::accepted);
  CORBA::Octet* const buffer = Plant::Bytes::allocbuf(32);
  std::memset(buffer, 7, 32);
  bytes.replace(32, 32, buffer, true);
  EXPECT_EQ(inlet_->put(bytes), Plant::accepted);
  CORBA::Octet* const borrowed = buffer;
  EXPECT_EQ(inlet_->put(Plant::Bytes(32, 32, borrowed, false)), Plant::full);
  EXPECT_STREQ(reinterpret_cast<const char*>(&servant_->octets_[0]), "measured");
  EXPECT_EQ(servant_->octets_.back(), 7);
  EXPECT_EQ(std::count(bytes.get_buffer(), bytes.get_buffer() + bytes.length(), 7), 32);
}

TEST_F(DataPorts, TellTheirProfiles) {
  Plant::Profiles_var profiles;
  inlet_->get_profiles(profiles.out());
  ASSERT_EQ(profiles->length(), 1u);
  const Plant::Properties& settings = profiles[0u].settings;
  const CORBA::Long at = find(settings, Named("interface_type"));
  ASSERT_EQ(at, 0);
  const char* type = nullptr;
  ASSERT_TRUE(settings[static_cast<CORBA::ULong>(at)].value >>= type);
  EXPECT_STREQ(type, "corba");
  CORBA::ULong octets = 1;
  ASSERT_TRUE(settings[1].value >>= octets);
  EXPECT_EQ(octets, 0u);
  EXPECT_EQ(find(settings, Named("rate")), -1);
}

TEST_F(DataPorts, ChangeProfilesInPlace) {
  Plant::Profile profile;
  profile.name = CORBA::string_dup("outlet");
  push_back(profile.settings, named("rate", CORBA::Double(100)));
  Plant::Properties more;
  push_back(more, named("policy", "new"));
  append(profile.settings, more);
  EXPECT_TRUE(inlet_->change(profile));
  ASSERT_EQ(profile.settings.length(), 1u);
  EXPECT_STREQ(profile.settings[0].name, "policy");
  EXPECT_FALSE(inlet_->change(profile));
}

TEST_F(DataPorts, HaveSequencesOfReferences) {
  Plant::Devices devices;
  push_back(devices, Plant::Device::_nil());
  push_back(devices, Plant::Device::_nil());
  Plant::Devices copy(devices);
  append(copy, devices);
  erase(copy, 0);
  EXPECT_EQ(copy.length(), 3u);
  EXPECT_TRUE(CORBA::is_nil(copy[2]));
}

TEST_F(DataPorts, PassTimedDataInAnys) {
  Plant::TimedLongs sent;
  sent.at_ns = 5000000000LL;
  for (CORBA::Long i = 0; i < 3; ++i) push_back(sent.data, i);
  CORBA::Any any;
  any <<= sent;
  const Plant::TimedLongs* got = nullptr;
  ASSERT_TRUE(any >>= got);
  EXPECT_EQ(got->at_ns, sent.at_ns);
  EXPECT_EQ(got->data[2], 2);
  CORBA::TypeCode_var type = any.type();
  EXPECT_TRUE(type->equivalent(Plant::_tc_TimedLongs));
  EXPECT_STREQ(type->name(), "TimedLongs");
}

}  // namespace
