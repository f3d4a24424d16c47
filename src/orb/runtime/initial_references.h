// Names to begin with: RootPOA, NameService and their like (CORBA 3.0.3, 4.5.2).
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <takt/reference/object.h>

namespace takt::orb {

// Any thread. Makers and URLs are resolved without a lock.
class InitialReferences {
 public:
  using Reference = CORBA::object_reference<CORBA::Object>;
  using Maker = std::function<Reference()>;

  // False: the name is taken.
  bool add(const std::string& name, Reference object);
  Reference remove(const std::string& name);
  // What the ORB, or a part that is plugged into it, has to offer; made when somebody asks.
  void add_built_in(const std::string& name, Maker maker);
  void add_url(const std::string& name, const std::string& url);
  void set_default_url(const std::string& prefix) { default_url_ = prefix; }

  // Null, and `url` set or empty, if a URL leads there or nothing does.
  Reference find(const std::string& name, std::string& url) const;
  std::vector<std::string> names() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Reference> registered_;
  std::map<std::string, Maker> built_in_;
  std::map<std::string, std::string> urls_;
  std::string default_url_;
};

}  // namespace takt::orb
