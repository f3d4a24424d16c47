// Names that the code of every page may use.
#pragma once

#include <chrono>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <takt/corba.h>

using namespace std::chrono_literals;

inline IDL::traits<CORBA::ORB>::ref_type orb;
inline IDL::traits<PortableServer::POA>::ref_type root, poa;
inline IDL::traits<CORBA::Object>::ref_type object;
inline int argc;
inline char** argv;
