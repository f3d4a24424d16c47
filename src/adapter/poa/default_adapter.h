// The adapters of all ORBs of the process, for code without an ORB.
#pragma once

#include <memory>

namespace takt::reference {
class References;
}  // namespace takt::reference

namespace takt::adapter {

class AdapterTree;
class PoaCore;

// Needed for Servant::_default_POA, which has no ORB (CORBA 3.0.3, 11.3.1.1). Any thread.
void remember_adapters(AdapterTree& tree);
void forget_adapters(AdapterTree& tree);
// A root POA, and the pointer that keeps its ORB alive.
struct DefaultRoot {
  std::shared_ptr<reference::References> orb;
  std::shared_ptr<PoaCore> root;  // null: there is none
};
// The root POA of the oldest remaining tree.
DefaultRoot default_root();
// Makes the root POA of the process's default ORB, if no ORB has one yet. False if there is no ORB.
using OpenRoot = bool (*)();
void set_open_root(OpenRoot open);
bool open_default_root();
// The adapters of that ORB, valid as long as the ORB; null if it has none.
AdapterTree* adapters_of(const reference::References& references);

}  // namespace takt::adapter
