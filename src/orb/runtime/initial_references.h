// Initial references: RootPOA, NameService and others (CORBA 3.0.3, 4.5.2).
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <takt/reference/object.h>

#include "threads/locks/priority_mutex.h"

namespace takt::orb {

// Any thread. Makers and URLs are resolved without a lock.
class InitialReferences {
 public:
  using Reference = CORBA::object_reference<CORBA::Object>;
  using Maker = std::function<Reference()>;

  // False if the name is taken.
  bool add(const std::string& name, Reference object);
  Reference remove(const std::string& name);
  // A reference that the ORB, or a feature, makes when it is first needed.
  void add_built_in(const std::string& name, Maker maker);
  void add_url(const std::string& name, const std::string& url);
  void set_default_url(const std::string& prefix) { default_url_ = prefix; }

  // Null if the name has a URL, which is put into `url`, or is unknown; then `url` is empty.
  Reference find(const std::string& name, std::string& url) const;
  std::vector<std::string> names() const;

 private:
  mutable os::PriorityMutex mutex_;
  std::map<std::string, Reference> registered_;
  std::map<std::string, Maker> built_in_;
  std::map<std::string, std::string> urls_;
  std::string default_url_;
};

}  // namespace takt::orb
