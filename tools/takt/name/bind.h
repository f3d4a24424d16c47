// Makes a service's object known in the naming service.
#pragma once

#include <string>

#include <takt/orb/orb.h>

#include "common/command.h"

namespace takt::command {

// Adds the option --bind, whose value is for bind_in_naming(). `what` is the object in the option's help:
// "factory".
void add_bind(const Command& serve, std::string& name, const std::string& what);

// Binds the object to the name, "a/b.kind", in the naming service that the ORB's initial references name;
// makes the contexts on the way. Without such a reference it does nothing. Each call takes 5 s at most.
// Reports a failure to standard error, once, with `what` as the object: "takt events serve: the factory".
void bind_in_naming(CORBA::ORB& orb, const std::string& name,
                    const CORBA::object_reference<CORBA::Object>& object, const std::string& what);

}  // namespace takt::command
