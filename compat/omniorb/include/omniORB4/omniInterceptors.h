// The interceptors of omniORB that programs use to prepare threads. Those that read or change messages are
// not here: <takt/interceptors/interceptors.h> has the standard's, in the C++11 mapping. C++14.
#pragma once

#include <omniORB4/CORBA.h>

namespace omni {

class omniInterceptors {
 public:
  class ThreadInterceptors {
   public:
    class info_T {
     public:
      // Goes on to the next interceptor, and to the thread's work. Must be called once, and throws nothing.
      virtual void run() = 0;
      virtual omni_thread* self() = 0;

     protected:
      ~info_T() {}
    };
    // Called in the thread. Must not throw.
    typedef void (*interceptFunc)(info_T& info);

    // For threads that start later. Any thread. An interceptor that was added first is called first.
    void add(interceptFunc interceptor);
    void remove(interceptFunc interceptor);
  };

  class createThread_T : public ThreadInterceptors {};        // each thread that the ORB starts
  class assignUpcallThread_T : public ThreadInterceptors {};  // those of them that call servants
  class assignAMIThread_T : public ThreadInterceptors {};     // those of them that call reply handlers

  createThread_T createThread;
  assignUpcallThread_T assignUpcallThread;
  assignAMIThread_T assignAMIThread;

  // omniORB::getInterceptors()
  static omniInterceptors* _takt_all();

 private:
  omniInterceptors() {}
};

}  // namespace omni
