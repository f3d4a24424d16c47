#include "events/delivery/client_figures.h"

#include "addresses/address_in.h"

namespace takt::events {

ClientPlace place_of(const std::string& client, CORBA::ORB& orb) {
  const cdr::Ior ior = addresses::ior_of(orb.string_to_object(client));
  return {addresses::address_in(ior), ior.type_id};
}

}  // namespace takt::events
