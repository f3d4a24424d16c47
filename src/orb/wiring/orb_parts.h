// What one ORB consists of, below CORBA::ORB.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>

#include <takt/cdr/environment.h>

#include "adapter/measuring/measuring_dispatcher.h"
#include "adapter/upcalls/object_adapter.h"
#include "adapter/upcalls/probed_dispatcher.h"
#include "connection/orb_core.h"
#include "invocation/object_operations.h"
#include "orb/config/settings.h"
#include "orb/reports/failure_reports.h"
#include "os/memory/huge_pages.h"
#include "rt/real_time.h"
#include "rt/schedule/operation_schedule.h"

namespace takt::orb {

// What decoders get from the ORB: references and values; and where failures are told. Any thread.
class DecodingEnvironment final : public cdr::Environment {
 public:
  DecodingEnvironment(connection::OrbCore& core, const Warnings& warnings)
      : core_(core), failures_(warnings) {}

  // The core with it.
  std::shared_ptr<cdr::Environment> shared() override { return {core_.shared_from_this(), this}; }
  std::shared_ptr<CORBA::Object> object_from_ior(cdr::Ior&& ior) override;
  std::shared_ptr<CORBA::ValueFactoryBase> value_factory(std::string_view repository_id) override;
  void request_fails(std::string_view operation, const CORBA::SystemException& failure) override {
    failures_.report(operation, failure);
  }
  void say_once(const std::string& text) { failures_.say_once(text); }

  // Gives the former one; a null factory removes it.
  std::shared_ptr<CORBA::ValueFactoryBase> set_value_factory(
      const std::string& repository_id, std::shared_ptr<CORBA::ValueFactoryBase> factory);

 private:
  connection::OrbCore& core_;
  FailureReports failures_;
  std::shared_mutex mutex_;
  std::map<std::string, std::shared_ptr<CORBA::ValueFactoryBase>, std::less<>> factories_;
};

// What the options say of every connection, the server's and the client's.
transport::StreamOptions stream_options(const Settings& settings);

// The limits among the options, which may change while others read them.
void set_limits(connection::CoreOptions& options, const Settings& settings);
void set_limits(adapter::AdapterOptions& options, const Settings& settings);

// In one piece with the core, so that what the core points to lives as long as the last reference.
struct OrbParts final : connection::OrbCore {
  explicit OrbParts(const Settings& settings);

  os::HugePages large_tables;  // where the adapter's is
  adapter::ObjectAdapter object_adapter;
  std::unique_ptr<adapter::ProbedDispatcher> probed_dispatcher;        // where calls are probed
  std::unique_ptr<adapter::MeasuringDispatcher> measuring_dispatcher;  // where executions are measured
  // Of a bridge, whose own sources alone know its type: who makes none is not linked with them.
  std::shared_ptr<connection::Dispatcher> relay;
  std::function<void()> forget_inner_targets;  // the relay's, which hold references that own the parts
  invocation::RemoteObjectOperations remote_operations;
  const std::shared_ptr<rt::RealTime> real_time;
  rt::OperationSchedule operation_schedule;
  DecodingEnvironment decoding;
};

}  // namespace takt::orb
