#include "port/rules.h"

#include <span>

namespace takt::command::port {

namespace {

using enum Verdict;

constexpr std::string_view inside = "it is internal to the other ORB; use the standard's interface";
constexpr std::string_view ace_stays = "ACE stays (package libace-dev)";
constexpr std::string_view no_macros = "leave it out: errors are C++ exceptions";
constexpr std::string_view link_tao =
    "Takt::tao, or -ltakt_tao -ltakt_classic -ltakt; pkg-config TAO has them";
constexpr std::string_view no_such_name = "the classic mapping has no such name";
constexpr std::string_view own_service = "compile the service's IDL with takt-idl --mapping classic";

// The first rule that fits counts.
constexpr Rule headers[] = {
    {"omniORB4/CORBA.h", as_it_is, ""},
    {"omniORB4/CORBA_sysdep.h", as_it_is, ""},
    {"omniORB4/Naming.hh", as_it_is, ""},
    {"omniORB4/minorCode.h", as_it_is, ""},
    {"omniORB4/omniORB.h", as_it_is, ""},
    {"omniORB4/omniURI.h", as_it_is, ""},
    {"omnithread.h", as_it_is, ""},
    {"omniORB4/BiDirPolicy.h", as_it_is, ""},
    {"omniORB4/messaging.hh", as_it_is, ""},
    {"omniORB4/poa.h", as_it_is, ""},
    {"omniORB4/messaging*", change, "leave it out: <omniORB4/CORBA.h> has the policies of Messaging"},
    {"omniORB4/poa*", change, "leave it out: <omniORB4/CORBA.h> has the POA"},
    {"omniORB4/omniInterceptors.h", as_it_is, ""},
    {"omniORB4/omniPolicy.h", as_it_is, ""},
    {"omniORB4/sslContext.h", as_it_is, ""},
    {"omniORB4/ssl*", change,
     "leave it out: TLS is set by options, -ORBTLSCertificate and -ORBTLSAuthorities"},
    {"omniORB4/omniZIOP.h", missing, "messages are compressed by options, -ORBCompression"},
    {"omniORB4/dynAny.h", missing, "DynAny: <takt/dynamic/dyn_any.h> has it, in the C++11 mapping"},
    {"omniORB4/omniConnectionMgmt.h", missing, "connections are chosen by options, -ORBClientConnections"},
    {"omniORB4/*", missing, inside},
    {"omniORB3/*", change, "the header of the same name in omniORB4/"},
    {"COS/*", change, own_service},
    {"tao/AnyTypeCode/Any.h", as_it_is, ""},
    {"tao/AnyTypeCode/AnyTypeCode_methods.h", as_it_is, ""},
    {"tao/AnyTypeCode/TypeCode.h", as_it_is, ""},
    {"tao/AnyTypeCode/TypeCode_Constants.h", as_it_is, ""},
    {"tao/Basic_Types.h", as_it_is, ""},
    {"tao/BiDir_GIOP/BiDirGIOP.h", as_it_is, ""},
    {"tao/BooleanSeqC.h", as_it_is, ""},
    {"tao/CORBA_String.h", as_it_is, ""},
    {"tao/CORBA_methods.h", as_it_is, ""},
    {"tao/CurrentC.h", as_it_is, ""},
    {"tao/DoubleSeqC.h", as_it_is, ""},
    {"tao/DynamicInterface/Dynamic_Implementation.h", as_it_is, ""},
    {"tao/DynamicInterface/Request.h", as_it_is, ""},
    {"tao/DynamicInterface/Server_Request.h", as_it_is, ""},
    {"tao/Exception.h", as_it_is, ""},
    {"tao/FloatSeqC.h", as_it_is, ""},
    {"tao/IORTable/IORTable.h", as_it_is, ""},
    {"tao/LocalObject.h", as_it_is, ""},
    {"tao/LongSeqC.h", as_it_is, ""},
    {"tao/Messaging/Messaging.h", as_it_is, ""},
    {"tao/ORB.h", as_it_is, ""},
    {"tao/ORB_Constants.h", as_it_is, ""},
    {"tao/Object.h", as_it_is, ""},
    {"tao/OctetSeqC.h", as_it_is, ""},
    {"tao/PolicyC.h", as_it_is, ""},
    {"tao/Policy_Current.h", as_it_is, ""},
    {"tao/Policy_Manager.h", as_it_is, ""},
    {"tao/PortableServer/AdapterActivatorC.h", as_it_is, ""},
    {"tao/PortableServer/PS_CurrentC.h", as_it_is, ""},
    {"tao/PortableServer/PortableServer.h", as_it_is, ""},
    {"tao/PortableServer/PortableServerC.h", as_it_is, ""},
    {"tao/PortableServer/Root_POA.h", as_it_is, ""},
    {"tao/PortableServer/ServantActivatorC.h", as_it_is, ""},
    {"tao/PortableServer/ServantLocatorC.h", as_it_is, ""},
    {"tao/PortableServer/Servant_Base.h", as_it_is, ""},
    {"tao/ShortSeqC.h", as_it_is, ""},
    {"tao/StringSeqC.h", as_it_is, ""},
    {"tao/SystemException.h", as_it_is, ""},
    {"tao/TimeBaseC.h", as_it_is, ""},
    {"tao/TimeBaseS.h", as_it_is, ""},
    {"tao/ULongSeqC.h", as_it_is, ""},
    {"tao/UserException.h", as_it_is, ""},
    {"tao/Valuetype/ValueBase.h", as_it_is, ""},
    {"tao/Valuetype/ValueFactory.h", as_it_is, ""},
    {"tao/Version.h", as_it_is, ""},
    {"tao/corba.h", as_it_is, ""},
    {"tao/AnySeqC.h", as_it_is, ""},
    {"tao/AnyTypeCode/NVList.h", as_it_is, ""},
    {"tao/AnyTypeCode/SystemExceptionA.h", as_it_is, ""},
    {"tao/CharSeqC.h", as_it_is, ""},
    {"tao/CodecFactory/CodecFactoryC.h", as_it_is, ""},
    {"tao/CodecFactory/IOP_CodecC.h", as_it_is, ""},
    {"tao/DynamicInterface/Context.h", as_it_is, ""},
    {"tao/DynamicInterface/DII_CORBA_methods.h", as_it_is, ""},
    {"tao/DynamicInterface/Dynamic_ImplementationC.h", as_it_is, ""},
    {"tao/DynamicInterface/ExceptionList.h", as_it_is, ""},
    {"tao/DynamicInterface/Unknown_User_Exception.h", as_it_is, ""},
    {"tao/Environment.h", as_it_is, ""},
    {"tao/IOPC.h", as_it_is, ""},
    {"tao/IORInterceptor/IORInfoC.h", as_it_is, ""},
    {"tao/IORInterceptor/IORInterceptorC.h", as_it_is, ""},
    {"tao/LongDoubleSeqC.h", as_it_is, ""},
    {"tao/LongLongSeqC.h", as_it_is, ""},
    {"tao/Messaging/MessagingC.h", as_it_is, ""},
    {"tao/Messaging/Messaging_PolicyC.h", as_it_is, ""},
    {"tao/Messaging/Messaging_RT_PolicyC.h", as_it_is, ""},
    {"tao/Messaging/Messaging_SyncScopeC.h", as_it_is, ""},
    {"tao/Messaging/Messaging_SyncScope_PolicyC.h", as_it_is, ""},
    {"tao/PI/ClientRequestInfo.h", as_it_is, ""},
    {"tao/PI/ClientRequestInfoC.h", as_it_is, ""},
    {"tao/PI/ClientRequestInterceptorC.h", as_it_is, ""},
    {"tao/PI/InterceptorC.h", as_it_is, ""},
    {"tao/PI/InvalidSlotC.h", as_it_is, ""},
    {"tao/PI/ORBInitInfo.h", as_it_is, ""},
    {"tao/PI/ORBInitInfoC.h", as_it_is, ""},
    {"tao/PI/ORBInitializerC.h", as_it_is, ""},
    {"tao/PI/PIC.h", as_it_is, ""},
    {"tao/PI/PICurrentC.h", as_it_is, ""},
    {"tao/PI/PIForwardRequestC.h", as_it_is, ""},
    {"tao/PI/RequestInfoC.h", as_it_is, ""},
    {"tao/PI_ForwardC.h", as_it_is, ""},
    {"tao/PI_Server/PI_ServerC.h", as_it_is, ""},
    {"tao/PI_Server/ServerRequestInfo.h", as_it_is, ""},
    {"tao/PI_Server/ServerRequestInfoC.h", as_it_is, ""},
    {"tao/PI_Server/ServerRequestInterceptorC.h", as_it_is, ""},
    {"tao/Policy_ForwardC.h", as_it_is, ""},
    {"tao/PortableServer/ForwardRequestC.h", as_it_is, ""},
    {"tao/PortableServer/IdAssignmentPolicyC.h", as_it_is, ""},
    {"tao/PortableServer/IdUniquenessPolicyC.h", as_it_is, ""},
    {"tao/PortableServer/ImplicitActivationPolicyC.h", as_it_is, ""},
    {"tao/PortableServer/LifespanPolicyC.h", as_it_is, ""},
    {"tao/PortableServer/POAManager.h", as_it_is, ""},
    {"tao/PortableServer/POAManagerC.h", as_it_is, ""},
    {"tao/PortableServer/RequestProcessingPolicyC.h", as_it_is, ""},
    {"tao/PortableServer/ServantManagerC.h", as_it_is, ""},
    {"tao/PortableServer/ServantRetentionPolicyC.h", as_it_is, ""},
    {"tao/PortableServer/Servant_var.h", as_it_is, ""},
    {"tao/PortableServer/ThreadPolicyC.h", as_it_is, ""},
    {"tao/ServicesC.h", as_it_is, ""},
    {"tao/ULongLongSeqC.h", as_it_is, ""},
    {"tao/UShortSeqC.h", as_it_is, ""},
    {"tao/Utils/Implicit_Deactivator.h", as_it_is, ""},
    {"tao/Utils/ORB_Destroyer.h", as_it_is, ""},
    {"tao/Utils/ORB_Manager.h", as_it_is, ""},
    {"tao/Utils/PolicyList_Destroyer.h", as_it_is, ""},
    {"tao/Utils/RIR_Narrow.h", as_it_is, ""},
    {"tao/Utils/Servant_Var.h", as_it_is, ""},
    {"tao/Valuetype/AbstractBase.h", as_it_is, ""},
    {"tao/WCharSeqC.h", as_it_is, ""},
    {"tao/WStringSeqC.h", as_it_is, ""},
    {"tao/debug.h", as_it_is, ""},
    {"tao/RTCORBA/*", missing,
     "Real-time CORBA is there in the C++11 mapping and as options, not in the classic one"},
    {"tao/RTPortableServer/*", missing,
     "Real-time CORBA is there in the C++11 mapping and as options, not in the classic one"},
    {"tao/DynamicAny/*", missing, "DynAny: <takt/dynamic/dyn_any.h> has it, in the C++11 mapping"},
    {"tao/PI/PI.h", as_it_is, ""},
    {"tao/PI_Server/PI_Server.h", as_it_is, ""},
    {"tao/ORBInitializer_Registry.h", as_it_is, ""},
    {"tao/CodecFactory/CodecFactory.h", as_it_is, ""},
    {"tao/IORInterceptor/IORInterceptor.h", as_it_is, ""},
    {"tao/PI*", change, "<tao/PI/PI.h>, which has all of the interceptors"},
    {"tao/CodecFactory/*", change, "<tao/CodecFactory/CodecFactory.h>"},
    {"tao/IORInterceptor/*", change, "<tao/IORInterceptor/IORInterceptor.h>"},
    {"tao/ObjRefTemplate/*", change, "<tao/IORInterceptor/IORInterceptor.h>"},
    {"tao/IFR_Client/*", change, "the header that takt-idl --mapping classic makes of the repository's IDL"},
    {"tao/ImR_Client/*", change, "leave it out: -ltakt has it"},
    {"tao/TypeCodeFactory/*", change, "leave it out: -ltakt_classic has it"},
    {"tao/Strategies/*", change, "leave it out: strategies and transports are chosen by options"},
    {"tao/CDR.h", missing, inside},
    {"tao/*", missing, inside},
    {"orbsvcs/CosNamingC.h", as_it_is, ""},
    {"orbsvcs/CosNamingS.h", as_it_is, ""},
    {"orbsvcs/Cos*", change, own_service},
    {"orbsvcs/DsLog*", change, own_service},
    {"orbsvcs/*", missing, "TAO's service: compile its IDL with takt-idl --mapping classic, if it has any"},
    {"ace/*", as_it_is, ace_stays},
};

constexpr Rule names[] = {
    {"omniORB::setClientCallTimeout", as_it_is, ""},
    {"omniORB::setClientThreadCallTimeout", as_it_is, ""},
    {"omniORB::setClientConnectTimeout", as_it_is, ""},
    {"omniORB::fatalException", as_it_is, ""},
    {"omniORB::traceLevel", change, "option -ORBLogLevel"},
    {"omniORB::traceInvocations", change, "option -ORBLogLevel debug"},
    {"omniORB::setLogFunction", missing, "the log goes to standard error or to -ORBLogFile"},
    {"omniORB::logger", missing, "the program's own log"},
    {"omniORB::logs", missing, "the program's own log"},
    {"omniORB::giopMaxMsgSize", change, "option -ORBMaxMessageSize"},
    {"omniORB::MaxMessageSize", change, "option -ORBMaxMessageSize"},
    {"omniORB::maxGIOPVersion", change, "option -ORBGIOPVersion"},
    {"omniORB::LOCATION_FORWARD", change, "PortableServer::ForwardRequest, from a servant manager"},
    {"omniORB::installTransientExceptionHandler*", as_it_is, ""},
    {"omniORB::installTimeoutExceptionHandler*", as_it_is, ""},
    {"omniORB::installCommFailureExceptionHandler*", as_it_is, ""},
    {"omniORB::installSystemExceptionHandler*", as_it_is, ""},
    {"omniORB::transientExceptionHandler*", as_it_is, ""},
    {"omniORB::timeoutExceptionHandler*", as_it_is, ""},
    {"omniORB::commFailureExceptionHandler*", as_it_is, ""},
    {"omniORB::systemExceptionHandler*", as_it_is, ""},
    {"omniORB::getInterceptors", as_it_is, ""},
    {"omniORB::*", missing, "porting.md lists what there is of namespace omniORB"},
    {"omni::omniURI::*", as_it_is, ""},
    {"omni::omniURI", as_it_is, ""},
    {"omni::omniInterceptors", as_it_is, ""},
    {"omni::omniInterceptors::createThread_T*", as_it_is, ""},
    {"omni::omniInterceptors::assignUpcallThread_T*", as_it_is, ""},
    {"omni::omniInterceptors::assignAMIThread_T*", as_it_is, ""},
    {"omni::omniInterceptors::*", missing,
     "interceptors of messages: <takt/classic/interceptors.h> has the standard's"},
    {"omni::orbOptions*", missing, "give CORBA::ORB_init the pairs of names and values"},
    {"omniPolicy::LocalShortcutPolicy*", as_it_is, ""},
    {"omniPolicy::create_local_shortcut_policy", as_it_is, ""},
    {"omniPolicy::LOCAL_*", as_it_is, ""},
    {"omniPolicy::*", missing, "threads and connections are chosen by options of the ORB"},
    {"omni_thread*", as_it_is, ""},
    {"omni_mutex*", as_it_is, ""},
    {"omni_condition", as_it_is, ""},
    {"omni_semaphore*", as_it_is, ""},
    {"omni_time_t", as_it_is, ""},
    {"omni_read_lock", missing, "omni_mutex_lock"},
    {"omni_rw_lock*", missing, "omni_mutex, or a lock of the standard library"},
    {"giopStream", missing, inside},
    {"cdrStream", missing, inside},
    {"cdrMemoryStream", missing, inside},
    {"omniObjRef", missing, inside},
    {"omniServant", missing, inside},
    {"omniCallDescriptor", missing, inside},
    {"omniCallHandle", missing, inside},
    {"_CORBA_*", missing, "the type that the mapping has for it: CORBA::X, or the sequence's own name"},
    {"_objref_*", change, "the class without _objref_"},
    {"_PR_getobj", missing, inside},
    {"CORBA::BOA*", missing, "the POA"},
    {"CORBA::ORB::BOA_init", missing, "the POA"},
    {"BOA_init", missing, "the POA"},
    {"CORBA::ORB::RequestSeq", missing, "CORBA::Request::send_deferred() for each request"},
    {"CORBA::ORB::InconsistentTypeCode", missing, no_such_name},
    {"send_multiple_requests_deferred", missing, "CORBA::Request::send_deferred() for each request"},
    {"send_multiple_requests_oneway", missing, "CORBA::Request::send_oneway() for each request"},
    {"poll_next_response", missing, "CORBA::Request::poll_response() of each request"},
    {"get_next_response", missing, "CORBA::Request::get_response() of each request"},
    {"get_service_information", missing, no_such_name},
    {"the_POAManagerFactory", missing, "create_POA() with a nil manager, which makes one"},
    {"_the_root_poa", missing, "CORBA::ORB::resolve_initial_references(\"RootPOA\")"},
    {"NP_data", missing, "get_buffer()"},
    {"_NP_is_nil", missing, "CORBA::is_nil()"},
    {"_get_interface", missing,
     "an interface repository, which takt ifr serves, with the object's _repository_id()"},
    {"CORBA::StringValue", missing, "a boxed valuetype of the program's own"},
    {"CORBA::WStringValue", missing, "a boxed valuetype of the program's own"},
    {"DynamicAny::*", missing, "<takt/dynamic/dyn_any.h> has it, in the C++11 mapping"},
    {"RTCORBA::*", missing, "it is there in the C++11 mapping and as options, not in the classic mapping"},
    {"RTPortableServer::*", missing,
     "it is there in the C++11 mapping and as options, not in the classic mapping"},
    {"PortableInterceptor::*", as_it_is, ""},
    {"_tao_print_exception", as_it_is, ""},
    {"TAO_ORB_Manager", as_it_is, ""},
    {"TAO_Local_RefCounted_Object", as_it_is, ""},
    {"TAO_DynamicImplementation", as_it_is, ""},
    {"TAO_debug_level", as_it_is, ""},
    {"TAO::Utils::*", as_it_is, ""},
    {"TAO::VMCID", as_it_is, ""},
    {"TAO::CONNECTION_TIMEOUT_POLICY_TYPE", missing, "option -ORBConnectTimeout"},
    {"TAO_OutputCDR", missing, "an Any, or a codec of <takt/classic/iop.h>"},
    {"TAO_InputCDR", missing, "an Any, or a codec of <takt/classic/iop.h>"},
    {"TAO_Naming_*", change, "resolve_initial_references(\"NameService\"); takt naming serves"},
    {"TAO_AV_*", missing,
     "clients: compile AVStreams.idl with takt-idl --mapping classic; devices: Takt::streams, in the C++11 "
     "mapping"},
    {"TAO_HAS_*", as_it_is, ""},
    {"TAO_OBV_REGISTER_FACTORY", as_it_is, ""},
    {"_tao_obv_static_repository_id", as_it_is, ""},
    {"TAO_MAJOR_VERSION", as_it_is, ""},
    {"TAO_MINOR_VERSION", as_it_is, ""},
    {"TAO::*", missing, inside},
    {"TAO_*", missing, inside},
    {"_is_collocated", missing, inside},
    {"_stubobj", missing, inside},
    {"_tao_duplicate", missing, "a copy of the exception, or CORBA::Exception::_raise()"},
    {"_tao_minor_code", missing, inside},
    {"orb_core", missing, "a thread of the program's own, or perform_work()"},
    {"ACE_TMAIN", as_it_is, "include <ace/OS_main.h>"},
    {"ACE_NEW_THROW_EX", as_it_is, "include <ace/CORBA_macros.h>"},
    {"ACE_TRY*", change, no_macros},
    {"ACE_CATCH*", change, no_macros},
    {"ACE_ENDTRY", change, no_macros},
    {"ACE_CHECK*", change, no_macros},
    {"ACE_ANY_EXCEPTION", change, no_macros},
    {"ACE_ENV_*", change, no_macros},
    {"ACE_THROW_SPEC", change, no_macros},
    {"ACE_DECLARE_NEW_CORBA_ENV", change, no_macros},
    {"ACE_RE_THROW", change, no_macros},
    {"AMI_*", as_it_is, ""},
    {"sendc_*", as_it_is, ""},
    {"sendp_*", as_it_is, ""},
    {"IORTable::*", as_it_is, ""},
    {"CORBA::*", as_it_is, ""},
    {"PortableServer::*", as_it_is, ""},
    {"CosNaming::*", as_it_is, ""},
    {"Messaging::*", as_it_is, ""},
    {"BiDirPolicy::*", as_it_is, ""},
    {"POA_*", as_it_is, ""},
};

constexpr Rule literals[] = {
    {"omniINSPOA", as_it_is, ""},
    {"RTORB", missing, "Real-time CORBA is there in the C++11 mapping and as options"},
    {"RTCurrent", missing, "Real-time CORBA is there in the C++11 mapping and as options"},
    {"PriorityMappingManager", missing, "Real-time CORBA is there in the C++11 mapping and as options"},
    {"DynAnyFactory", missing, "<takt/dynamic/dyn_any.h> has it, in the C++11 mapping"},
};

constexpr Rule build_words[] = {
    {"-lomniORB4", change,
     "-ltakt_omniorb -ltakt_classic -ltakt; pkg-config omniORB4 and Takt::omniorb have them"},
    {"-lomniDynamic4", change, "leave it out: -ltakt has it"},
    {"-lomnithread", change, "leave it out: <omnithread.h> is a header alone"},
    {"-lomniCodeSets4", change, "leave it out: -ltakt has it"},
    {"-lomnisslTP4", change, "leave it out: -ltakt has TLS"},
    {"-lCOS4", change, own_service},
    {"-lCOSDynamic4", change, own_service},
    {"omniORB4", change, "Takt::omniorb, or Takt's omniORB4.pc"},
    {"omniDynamic4", change, "leave it out: Takt::omniorb has it"},
    {"omnithread", change, "leave it out: Takt::omniorb has it"},
    {"omnithread4", change, "leave it out: Takt::omniorb has it"},
    {"omniidl", as_it_is, "put libexec/takt/omniorb first in PATH"},
    {"omkdepend", change, "takt-idl --depfile writes dependencies"},
    {"tao_idl", as_it_is, "put libexec/takt/tao first in PATH"},
    {"-lACE*", as_it_is, ace_stays},
    {"-lTAO*", change, link_tao},
    {"taoserver", change, link_tao},
    {"taoclient", change, link_tao},
    {"taoidldefaults", change, "a rule that runs tao_idl"},
    {"TAO_ROOT", change, "the folder of Takt's installation"},
    {"TAO_RTCORBA", missing, "Real-time CORBA is there in the C++11 mapping"},
    {"TAO_RTPortableServer", missing, "Real-time CORBA is there in the C++11 mapping"},
    {"TAO_DynamicAny", missing, "DynAny is there in the C++11 mapping"},
    {"TAO_CosNaming*", change, link_tao},
    {"TAO_Cos*", change, own_service},
    {"TAO", change, link_tao},
    {"TAO_*", change, link_tao},
    {"omniNames", change, "takt naming, which takes omniNames' options if its file has that name"},
    {"tao_cosnaming", change, "takt naming"},
};

// Compared with the tables of compat/omniorb/omniidl and compat/tao/tao_idl by feature.takt_port.
constexpr Rule compiler_options[] = {
    {"-Wbtf", change, "-Wbtp, and POA_M::I_tie in the code"},
    {"-WbBOA", missing, "derive from POA_M::I"},
    {"-Wbexample", missing, "an example of an implementation"},
    {"-WbF*", missing, "code fragments"},
    {"-Wbold_prefix", change, "write _cxx_ for keywords"},
    {"-Wbroot*", missing, "skeletons are in POA_M"},
    {"-Wbimpl*", missing, "other signatures of implementations"},
    {"-Wb*", as_it_is, ""},
    {"-bcxx", as_it_is, ""},
    {"-bpython", missing, "omniORB's own omniidl generates Python"},
    {"-GI*", missing, "an example of an implementation"},
    {"-Ge*", change, "leave it out: errors are C++ exceptions"},
    {"-Gsp", missing, "smart proxies"},
    {"-Gsv", missing, "other names of svc.conf"},
    {"-Gxh*", change, "leave it out: classes are visible always"},
    {"-Gdcps", missing, "type support of DDS"},
    {"-Gts", missing, "type support of DDS"},
    {"-E", missing, "preprocessed text"},
    {"-G*", as_it_is, ""},
    {"-S*", as_it_is, ""},
};

constexpr Rule unknown_name{"", missing, no_such_name};

// Whether the classic mapping has the first part of a name in a module of the standard; true for other
// modules.
bool is_known(std::string_view name) {
  const std::size_t end_of_module = name.find("::");
  if (end_of_module == name.npos) return true;
  const std::string_view module = name.substr(0, end_of_module);
  const std::string_view part =
      name.substr(end_of_module + 2, name.find("::", end_of_module + 2) - end_of_module - 2);
  for (const KnownNames* one = known_names; !one->module.empty(); ++one) {
    if (one->module != module) continue;
    const auto ends_word = [](char c) { return c == ' ' || c == '\n'; };
    for (std::size_t at = one->names.find(part); at != one->names.npos; at = one->names.find(part, at + 1))
      if (ends_word(one->names[at - 1]) && ends_word(one->names[at + part.size()])) return true;
    return false;
  }
  return true;
}

const Rule* found(std::span<const Rule> rules, std::string_view word) {
  for (const Rule& rule : rules) {
    const bool begins = rule.word.ends_with('*');
    const auto text = rule.word.substr(0, rule.word.size() - (begins ? 1 : 0));
    if (begins ? word.starts_with(text) : word == text) return &rule;
  }
  return nullptr;
}

}  // namespace

std::string_view word_of(Verdict verdict) {
  return verdict == as_it_is ? "as it is" : verdict == change ? "change" : "missing";
}

const Rule* rule_of_header(std::string_view header) { return found(headers, header); }

const Rule* rule_of_name(std::string_view name) {
  if (const Rule* const rule = found(names, name))
    return rule->verdict == as_it_is && !is_known(name) ? &unknown_name : rule;
  const std::size_t scope = name.rfind("::");
  return scope == name.npos ? nullptr : found(names, name.substr(scope + 2));
}

const Rule* rule_of_literal(std::string_view literal) { return found(literals, literal); }
const Rule* rule_of_build_word(std::string_view word) { return found(build_words, word); }
const Rule* rule_of_compiler_option(std::string_view option) { return found(compiler_options, option); }

}  // namespace takt::command::port
