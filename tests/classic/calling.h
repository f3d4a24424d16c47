// A client of one object. The first argument is the file that has its reference.
#pragma once

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "corba.h"
#include "counting.h"

// `call` takes the checks, the ORB and the object. At least `least` checks must be made.
template <class Call>
int call_object(int argc, char** argv, int least, Call call) {
  Checks checks;
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    std::ifstream file(argv[1]);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    CORBA::Object_var object = orb->string_to_object(text.c_str());
    call(checks, orb, object);
    orb->destroy();
  } catch (const CORBA::Exception& exception) {
    const CORBA::SystemException* const system = CORBA::SystemException::_downcast(&exception);
    std::printf("FAIL exception %s %lx\n", exception._rep_id(),
                system ? static_cast<unsigned long>(system->minor()) : 0);
    return 1;
  }
  return checks.result(least);
}
