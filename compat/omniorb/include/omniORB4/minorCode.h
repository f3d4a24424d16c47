// The names of minor codes that omniORB's programs use; their values are omniORB's. C++14.
//
// An exception's NP_minorString() gives the name. Takt throws those of docs/user/porting.md; the others come
// from servers that omniORB runs.
#pragma once

namespace omni {

// clang-format off: a table.
enum UNKNOWN_minor {
  UNKNOWN_UserException = 0x4f4d0001,
  UNKNOWN_SystemException = 0x4f4d0002,
  UNKNOWN_PythonException = 0x41540062,
  UNKNOWN_OmniThreadException = 0x4154007b
};
enum BAD_PARAM_minor {
  BAD_PARAM_ValueFactoryFailure = 0x4f4d0001,
  BAD_PARAM_RIDAlreadyDefinedInIfR = 0x4f4d0002,
  BAD_PARAM_NameAlreadyUsedInIfR = 0x4f4d0003,
  BAD_PARAM_TargetIsInvalidContainer = 0x4f4d0004,
  BAD_PARAM_InheritedNameClash = 0x4f4d0005,
  BAD_PARAM_IncorrectAbstractIntfType = 0x4f4d0006,
  BAD_PARAM_BadSchemeName = 0x4f4d0007,
  BAD_PARAM_BadAddress = 0x4f4d0008,
  BAD_PARAM_BadSchemeSpecificPart = 0x4f4d0009,
  BAD_PARAM_BadURIOther = 0x4f4d000a,
  BAD_PARAM_NonAbstractBase = 0x4f4d000b,
  BAD_PARAM_SupportsTooManyConcreteIntfs = 0x4f4d000c,
  BAD_PARAM_IncompleteTypeCode = 0x4f4d000d,
  BAD_PARAM_InvalidObjectId = 0x4f4d000e,
  BAD_PARAM_InvalidName = 0x4f4d000f,
  BAD_PARAM_InvalidRepositoryId = 0x4f4d0010,
  BAD_PARAM_InvalidMemberName = 0x4f4d0011,
  BAD_PARAM_DuplicateLabelValue = 0x4f4d0012,
  BAD_PARAM_IncompatibleDiscriminatorType = 0x4f4d0013,
  BAD_PARAM_IllegitimateDiscriminatorType = 0x4f4d0014,
  BAD_PARAM_NotAnException = 0x4f4d0015,
  BAD_PARAM_UnlistedUserException = 0x4f4d0016,
  BAD_PARAM_WCharTCSNotKnown = 0x4f4d0017,
  BAD_PARAM_ServiceContextNotInRange = 0x4f4d0018,
  BAD_PARAM_EnumValueOutOfRange = 0x4f4d0019,
  BAD_PARAM_InvalidServiceCtxtId = 0x4f4d001a,
  BAD_PARAM_RegisterNilObject = 0x4f4d001b,
  BAD_PARAM_InvalidComponentId = 0x4f4d001c,
  BAD_PARAM_InvalidProfileId = 0x4f4d001d,
  BAD_PARAM_DuplicatePolicyType = 0x4f4d001e,
  BAD_PARAM_PollableAlreadyInPollableSet = 0x4f4d002b,
  BAD_PARAM_InvalidCompressionLevel = 0x4f4d002c,
  BAD_PARAM_IndexOutOfRange = 0x41540015,
  BAD_PARAM_InvalidUnionDiscValue = 0x4154001b,
  BAD_PARAM_InvalidInitialSize = 0x4154001d,
  BAD_PARAM_InvalidServant = 0x41540023,
  BAD_PARAM_IsPseudoObject = 0x41540025,
  BAD_PARAM_InvalidObjectRef = 0x4154002b,
  BAD_PARAM_WCharOutOfRange = 0x4154002e,
  BAD_PARAM_InternalInvariant = 0x41540031,
  BAD_PARAM_NullStringUnexpected = 0x41540039,
  BAD_PARAM_InvalidPOAName = 0x4154003b,
  BAD_PARAM_LocalObjectExpected = 0x4154003c,
  BAD_PARAM_InvalidSystemId = 0x4154003d,
  BAD_PARAM_InvalidNVList = 0x41540040,
  BAD_PARAM_InvalidTypeCode = 0x41540046,
  BAD_PARAM_AnyDoesNotContainAString = 0x41540048,
  BAD_PARAM_EmptyContextPattern = 0x41540049,
  BAD_PARAM_InvalidContextName = 0x4154004a,
  BAD_PARAM_InvalidContext = 0x4154004d,
  BAD_PARAM_InvalidDynAny = 0x4154004e,
  BAD_PARAM_InvalidException = 0x41540050,
  BAD_PARAM_InvalidExceptionList = 0x41540051,
  BAD_PARAM_InvalidEnvironment = 0x41540052,
  BAD_PARAM_InvalidAny = 0x41540053,
  BAD_PARAM_InvalidNamedValue = 0x41540054,
  BAD_PARAM_InvalidRequest = 0x41540055,
  BAD_PARAM_InvalidContextList = 0x41540057,
  BAD_PARAM_WrongPythonType = 0x41540058,
  BAD_PARAM_IncompletePythonType = 0x4154005c,
  BAD_PARAM_PythonValueOutOfRange = 0x4154005f,
  BAD_PARAM_EmbeddedNullInPythonString = 0x41540060,
  BAD_PARAM_StringIsTooLong = 0x41540064,
  BAD_PARAM_SequenceIsTooLong = 0x41540065,
  BAD_PARAM_WrongUnionMemberSelected = 0x4154006b,
  BAD_PARAM_InvalidFixedPointLimits = 0x4154006d,
  BAD_PARAM_AttemptToMarshalAbstractValue = 0x41540073,
  BAD_PARAM_InvalidPollerType = 0x4154007f,
  BAD_PARAM_PerThreadTimeoutWithNoCurrent = 0x41540083
};
enum NO_MEMORY_minor {
  NO_MEMORY_BadAlloc = 0x41540079
};
enum IMP_LIMIT_minor {
  IMP_LIMIT_NoUsableProfile = 0x4f4d0001
};
enum COMM_FAILURE_minor {
  COMM_FAILURE_MarshalArguments = 0x41540003,
  COMM_FAILURE_UnMarshalArguments = 0x41540004,
  COMM_FAILURE_MarshalResults = 0x41540005,
  COMM_FAILURE_UnMarshalResults = 0x41540006,
  COMM_FAILURE_WaitingForReply = 0x41540007
};
enum INV_OBJREF_minor {
  INV_OBJREF_WCharNotSupported = 0x4f4d0001,
  INV_OBJREF_CodesetComponentRequired = 0x4f4d0002,
  INV_OBJREF_TryToInvokePseudoRemotely = 0x41540017,
  INV_OBJREF_InvokeOnNilObjRef = 0x41540030,
  INV_OBJREF_CorruptedObjRef = 0x41540036,
  INV_OBJREF_InterfaceMisMatch = 0x41540037,
  INV_OBJREF_NoPythonTypeForPseudoObj = 0x41540068,
  INV_OBJREF_ShortcutServantDeactivated = 0x41540075,
  INV_OBJREF_IncorrectReplyHandler = 0x4154007d,
  INV_OBJREF_InvalidPseudoObject = 0x41540081,
  INV_OBJREF_UnsuitableGIOPVersion = 0x41540082
};
enum MARSHAL_minor {
  MARSHAL_NoValueFactory = 0x4f4d0001,
  MARSHAL_ServerRequestWrongOrder = 0x4f4d0002,
  MARSHAL_ServerRequestNVList = 0x4f4d0003,
  MARSHAL_LocalObject = 0x4f4d0004,
  MARSHAL_WCharSentByGIOP10Client = 0x4f4d0005,
  MARSHAL_WCharSentByGIOP10Server = 0x4f4d0006,
  MARSHAL_InvalidVariableLenComponentSize = 0x41540009,
  MARSHAL_PassEndOfMessage = 0x4154000a,
  MARSHAL_MessageSizeExceedLimit = 0x41540045,
  MARSHAL_MessageSizeExceedLimitOnClient = 0x4154000b,
  MARSHAL_MessageSizeExceedLimitOnServer = 0x4154000c,
  MARSHAL_SequenceIsTooLong = 0x41540012,
  MARSHAL_StringIsTooLong = 0x41540013,
  MARSHAL_WStringIsTooLong = 0x41540014,
  MARSHAL_StringNotEndWithNull = 0x41540016,
  MARSHAL_InvalidEnumValue = 0x4154001a,
  MARSHAL_AttemptToWriteToReadOnlyBuf = 0x4154001c,
  MARSHAL_InvalidFixedValue = 0x4154002a,
  MARSHAL_InvalidWCharSize = 0x4154002f,
  MARSHAL_InvalidIOR = 0x41540034,
  MARSHAL_ExceptionInDSINotPropagated = 0x41540043,
  MARSHAL_InvalidContextList = 0x4154004f,
  MARSHAL_InvalidIndirection = 0x4154005a,
  MARSHAL_InvalidTypeCodeKind = 0x4154005b,
  MARSHAL_MessageTooLong = 0x4154005d,
  MARSHAL_CannotReserveOutputSpace = 0x4154006e,
  MARSHAL_InvalidChunkedEncoding = 0x4154006f,
  MARSHAL_InvalidValueTag = 0x41540070,
  MARSHAL_NoRepoIdInValueType = 0x41540071,
  MARSHAL_TypeIsNotAValueType = 0x41540072,
  MARSHAL_InvalidCompressedData = 0x41540080
};
enum INITIALIZE_minor {
  INITIALIZE_TransportError = 0x4154000d,
  INITIALIZE_InvalidORBInitArgs = 0x4154001e,
  INITIALIZE_FailedBOAInit = 0x4154001f,
  INITIALIZE_FailedPOAInit = 0x41540020,
  INITIALIZE_FailedORBInit = 0x4154002c,
  INITIALIZE_FailedLoadLibrary = 0x4154002d,
  INITIALIZE_ConfigFileError = 0x41540032,
  INITIALIZE_NotOmniThread = 0x41540038,
  INITIALIZE_CannotOpenLogFile = 0x41540076,
  INITIALIZE_EndpointPublishFailure = 0x41540077
};
enum NO_IMPLEMENT_minor {
  NO_IMPLEMENT_NoValueImpl = 0x4f4d0001,
  NO_IMPLEMENT_IncompatibleVersion = 0x4f4d0002,
  NO_IMPLEMENT_NoUsableProfile = 0x4f4d0003,
  NO_IMPLEMENT_DIIOnLocalObject = 0x4f4d0004,
  NO_IMPLEMENT_Unsupported = 0x41540024,
  NO_IMPLEMENT_NoPythonMethod = 0x41540063
};
enum BAD_TYPECODE_minor {
  BAD_TYPECODE_Incomplete = 0x4f4d0001,
  BAD_TYPECODE_IllegitimateMember = 0x4f4d0002,
  BAD_TYPECODE_TypeCodeIsNil = 0x41540047,
  BAD_TYPECODE_InvalidOperation = 0x41540059,
  BAD_TYPECODE_UnknownKind = 0x4154005e,
  BAD_TYPECODE_UnresolvedRecursiveTC = 0x41540069,
  BAD_TYPECODE_InvalidIndirection = 0x4154006c,
  BAD_TYPECODE_NotEquivalent = 0x41540074
};
enum BAD_OPERATION_minor {
  BAD_OPERATION_UnRecognisedOperationName = 0x41540026,
  BAD_OPERATION_WrongPollerOperation = 0x4154007e
};
enum NO_RESOURCES_minor {
  NO_RESOURCES_PIOperationNotSupported = 0x4f4d0001,
  NO_RESOURCES_CodeSetNotSupported = 0x41540019,
  NO_RESOURCES_InitialRefNotFound = 0x41540033,
  NO_RESOURCES_UnableToStartThread = 0x4154007a
};
enum NO_RESPONSE_minor {
  NO_RESPONSE_ReplyNotAvailableYet = 0x4f4d0001
};
enum BAD_INV_ORDER_minor {
  BAD_INV_ORDER_DependencyPreventsDestruction = 0x4f4d0001,
  BAD_INV_ORDER_ObjectIndestructible = 0x4f4d0002,
  BAD_INV_ORDER_WouldDeadLock = 0x4f4d0003,
  BAD_INV_ORDER_ORBHasShutdown = 0x4f4d0004,
  BAD_INV_ORDER_RequestUsedMoreThanOnce = 0x4f4d0005,
  BAD_INV_ORDER_ServantManagerAlreadySet = 0x4f4d0006,
  BAD_INV_ORDER_ArgumentsCalledOutOfOrder = 0x4f4d0007,
  BAD_INV_ORDER_CtxCalledOutOfOrder = 0x4f4d0008,
  BAD_INV_ORDER_SetResultCalledOutOfOrder = 0x4f4d0009,
  BAD_INV_ORDER_RequestAlreadySent = 0x4f4d000a,
  BAD_INV_ORDER_RequestNotSentYet = 0x4f4d000b,
  BAD_INV_ORDER_ResultAlreadyReceived = 0x4f4d000c,
  BAD_INV_ORDER_RequestIsSynchronous = 0x4f4d000d,
  BAD_INV_ORDER_InvalidPortableInterceptorCall = 0x4f4d000e,
  BAD_INV_ORDER_ServiceContextIdAlreadyExists = 0x4f4d000f,
  BAD_INV_ORDER_PolicyFactoryTypeAlreadyExists = 0x4f4d0010,
  BAD_INV_ORDER_POACreationDuringDestruction = 0x4f4d0011,
  BAD_INV_ORDER_NoPollerResponseYet = 0x4f4d0016,
  BAD_INV_ORDER_CodeSetNotKnownYet = 0x41540018,
  BAD_INV_ORDER_ArgumentsNotCalled = 0x41540041,
  BAD_INV_ORDER_ErrorInDynamicImplementation = 0x41540042,
  BAD_INV_ORDER_RequestConfiguredOutOfOrder = 0x41540056,
  BAD_INV_ORDER_DynAnyNotInitialised = 0x41540067,
  BAD_INV_ORDER_ORBNotInitialised = 0x41540078
};
enum TRANSIENT_minor {
  TRANSIENT_POANoResource = 0x4f4d0001,
  TRANSIENT_NoUsableProfile = 0x4f4d0002,
  TRANSIENT_RequestCancelled = 0x4f4d0003,
  TRANSIENT_POADestroyed = 0x4f4d0004,
  TRANSIENT_FailedOnForwarded = 0x41540001,
  TRANSIENT_ConnectFailed = 0x41540002,
  TRANSIENT_CallTimedout = 0x41540008,
  TRANSIENT_BiDirConnIsGone = 0x4154000e,
  TRANSIENT_BiDirConnUsedWithNoPOA = 0x41540010,
  TRANSIENT_ConnectionClosed = 0x41540011,
  TRANSIENT_ObjDeactivatedWhileHolding = 0x4154003e,
  TRANSIENT_PythonExceptionInORB = 0x4154006a
};
enum OBJ_ADAPTER_minor {
  OBJ_ADAPTER_POAUnknownAdapter = 0x4f4d0001,
  OBJ_ADAPTER_NoServant = 0x4f4d0002,
  OBJ_ADAPTER_NoDefaultServant = 0x4f4d0003,
  OBJ_ADAPTER_NoServantManager = 0x4f4d0004,
  OBJ_ADAPTER_WrongIncarnatePolicy = 0x4f4d0005,
  OBJ_ADAPTER_BiDirNotAllowed = 0x4154000f,
  OBJ_ADAPTER_BOANotInitialised = 0x41540021,
  OBJ_ADAPTER_POANotInitialised = 0x41540035,
  OBJ_ADAPTER_ServantAlreadyActive = 0x4154003f,
  OBJ_ADAPTER_IncompatibleServant = 0x41540061
};
enum DATA_CONVERSION_minor {
  DATA_CONVERSION_CannotMapChar = 0x4f4d0001,
  DATA_CONVERSION_RangeError = 0x41540028,
  DATA_CONVERSION_BadInput = 0x41540029
};
enum OBJECT_NOT_EXIST_minor {
  OBJECT_NOT_EXIST_NoMatch = 0x4f4d0001,
  OBJECT_NOT_EXIST_IncarnateFailed = 0x4f4d0002,
  OBJECT_NOT_EXIST_PollerAlreadyDeliveredReply = 0x4f4d0005,
  OBJECT_NOT_EXIST_BOANotInitialised = 0x41540022,
  OBJECT_NOT_EXIST_POANotInitialised = 0x4154003a,
  OBJECT_NOT_EXIST_DynAnyDestroyed = 0x41540066
};
enum INV_POLICY_minor {
  INV_POLICY_CannotReconcileIORWithOverride = 0x4f4d0001,
  INV_POLICY_InvalidPolicyType = 0x4f4d0002,
  INV_POLICY_NoPolicyFactoryForPolicyType = 0x4f4d0003
};
enum INTF_REPOS_minor {
  INTF_REPOS_NotAvailable = 0x41540027,
  INTF_REPOS_PrimaryInterfaceReturnedZero = 0x41540044
};
enum BAD_CONTEXT_minor {
  BAD_CONTEXT_NoMatchingProperty = 0x4154004b,
  BAD_CONTEXT_StartingScopeNotFound = 0x4154004c
};
enum TIMEOUT_minor {
  TIMEOUT_NoPollerResponseInTime = 0x4f4d0001,
  TIMEOUT_CallTimedOutOnClient = 0x41540008,
  TIMEOUT_CallTimedOutOnServer = 0x4154007c
};
// clang-format on

}  // namespace omni
