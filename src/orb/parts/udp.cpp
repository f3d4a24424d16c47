#include "orb/parts/parts.h"
#include "transport/udp/udp_transport.h"

void takt::add_udp(Parts& parts) {
  parts.transports.push_back([](transport::TransportRegistry& transports, const orb::Settings& settings) {
    transports.add(std::make_unique<transport::UdpTransport>(settings.udp));
  });
}
