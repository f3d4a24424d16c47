// How the ORB makes its table of object keys.
#pragma once

#include <memory>

#include <takt/orb/ior_table.h>

namespace takt::orb {

// Null in a program that does not use IORTable::Table, since nothing else links its source.
[[gnu::weak]] CORBA::object_reference<CORBA::Object> make_ior_table(std::weak_ptr<adapter::KeyAliases> keys,
                                                                    IORTable::Table::FindOrb orb);

}  // namespace takt::orb
