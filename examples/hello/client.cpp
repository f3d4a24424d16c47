// hello_client REFERENCE [NAME]
#include <iostream>
#include <string>

#include <takt/corba.h>

#include "helloC.h"

int main(int argc, char* argv[]) {
  try {
    auto orb = CORBA::ORB_init(argc, argv);
    if (argc < 2) {
      std::cerr << "usage: hello_client REFERENCE [NAME]\n";
      return 2;
    }
    auto greeter = IDL::traits<Hello::Greeter>::narrow(orb->string_to_object(argv[1]));
    std::cout << greeter->greet(argc > 2 ? argv[2] : "world") << '\n';
    orb->destroy();
  } catch (const Hello::NoName&) {
    std::cerr << "the server wants a name\n";
    return 1;
  } catch (const CORBA::Exception& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
  }
}
