"""A device of pytango, without a database: device.py test -nodb -dlist test/plant/1 -ORBendPoint giop:tcp:HOST:PORT"""

from tango import AttrWriteType, DevState
from tango.server import Device, attribute, command


class Plant(Device):
    counts = attribute(dtype=(int,), max_dim_x=8, fget=lambda self: [1, 2, 3])
    label = attribute(dtype=str, fget=lambda self: "tank")
    level = attribute(dtype=float, access=AttrWriteType.READ_WRITE)

    def init_device(self):
        super().init_device()
        self.now = 1.5
        self.set_state(DevState.ON)

    def read_level(self):
        return self.now

    def write_level(self, value):
        self.now = value

    @command(dtype_in=int, dtype_out=int)
    def double_it(self, number):
        return 2 * number


if __name__ == "__main__":
    Plant.run_server()
