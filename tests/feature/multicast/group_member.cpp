// A member of a group as a process: group_member URL COUNT. Prints "ready", and after COUNT requests, those
// requests.
#include <iostream>

#include "listener.h"
#include "make_orb.h"

int main(int, char** arguments) {
  const auto orb = feature::make_orb(feature::over("lo"), "member");
  const auto goa = IDL::traits<PortableGroup::GOA>::narrow(orb->resolve_initial_references("RootPOA"));
  auto listener = CORBA::make_reference<feature::ListenerServant>();
  goa->associate_reference_with_id(orb->string_to_object(arguments[1]), goa->activate_object(listener));
  goa->the_POAManager()->activate();
  std::cout << "ready" << std::endl;
  for (const auto& heard : listener->wait_for(std::stoul(arguments[2]))) std::cout << heard.number << ' ';
  std::cout << std::endl;
  orb->destroy();
}
