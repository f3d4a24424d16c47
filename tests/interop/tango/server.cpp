// A device of Tango's, without cppTango and a database: the operations that a DeviceProxy of pytango makes.
//
//   interop_takt_tango_server -ORBListenEndpoints iiop://127.0.0.1:PORT
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <exception>
#include <iostream>
#include <mutex>
#include <string>

#include <takt/corba.h>

#include "tangoS.h"

namespace {

constexpr std::int32_t dev_void = 0, dev_double = 5, dev_string = 8, dev_long64 = 23;

[[noreturn]] void fail(const std::string& reason, const std::string& what) {
  throw Tango::DevFailed({{reason, Tango::ErrSeverity::ERR, what, "the Takt device"}});
}

bool is_same(const std::string& a, const std::string& b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

Tango::TimeVal now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  const auto us = std::chrono::duration_cast<std::chrono::microseconds>(since).count();
  return {static_cast<std::int32_t>(us / 1'000'000), static_cast<std::int32_t>(us % 1'000'000), 0};
}

class Plant final : public CORBA::servant_traits<Tango::Device_5>::base_type {
 public:
  std::string name() override { return "test/plant/1"; }
  std::string description() override { return "a device of Takt's"; }
  Tango::DevState state() override { return Tango::DevState::ON; }
  std::string status() override { return "The device is in ON state."; }
  std::string adm_name() override { return "dserver/plant/test"; }
  void ping() override {}

  Tango::DevInfo info() override { return {"Plant", "plant/test", "here", 5, "none"}; }
  Tango::DevInfo_3 info_3() override { return {"Plant", "plant/test", "here", 5, "none", "Plant"}; }

  CORBA::Any command_inout(const std::string& command, const CORBA::Any& argument) override {
    CORBA::Any result;
    std::int64_t number = 0;
    if (is_same(command, "State")) {
      result <<= state();
    } else if (is_same(command, "Status")) {
      result <<= status();
    } else if (is_same(command, "double_it")) {
      if (!(argument >>= number)) fail("API_IncompatibleCmdArgumentType", command);
      result <<= 2 * number;
    } else if (is_same(command, "reset")) {
      set_level(0);
    } else {
      fail("API_CommandNotFound", command);
    }
    return result;
  }
  CORBA::Any command_inout_4(const std::string& command, const CORBA::Any& argument, Tango::DevSource,
                             const Tango::ClntIdent&) override {
    return command_inout(command, argument);
  }
  Tango::DevCmdInfoList_2 command_list_query_2() override {
    Tango::DevCmdInfoList_2 all;
    for (const char* const name : {"State", "Status", "double_it", "reset"})
      all.push_back(command_query_2(name));
    return all;
  }
  Tango::DevCmdInfo_2 command_query_2(const std::string& name) override {
    const auto info = [&](std::int32_t in, std::int32_t out) {
      return Tango::DevCmdInfo_2(name, Tango::DispLevel::OPERATOR, 0, in, out, "", "");
    };
    if (is_same(name, "State")) return info(dev_void, 19);
    if (is_same(name, "Status")) return info(dev_void, dev_string);
    if (is_same(name, "double_it")) return info(dev_long64, dev_long64);
    if (is_same(name, "reset")) return info(dev_void, dev_void);
    fail("API_CommandNotFound", name);
  }

  Tango::AttributeConfigList_5 get_attribute_config_5(const Tango::DevVarStringArray& names) override {
    Tango::AttributeConfigList_5 all;
    for (const std::string& name : names) {
      if (name.starts_with("All attributes")) {
        for (const char* const each : {"level", "counts", "label"}) all.push_back(config_of(each));
      } else {
        all.push_back(config_of(name));
      }
    }
    return all;
  }
  Tango::AttributeValueList_5 read_attributes_5(const Tango::DevVarStringArray& names, Tango::DevSource,
                                                const Tango::ClntIdent&) override {
    Tango::AttributeValueList_5 all;
    for (const std::string& name : names) all.push_back(value_of(name));
    return all;
  }
  void write_attributes_4(const Tango::AttributeValueList_4& values, const Tango::ClntIdent&) override {
    for (const Tango::AttributeValue_4& value : values) {
      if (!is_same(value.name(), "level")) fail("API_AttrNotWritable", value.name());
      const bool is_double = value.value()._d() == Tango::AttributeDataType::ATT_DOUBLE;
      if (!is_double || value.value().double_att_value().size() != 1)
        fail("API_IncompatibleAttrDataType", value.name());
      set_level(value.value().double_att_value().front());
    }
  }
  Tango::AttributeValueList_5 write_read_attributes_5(const Tango::AttributeValueList_4& values,
                                                      const Tango::DevVarStringArray& names,
                                                      const Tango::ClntIdent& caller) override {
    write_attributes_4(values, caller);
    return read_attributes_5(names, Tango::DevSource::DEV, caller);
  }

  // The form of the first devices, with an Any.
  Tango::AttributeValueList read_attributes(const Tango::DevVarStringArray& names) override {
    Tango::AttributeValueList all;
    for (const std::string& name : names) {
      if (!is_same(name, "level")) fail("API_AttrNotFound", name);
      Tango::AttributeValue value({}, Tango::AttrQuality::ATTR_VALID, now(), name, 1, 0);
      value.value() <<= Tango::DevVarDoubleArray{level()};
      all.push_back(value);
    }
    return all;
  }
  void write_attributes(const Tango::AttributeValueList& values) override {
    for (const Tango::AttributeValue& value : values) {
      Tango::DevVarDoubleArray numbers;
      if (!is_same(value.name(), "level") || !(value.value() >>= numbers) || numbers.size() != 1)
        fail("API_AttrNotWritable", value.name());
      set_level(numbers.front());
    }
  }

 private:
  static Tango::AttributeConfig_5 config_of(const std::string& name) {
    const bool is_level = is_same(name, "level"), is_counts = is_same(name, "counts");
    if (!is_level && !is_counts && !is_same(name, "label")) fail("API_AttrNotFound", name);
    Tango::AttributeConfig_5 config;
    config.name(name);
    config.label(name);
    config.writable(is_level ? Tango::AttrWriteType::READ_WRITE : Tango::AttrWriteType::READ);
    config.data_format(is_counts ? Tango::AttrDataFormat::SPECTRUM : Tango::AttrDataFormat::SCALAR);
    config.data_type(is_level ? dev_double : is_counts ? dev_long64 : dev_string);
    config.max_dim_x(is_counts ? 8 : 1);
    config.writable_attr_name(is_level ? "level" : "None");
    config.format(is_level ? "%6.2f" : "%s");
    config.level(Tango::DispLevel::OPERATOR);
    return config;
  }
  Tango::AttributeValue_5 value_of(const std::string& name) {
    const Tango::AttributeConfig_5 config = config_of(name);
    Tango::AttributeValue_5 value;
    value.name(name);
    value.quality(Tango::AttrQuality::ATTR_VALID);
    value.time(now());
    value.data_format(config.data_format());
    value.data_type(config.data_type());
    value.r_dim({1, 0});
    if (config.data_type() == dev_double) {
      // The value that is read, then the one that was written last.
      value.value().double_att_value({level(), level()});
      value.w_dim({1, 0});
    } else if (config.data_type() == dev_long64) {
      value.value().long64_att_value({1, 2, 3});
      value.r_dim({3, 0});
    } else {
      value.value().string_att_value({"tank"});
    }
    return value;
  }
  double level() {
    std::lock_guard lock(mutex_);
    return level_;
  }
  void set_level(double level) {
    std::lock_guard lock(mutex_);
    level_ = level;
  }

  std::mutex mutex_;
  double level_ = 1.5;
};

}  // namespace

int main(int argc, char* argv[]) {
  try {
    const auto orb = CORBA::ORB_init(argc, argv, "tango");
    const auto root = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    const auto id = root->activate_object(CORBA::make_reference<Plant>());
    orb->register_object_key("test/plant/1", root->id_to_reference(id));
    root->the_POAManager()->activate();
    std::cout << "ready" << std::endl;
    orb->run();
  } catch (const std::exception& failure) {
    std::cerr << failure.what() << "\n";
    return 1;
  }
}
