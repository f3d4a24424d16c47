#include <takt/cdr/exception.h>

#include "orb/parts/parts.h"
#include "roads/own_roads.h"

void takt::add_local_roads(Parts& parts) {
  parts.make_roads = [](const orb::Settings& settings) {
    const bool demands_tls = settings.tls.client_certificates == transport::ClientCertificates::required;
    auto made = roads::make_local_roads(settings.roads, !demands_tls, settings.log);
    if (!made) throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO, made.error());
    return *made;
  };
}
