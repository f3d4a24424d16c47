#include "cpp/runtime_types.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace takt::idl::cpp {

namespace {

struct Header {
  std::string_view file;    // the name of the IDL file
  std::string_view module;  // that it declares
  std::vector<std::string_view> members;
  std::string_view header;
};

const std::vector<Header>& headers() {
  static const std::vector<Header> all{
      {"BiDirPolicy.idl",
       "BiDirPolicy",
       {"BIDIRECTIONAL_POLICY_TYPE", "BOTH", "BidirectionalPolicyValue", "NORMAL"},
       "takt/standard/BiDirPolicyC.h"},
      {"IOP.idl",
       "IOP",
       {"BI_DIR_IIOP",
        "ChainBypassCheck",
        "ChainBypassInfo",
        "CodeSets",
        "ComponentId",
        "ENCODING_CDR_ENCAPS",
        "Encoding",
        "EncodingFormat",
        "Encoding_1_2",
        "ExceptionDetailMessage",
        "FORWARDED_IDENTITY",
        "INVOCATION_POLICIES",
        "IOR",
        "LogicalThreadId",
        "MultipleComponentProfile",
        "ProfileId",
        "RTCorbaPriority",
        "RTCorbaPriorityRange",
        "SendingContextRunTime",
        "ServiceContext",
        "ServiceContextList",
        "ServiceId",
        "TAG_ALTERNATE_IIOP_ADDRESS",
        "TAG_CODE_SETS",
        "TAG_INTERNET_IOP",
        "TAG_MULTIPLE_COMPONENTS",
        "TAG_ORB_TYPE",
        "TAG_POLICIES",
        "TaggedComponent",
        "TaggedComponentSeq",
        "TaggedProfile",
        "TaggedProfileSeq",
        "TransactionService",
        "UnknownExceptionInfo"},
       "takt/standard/IOPC.h"},
      {"Messaging.idl",
       "Messaging",
       {"NO_RECONNECT", "NO_REBIND", "Priority", "PriorityRange", "REBIND_POLICY_TYPE",
        "RELATIVE_REQ_TIMEOUT_POLICY_TYPE", "RELATIVE_RT_TIMEOUT_POLICY_TYPE", "REPLY_END_TIME_POLICY_TYPE",
        "REQUEST_END_TIME_POLICY_TYPE", "REQUEST_PRIORITY_POLICY_TYPE", "REQUEST_START_TIME_POLICY_TYPE",
        "RebindMode", "SYNC_NONE", "SYNC_SCOPE_POLICY_TYPE", "SYNC_WITH_SERVER", "SYNC_WITH_TARGET",
        "SYNC_WITH_TRANSPORT", "SyncScope", "TRANSPARENT"},
       "takt/standard/MessagingC.h"},
      {"PortableServer.idl",
       "PortableServer",
       {"IMPLICIT_ACTIVATION",
        "IMPLICIT_ACTIVATION_POLICY_ID",
        "ID_ASSIGNMENT_POLICY_ID",
        "ID_UNIQUENESS_POLICY_ID",
        "IdAssignmentPolicyValue",
        "IdUniquenessPolicyValue",
        "ImplicitActivationPolicyValue",
        "LIFESPAN_POLICY_ID",
        "LifespanPolicyValue",
        "MAIN_THREAD_MODEL",
        "MULTIPLE_ID",
        "NON_RETAIN",
        "NO_IMPLICIT_ACTIVATION",
        "ORB_CTRL_MODEL",
        "ObjectId",
        "PERSISTENT",
        "REQUEST_PROCESSING_POLICY_ID",
        "RETAIN",
        "RequestProcessingPolicyValue",
        "SERVANT_RETENTION_POLICY_ID",
        "SINGLE_THREAD_MODEL",
        "SYSTEM_ID",
        "ServantRetentionPolicyValue",
        "THREAD_POLICY_ID",
        "TRANSIENT",
        "ThreadPolicyValue",
        "UNIQUE_ID",
        "USER_ID",
        "USE_ACTIVE_OBJECT_MAP_ONLY",
        "USE_DEFAULT_SERVANT",
        "USE_SERVANT_MANAGER"},
       "takt/standard/PortableServerC.h"},
      {"RTCORBA.idl",
       "RTCORBA",
       {"CLIENT_PROPAGATED", "CLIENT_PROTOCOL_POLICY_TYPE", "NativePriority",
        "PRIORITY_BANDED_CONNECTION_POLICY_TYPE", "PRIORITY_MODEL_POLICY_TYPE",
        "PRIVATE_CONNECTION_POLICY_TYPE", "Priority", "PriorityBand", "PriorityBands", "PriorityModel",
        "SERVER_DECLARED", "SERVER_PROTOCOL_POLICY_TYPE", "THREADPOOL_POLICY_TYPE", "ThreadpoolId",
        "ThreadpoolLane", "ThreadpoolLanes", "maxPriority", "minPriority"},
       "takt/standard/RTCORBAC.h"},
      {"TimeBase.idl",
       "TimeBase",
       {"InaccuracyT", "IntervalT", "TdfT", "TimeT", "UtcT"},
       "takt/standard/TimeBaseC.h"},
  };
  return all;
}

// The outermost module, and the member of it that the declaration is or is in.
struct Place {
  const Declaration* module;
  const Declaration* member;
};
std::optional<Place> place_of(const Declaration& declaration) {
  const Declaration* member = &declaration;
  while (member->scope && member->scope->scope && member->scope->scope->scope) member = member->scope;
  if (!member->scope || !member->scope->scope) return std::nullopt;
  return Place{member->scope, member};
}

}  // namespace

std::string_view runtimes_header(const Unit& unit, const Declaration& declaration) {
  const std::optional<Place> place = place_of(declaration);
  if (!place) return {};
  const std::string file = std::filesystem::path(unit.files[declaration.at.file].name).filename();
  for (const Header& each : headers()) {
    if (each.file == file && each.module == place->module->name &&
        std::ranges::find(each.members, place->member->name) != each.members.end())
      return each.header;
  }
  return {};
}

std::string_view runtimes_header_of_file(const Unit& unit, std::size_t file) {
  std::string_view header;
  for (const Declaration& declaration : unit.declarations) {
    if (declaration.at.file != file || declaration.kind == DeclarationKind::module_) continue;
    header = runtimes_header(unit, declaration);
    if (header.empty()) return {};
  }
  return header;
}

std::set<std::string_view> runtimes_headers_of_main_file(const Unit& unit) {
  std::set<std::string_view> found;
  for (const Declaration& declaration : unit.declarations)
    if (declaration.in_main_file) found.insert(runtimes_header(unit, declaration));
  found.erase(std::string_view());
  return found;
}

}  // namespace takt::idl::cpp
