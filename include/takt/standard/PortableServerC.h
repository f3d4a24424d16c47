// Made by takt-idl from PortableServer.idl; changes will be lost.
#pragma once

#include <takt/cdr/mapping.h>

#include <takt/standard/CORBA_policiesC.h>

namespace PortableServer {

using ObjectId = std::vector<std::uint8_t>;
CORBA::typecode_reference _type_code_of_ObjectId();
inline constexpr takt::cdr::TypeCodeConstant _tc_ObjectId{&_type_code_of_ObjectId};
inline constexpr CORBA::PolicyType THREAD_POLICY_ID = 16u;
inline constexpr CORBA::PolicyType LIFESPAN_POLICY_ID = 17u;
inline constexpr CORBA::PolicyType ID_UNIQUENESS_POLICY_ID = 18u;
inline constexpr CORBA::PolicyType ID_ASSIGNMENT_POLICY_ID = 19u;
inline constexpr CORBA::PolicyType IMPLICIT_ACTIVATION_POLICY_ID = 20u;
inline constexpr CORBA::PolicyType SERVANT_RETENTION_POLICY_ID = 21u;
inline constexpr CORBA::PolicyType REQUEST_PROCESSING_POLICY_ID = 22u;

enum class ThreadPolicyValue : std::uint32_t { ORB_CTRL_MODEL, SINGLE_THREAD_MODEL, MAIN_THREAD_MODEL };
template <class Out>
Out& operator<<(Out& out, ThreadPolicyValue value) {
  return IDL::write(out, value);
}
CORBA::typecode_reference _type_code_of_ThreadPolicyValue();
inline constexpr takt::cdr::TypeCodeConstant _tc_ThreadPolicyValue{&_type_code_of_ThreadPolicyValue};

enum class LifespanPolicyValue : std::uint32_t { TRANSIENT, PERSISTENT };
template <class Out>
Out& operator<<(Out& out, LifespanPolicyValue value) {
  return IDL::write(out, value);
}
CORBA::typecode_reference _type_code_of_LifespanPolicyValue();
inline constexpr takt::cdr::TypeCodeConstant _tc_LifespanPolicyValue{&_type_code_of_LifespanPolicyValue};

enum class IdUniquenessPolicyValue : std::uint32_t { UNIQUE_ID, MULTIPLE_ID };
template <class Out>
Out& operator<<(Out& out, IdUniquenessPolicyValue value) {
  return IDL::write(out, value);
}
CORBA::typecode_reference _type_code_of_IdUniquenessPolicyValue();
inline constexpr takt::cdr::TypeCodeConstant _tc_IdUniquenessPolicyValue{
    &_type_code_of_IdUniquenessPolicyValue};

enum class IdAssignmentPolicyValue : std::uint32_t { USER_ID, SYSTEM_ID };
template <class Out>
Out& operator<<(Out& out, IdAssignmentPolicyValue value) {
  return IDL::write(out, value);
}
CORBA::typecode_reference _type_code_of_IdAssignmentPolicyValue();
inline constexpr takt::cdr::TypeCodeConstant _tc_IdAssignmentPolicyValue{
    &_type_code_of_IdAssignmentPolicyValue};

enum class ImplicitActivationPolicyValue : std::uint32_t { IMPLICIT_ACTIVATION, NO_IMPLICIT_ACTIVATION };
template <class Out>
Out& operator<<(Out& out, ImplicitActivationPolicyValue value) {
  return IDL::write(out, value);
}
CORBA::typecode_reference _type_code_of_ImplicitActivationPolicyValue();
inline constexpr takt::cdr::TypeCodeConstant _tc_ImplicitActivationPolicyValue{
    &_type_code_of_ImplicitActivationPolicyValue};

enum class ServantRetentionPolicyValue : std::uint32_t { RETAIN, NON_RETAIN };
template <class Out>
Out& operator<<(Out& out, ServantRetentionPolicyValue value) {
  return IDL::write(out, value);
}
CORBA::typecode_reference _type_code_of_ServantRetentionPolicyValue();
inline constexpr takt::cdr::TypeCodeConstant _tc_ServantRetentionPolicyValue{
    &_type_code_of_ServantRetentionPolicyValue};

enum class RequestProcessingPolicyValue : std::uint32_t {
  USE_ACTIVE_OBJECT_MAP_ONLY,
  USE_DEFAULT_SERVANT,
  USE_SERVANT_MANAGER
};
template <class Out>
Out& operator<<(Out& out, RequestProcessingPolicyValue value) {
  return IDL::write(out, value);
}
CORBA::typecode_reference _type_code_of_RequestProcessingPolicyValue();
inline constexpr takt::cdr::TypeCodeConstant _tc_RequestProcessingPolicyValue{
    &_type_code_of_RequestProcessingPolicyValue};

}  // namespace PortableServer

template <>
struct takt::cdr::EnumSize<::PortableServer::ThreadPolicyValue> {
  static constexpr std::uint32_t value = 3u;
  static constexpr Description<3> description{"IDL:omg.org/PortableServer/ThreadPolicyValue:1.0",
                                              "PortableServer::ThreadPolicyValue",
                                              {"ORB_CTRL_MODEL", "SINGLE_THREAD_MODEL", "MAIN_THREAD_MODEL"}};
};

template <>
struct takt::cdr::EnumSize<::PortableServer::LifespanPolicyValue> {
  static constexpr std::uint32_t value = 2u;
  static constexpr Description<2> description{"IDL:omg.org/PortableServer/LifespanPolicyValue:1.0",
                                              "PortableServer::LifespanPolicyValue",
                                              {"TRANSIENT", "PERSISTENT"}};
};

template <>
struct takt::cdr::EnumSize<::PortableServer::IdUniquenessPolicyValue> {
  static constexpr std::uint32_t value = 2u;
  static constexpr Description<2> description{"IDL:omg.org/PortableServer/IdUniquenessPolicyValue:1.0",
                                              "PortableServer::IdUniquenessPolicyValue",
                                              {"UNIQUE_ID", "MULTIPLE_ID"}};
};

template <>
struct takt::cdr::EnumSize<::PortableServer::IdAssignmentPolicyValue> {
  static constexpr std::uint32_t value = 2u;
  static constexpr Description<2> description{"IDL:omg.org/PortableServer/IdAssignmentPolicyValue:1.0",
                                              "PortableServer::IdAssignmentPolicyValue",
                                              {"USER_ID", "SYSTEM_ID"}};
};

template <>
struct takt::cdr::EnumSize<::PortableServer::ImplicitActivationPolicyValue> {
  static constexpr std::uint32_t value = 2u;
  static constexpr Description<2> description{"IDL:omg.org/PortableServer/ImplicitActivationPolicyValue:1.0",
                                              "PortableServer::ImplicitActivationPolicyValue",
                                              {"IMPLICIT_ACTIVATION", "NO_IMPLICIT_ACTIVATION"}};
};

template <>
struct takt::cdr::EnumSize<::PortableServer::ServantRetentionPolicyValue> {
  static constexpr std::uint32_t value = 2u;
  static constexpr Description<2> description{"IDL:omg.org/PortableServer/ServantRetentionPolicyValue:1.0",
                                              "PortableServer::ServantRetentionPolicyValue",
                                              {"RETAIN", "NON_RETAIN"}};
};

template <>
struct takt::cdr::EnumSize<::PortableServer::RequestProcessingPolicyValue> {
  static constexpr std::uint32_t value = 3u;
  static constexpr Description<3> description{
      "IDL:omg.org/PortableServer/RequestProcessingPolicyValue:1.0",
      "PortableServer::RequestProcessingPolicyValue",
      {"USE_ACTIVE_OBJECT_MAP_ONLY", "USE_DEFAULT_SERVANT", "USE_SERVANT_MANAGER"}};
};
