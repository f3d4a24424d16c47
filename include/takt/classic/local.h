// How the runtime sees objects of local interfaces in the classic mapping. C++14.
#pragma once

namespace takt {
namespace classic {

// An object of the application's that implements a local interface. Any thread.
class LocalImplementation {
 public:
  virtual ~LocalImplementation() {}
  virtual bool _takt_supports(const char* repository_id) const = 0;
  virtual void _takt_add_ref() = 0;
  virtual void _takt_remove_ref() = 0;
};

}  // namespace classic
}  // namespace takt
