// The environment of all decoders of an ORB.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <takt/cdr/environment.h>

#include "config/reports/failure_reports.h"
#include "reference/references.h"
#include "threads/locks/priority_mutex.h"

namespace takt::orb {

// Makes references and values for decoders, and reports failures. Any thread.
class DecodingEnvironment final : public cdr::Environment {
 public:
  DecodingEnvironment(reference::References& references, const Warnings& warnings)
      : references_(references),
        failures_(warnings),
        conditions_(warnings, os::Clock::now, std::chrono::hours(1)) {}

  // The result also keeps the ORB alive.
  std::shared_ptr<cdr::Environment> shared() override { return {references_.shared(), this}; }
  std::shared_ptr<CORBA::Object> object_from_ior(cdr::Ior&& ior) override;
  std::shared_ptr<CORBA::ValueFactoryBase> value_factory(std::string_view repository_id) override;
  void request_fails(std::string_view operation, const CORBA::SystemException& failure) override {
    failures_.report(operation, failure);
  }
  void say_once(LogEvent event, const std::string& text) { conditions_.say_once(event, text); }

  // Returns the previous factory; a null factory removes it.
  std::shared_ptr<CORBA::ValueFactoryBase> set_value_factory(
      const std::string& repository_id, std::shared_ptr<CORBA::ValueFactoryBase> factory);

 private:
  reference::References& references_;
  // Apart, since clients can make servants' texts different at will, which must not keep the ORB's own from
  // being said.
  FailureReports failures_;
  FailureReports conditions_;
  os::PriorityMutex mutex_;
  std::map<std::string, std::shared_ptr<CORBA::ValueFactoryBase>, std::less<>> factories_;
};

}  // namespace takt::orb
