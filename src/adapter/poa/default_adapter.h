// The adapters of all ORBs of the process, for those who do not know whose they use.
#pragma once

#include <memory>

namespace takt::reference {
class References;
}  // namespace takt::reference

namespace takt::adapter {

class AdapterTree;
class PoaCore;

// Servant::_default_POA has no ORB to ask, so that the process must know (CORBA 3.0.3, 11.3.1.1). Any thread.
void remember_adapters(AdapterTree& tree);
void forget_adapters(AdapterTree& tree);
// The root POA of the tree that was remembered first and is still there; null if there is none. `orb`
// keeps its ORB's parts alive.
std::shared_ptr<PoaCore> default_root(std::shared_ptr<void>& orb);
// The adapters of that ORB; null if it has none. They last as long as the ORB.
AdapterTree* adapters_of(const reference::References& references);

}  // namespace takt::adapter
