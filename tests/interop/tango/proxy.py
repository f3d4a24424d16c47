"""Uses a device by pytango's DeviceProxy, without a database: proxy.py HOST:PORT"""

import sys

import tango

failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print("FAIL", what)


def reason_of(action):
    try:
        action()
    except tango.DevFailed as failed:
        return failed.args[0].reason
    return "no exception"


def run(device):
    device.ping()
    check(device.name() == "test/plant/1", f"the name is {device.name()}")
    check(device.state() == tango.DevState.ON, f"the state is {device.state()}")
    check("ON" in device.status(), f"the status is {device.status()}")
    check(device.info().dev_class == "Plant", f"the class is {device.info().dev_class}")
    check(list(device.get_attribute_list()) == ["level", "counts", "label"], f"attributes {list(device.get_attribute_list())}")
    check(device.read_attribute("level").value == 1.5, "level is not 1.5")
    device.write_attribute("level", 42.25)
    read = device.read_attribute("level")
    check(read.value == 42.25 and read.w_value == 42.25, f"level is {read.value}, {read.w_value}")
    check(read.quality == tango.AttrQuality.ATTR_VALID, f"quality {read.quality}")
    device.level = 7
    check(device.level == 7.0, f"level is {device.level}")
    check(device.write_read_attribute("level", 8.5).value == 8.5, "write_read_attribute")
    check(list(device.counts) == [1, 2, 3], f"counts are {device.counts}")
    check(device.label == "tank", f"label is {device.label}")
    check([one.value is not None for one in device.read_attributes(["level", "label"])] == [True, True], "read_attributes")
    check(device.command_inout("double_it", 1 << 40) == 1 << 41, "double_it")
    check(device.double_it(-3) == -6, "double_it as a method")
    check(device.reset() is None, "reset")
    check(device.level == 0.0, f"level after reset is {device.level}")
    check(sorted(one.cmd_name for one in device.command_list_query()) == ["State", "Status", "double_it", "reset"], "commands")
    check(reason_of(lambda: device.read_attribute("absent")) == "API_AttrNotFound", "absent attribute")
    check(reason_of(lambda: device.command_inout("absent")) == "API_CommandNotFound", "absent command")
    check(reason_of(lambda: device.write_attribute("label", "x")) == "API_AttrNotWritable", "label is written")
    identifier = device.command_inout_asynch("double_it", 21)
    check(device.command_inout_reply(identifier, timeout=3000) == 42, "an asynchronous command")
    identifier = device.read_attribute_asynch("level")
    check(device.read_attribute_reply(identifier, 3000).value == 0.0, "an asynchronous read")


if __name__ == "__main__":
    run(tango.DeviceProxy(f"tango://{sys.argv[1]}/test/plant/1#dbase=no"))
    print("failed" if failures else "passed")
    sys.exit(1 if failures else 0)
