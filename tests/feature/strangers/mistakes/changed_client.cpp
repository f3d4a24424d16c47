// changed_client MISTAKE REFERENCE: makes a call as a program does that was written for another IDL or
// another interface. MISTAKE: idl, narrow or unchecked.
#include <iostream>
#include <string>

#include <takt/corba.h>

#include "changedC.h"

int main(int argc, char* argv[]) {
  try {
    auto orb = CORBA::ORB_init(argc, argv);
    if (argc < 3) return 2;
    const std::string mistake = argv[1];
    const auto object = orb->string_to_object(argv[2]);
    if (mistake == "idl") {
      std::cout << IDL::traits<Hello::Greeter>::narrow(object)->greet("world").text() << '\n';
    } else if (mistake == "narrow") {
      std::cout << IDL::traits<Hello::Clock>::narrow(object)->now() << '\n';
    } else {
      std::cout << IDL::traits<Hello::Clock>::unchecked_narrow(object)->now() << '\n';
    }
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
  }
}
