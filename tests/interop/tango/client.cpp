// A client of a device of pytango: reads and writes attributes and runs commands.
//
//   interop_takt_tango REFERENCE
#include <cstdint>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include <takt/corba.h>

#include "tangoC.h"

namespace {

int failures = 0;

void check(bool holds, const std::string& what) {
  if (holds) return;
  ++failures;
  std::cout << "FAIL " << what << "\n";
}

template <class T>
T value_of(const CORBA::Any& any, const std::string& what) {
  T value{};
  check(any >>= value, what + " has another type");
  return value;
}

Tango::AttributeValue read(Tango::Device& device, const std::string& attribute) {
  const auto values = device.read_attributes({attribute});
  check(values.size() == 1 && values[0].name() == attribute &&
            values[0].quality() == Tango::AttrQuality::ATTR_VALID,
        attribute + " is not one valid value");
  return values.empty() ? Tango::AttributeValue() : values.front();
}

void write(Tango::Device& device, const std::string& attribute, double number) {
  Tango::AttributeValue value;
  value.name(attribute);
  value.dim_x(1);
  value.value() <<= Tango::DevVarDoubleArray{number};
  device.write_attributes({value});
}

CORBA::Any call(Tango::Device& device, const std::string& command, std::int64_t argument) {
  CORBA::Any any;
  any <<= argument;
  return device.command_inout(command, any);
}

std::string failure_of(Tango::Device& device, const std::string& attribute) {
  try {
    device.read_attributes({attribute});
  } catch (const Tango::DevFailed& failed) {
    return failed.errors().empty() ? "no error" : failed.errors().front().reason();
  }
  return "no exception";
}

void run(Tango::Device& device) {
  device.ping();
  check(device.name() == "test/plant/1", "the name is " + device.name());
  check(device.state() == Tango::DevState::ON, "the state is not ON");
  check(device.status().find("ON") != std::string::npos, "the status is " + device.status());
  // The sequence has the value read, then the value last written.
  const auto level = value_of<Tango::DevVarDoubleArray>(read(device, "level").value(), "level");
  check(!level.empty() && level.front() == 1.5, "level is not 1.5");
  write(device, "level", 42.25);
  const auto written = value_of<Tango::DevVarDoubleArray>(read(device, "level").value(), "level");
  check(!written.empty() && written.front() == 42.25, "level is not what was written");
  const auto counts = value_of<Tango::DevVarLong64Array>(read(device, "counts").value(), "counts");
  check(counts.size() >= 3 && counts[0] == 1 && counts[2] == 3, "counts are not 1, 2, 3");
  const auto label = value_of<Tango::DevVarStringArray>(read(device, "label").value(), "label");
  check(!label.empty() && label.front() == "tank", "label is not tank");
  check(value_of<std::int64_t>(call(device, "double_it", 1LL << 40), "double_it") == 1LL << 41, "double_it");
  check(failure_of(device, "absent") == "API_AttrNotFound", "absent: " + failure_of(device, "absent"));
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    const auto orb = CORBA::ORB_init(argc, argv, "tango");
    if (argc != 2) return 2;
    const auto device = IDL::traits<Tango::Device>::narrow(orb->string_to_object(argv[1]));
    if (!device) return 2;
    run(*device);
    orb->destroy();
  } catch (const std::exception& failure) {
    check(false, failure.what());
  }
  std::cout << (failures ? "failed" : "passed") << "\n";
  return failures ? 1 : 0;
}
