// IDL: examples/hello/hello.idl
#pragma once

#include "plain.h"

#include "helloS.h"

class Greeter final : public virtual CORBA::servant_traits<Hello::Greeter>::base_type {
 public:
  std::string greet(const std::string& name) override { return name; }
};
