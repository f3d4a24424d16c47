// The version of TAO whose interface for applications these headers stand for.
#pragma once

#define TAO_MAJOR_VERSION 2
#define TAO_MINOR_VERSION 2
#define TAO_MICRO_VERSION 2
#define TAO_BETA_VERSION 2
#define TAO_VERSION "2.2.2"
#define TAO_HAS_MINIMUM_CORBA 0
#define TAO_HAS_MINIMUM_POA 0
#define TAO_HAS_CORBA_MESSAGING 1
#define TAO_HAS_INTERCEPTORS 0
#define TAO_HAS_AMI 1
#define TAO_HAS_AMI_CALLBACK 1
#define TAO_HAS_AMI_POLLER 0
#define TAO_HAS_RT_CORBA 0

// Tells programs that include TAO's headers that Takt is beneath.
#define TAKT_TAO_HEADERS 1
