// Servant managers and adapter activators of the classic mapping, as the runtime calls them. C++14.
//
// They throw exceptions of the runtime. References to POAs are handed over. Servants that are returned stay
// the application's.
#pragma once

#include <cstddef>

namespace takt {
namespace classic {

class Reference;
class Servant;

class ActivatorImplementation {
 public:
  virtual ~ActivatorImplementation() {}
  virtual Servant* _takt_incarnate(const unsigned char* id, std::size_t length, Reference* poa) = 0;
  virtual void _takt_etherealize(const unsigned char* id, std::size_t length, Reference* poa,
                                 Servant& servant, bool cleanup_in_progress, bool remaining_activations) = 0;
};
class LocatorImplementation {
 public:
  virtual ~LocatorImplementation() {}
  virtual Servant* _takt_preinvoke(const unsigned char* id, std::size_t length, Reference* poa,
                                   const char* operation, void*& cookie) = 0;
  virtual void _takt_postinvoke(const unsigned char* id, std::size_t length, Reference* poa,
                                const char* operation, void* cookie, Servant& servant) = 0;
};
class AdapterImplementation {
 public:
  virtual ~AdapterImplementation() {}
  virtual bool _takt_unknown_adapter(Reference* parent, const char* name) = 0;
};

}  // namespace classic
}  // namespace takt
