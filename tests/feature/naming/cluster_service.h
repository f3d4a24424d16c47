// A process of `takt naming` that shares its names with others, as a client sees it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "../kept_port.h"
#include "../make_orb.h"
#include "Takt_NamingC.h"
#include "process.h"
#include "served.h"

namespace feature {

class Service {
 public:
  static constexpr std::chrono::seconds patience{30};

  Service(const std::string& store, std::vector<std::string> options = {})
      : store_(store), options_(options) {
    start();
  }
  ~Service() { orb_->destroy(); }

  void start() {
    std::vector<std::string> words{"naming", "--store", store_, "--listen", port_.endpoint()};
    words.insert(words.end(), options_.begin(), options_.end());
    process_ = std::make_unique<Process>(TAKT_COMMAND, words);
    if (process_->line().empty()) throw std::runtime_error("the service has not started");
  }
  Process& process() { return *process_; }
  CORBA::ORB& orb() { return *orb_; }
  const CORBA::object_reference<NamingContextExt>& root() const { return root_; }
  ObjectRef object(const std::string& key) {
    return orb_->string_to_object("corbaloc:iiop:1.2@127.0.0.1:9/" + key);
  }
  Takt::Naming::State state() {
    return IDL::traits<Takt::Naming::Service>::unchecked_narrow(
               orb_->string_to_object("corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(port_.port()) +
                                      "/TaktNaming"))
        ->look();
  }
  bool leads_to(const std::string& text, const std::string& key) {
    return root_->resolve(name(text))->_is_equivalent(object(key));
  }
  std::string thrown(const std::function<void(NamingContextExt&)>& call) {
    return exception_of([&] { call(*root_); });
  }
  // Whether `call` throws nothing in the end, although services are restarted meanwhile.
  bool works_again(const std::function<void(NamingContextExt&)>& call) {
    for (const auto until = std::chrono::steady_clock::now() + patience;
         std::chrono::steady_clock::now() < until; std::this_thread::sleep_for(std::chrono::milliseconds(20)))
      if (thrown(call) == "nothing") return true;
    return false;
  }

 private:
  const std::string store_;
  const std::vector<std::string> options_;
  const KeptPort port_;
  const Orb orb_ = make_orb({"-ORBRoundTripTimeout", "40s"}, "client");
  const CORBA::object_reference<NamingContextExt> root_ = IDL::traits<NamingContextExt>::unchecked_narrow(
      orb_->string_to_object("corbaloc:iiop:1.2@127.0.0.1:" + std::to_string(port_.port()) + "/NameService"));
  std::unique_ptr<Process> process_;
};

}  // namespace feature
