// The thread abstraction that programs written for omniORB use, over POSIX threads. C++11.
//
//   class Counter : public omni_thread {
//     void* run_undetached(void* how_often) override;
//   };
//   Counter* counter = new Counter;  // never on the stack: start() and join() delete it
//   counter->start_undetached();
//   void* result;
//   counter->join(&result);
//
// Names and rules are those of "The OMNI Thread Abstraction", section by section. What differs:
//
// - Each thread has an omni_thread. self() makes one for a thread that has none, such as main's or one of
// Takt's, and it goes when the
//   thread ends. So omni_thread::ensure_self and create_dummy() are needed only by programs that also run
//   with omniORB.
// - Priorities are those of SCHED_RR or SCHED_FIFO, if the creating thread has such a policy. Otherwise they
// have no effect.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <ctime>
#include <vector>

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

class omni_thread;

// Thrown if the operating system refuses what the abstraction needs; `error` is an errno.
class omni_thread_fatal {
 public:
  explicit omni_thread_fatal(int number = 0) : error(number) {}
  int error;
};
// Thrown for a call that the thread's state does not allow.
class omni_thread_invalid {};

namespace takt_omnithread {

inline void check(int error) {
  if (error != 0) throw omni_thread_fatal(error);
}

}  // namespace takt_omnithread

// Seconds and nanoseconds: a time since 1970, or a duration.
struct omni_time_t {
  omni_time_t(unsigned long seconds = 0, unsigned long nanoseconds = 0) : s(seconds), ns(nanoseconds) {}
  void assign(unsigned long seconds, unsigned long nanoseconds) {
    s = seconds;
    ns = nanoseconds;
  }
  omni_time_t& operator+=(const omni_time_t& other) {
    s += other.s;
    ns += other.ns;
    if (ns >= 1000000000ul) {
      ns -= 1000000000ul;
      ++s;
    }
    return *this;
  }
  omni_time_t& operator-=(const omni_time_t& other) {
    if (ns < other.ns) {
      ns += 1000000000ul;
      --s;
    }
    s -= other.s;
    ns -= other.ns;
    return *this;
  }
  explicit operator bool() const { return s != 0 || ns != 0; }

  unsigned long s;
  unsigned long ns;
};

inline omni_time_t operator+(omni_time_t a, const omni_time_t& b) { return a += b; }
inline omni_time_t operator-(omni_time_t a, const omni_time_t& b) { return a -= b; }
inline bool operator==(const omni_time_t& a, const omni_time_t& b) { return a.s == b.s && a.ns == b.ns; }
inline bool operator!=(const omni_time_t& a, const omni_time_t& b) { return !(a == b); }
inline bool operator<(const omni_time_t& a, const omni_time_t& b) {
  return a.s < b.s || (a.s == b.s && a.ns < b.ns);
}
inline bool operator>(const omni_time_t& a, const omni_time_t& b) { return b < a; }
inline bool operator<=(const omni_time_t& a, const omni_time_t& b) { return !(b < a); }
inline bool operator>=(const omni_time_t& a, const omni_time_t& b) { return !(a < b); }

// Not recursive. The thread that locked it unlocks it. A waiting thread lends its priority to the owner.
class omni_mutex {
 public:
  omni_mutex() {
    pthread_mutexattr_t how;
    takt_omnithread::check(pthread_mutexattr_init(&how));
    pthread_mutexattr_setprotocol(&how, PTHREAD_PRIO_INHERIT);
    const int error = pthread_mutex_init(&mutex_, &how);
    pthread_mutexattr_destroy(&how);
    takt_omnithread::check(error);
  }
  ~omni_mutex() { pthread_mutex_destroy(&mutex_); }
  omni_mutex(const omni_mutex&) = delete;
  omni_mutex& operator=(const omni_mutex&) = delete;

  void lock() { takt_omnithread::check(pthread_mutex_lock(&mutex_)); }
  void unlock() { takt_omnithread::check(pthread_mutex_unlock(&mutex_)); }
  int trylock() { return pthread_mutex_trylock(&mutex_) == 0; }  // 1 if it is locked now
  void acquire() { lock(); }
  void release() { unlock(); }

 private:
  friend class omni_condition;
  pthread_mutex_t mutex_;
};

// Holds a mutex for its lifetime.
class omni_mutex_lock {
 public:
  explicit omni_mutex_lock(omni_mutex& mutex) : mutex_(mutex) { mutex_.lock(); }
  ~omni_mutex_lock() { mutex_.unlock(); }
  omni_mutex_lock(const omni_mutex_lock&) = delete;
  omni_mutex_lock& operator=(const omni_mutex_lock&) = delete;

 private:
  omni_mutex& mutex_;
};
// Holds a mutex for its lifetime, if nobody else does.
class omni_mutex_trylock {
 public:
  explicit omni_mutex_trylock(omni_mutex& mutex) : mutex_(mutex), locked_(mutex.trylock()) {}
  ~omni_mutex_trylock() {
    if (locked_) mutex_.unlock();
  }
  operator int() const { return locked_; }
  omni_mutex_trylock(const omni_mutex_trylock&) = delete;
  omni_mutex_trylock& operator=(const omni_mutex_trylock&) = delete;

 private:
  omni_mutex& mutex_;
  const int locked_;
};

// The caller of wait() and timedwait() has locked the mutex.
class omni_condition {
 public:
  explicit omni_condition(omni_mutex* mutex) : mutex_(mutex) {
    takt_omnithread::check(pthread_cond_init(&condition_, nullptr));
  }
  ~omni_condition() { pthread_cond_destroy(&condition_); }
  omni_condition(const omni_condition&) = delete;
  omni_condition& operator=(const omni_condition&) = delete;

  void wait() { takt_omnithread::check(pthread_cond_wait(&condition_, &mutex_->mutex_)); }
  // Until that time, as omni_thread::get_time() gives it. 1 if it was signalled, 0 if the time has come.
  int timedwait(unsigned long seconds, unsigned long nanoseconds = 0) {
    timespec until;
    until.tv_sec = static_cast<time_t>(seconds);
    until.tv_nsec = static_cast<long>(nanoseconds);
    const int error = pthread_cond_timedwait(&condition_, &mutex_->mutex_, &until);
    if (error == ETIMEDOUT) return 0;
    takt_omnithread::check(error);
    return 1;
  }
  int timedwait(const omni_time_t& until) { return timedwait(until.s, until.ns); }
  void signal() { takt_omnithread::check(pthread_cond_signal(&condition_)); }
  void broadcast() { takt_omnithread::check(pthread_cond_broadcast(&condition_)); }

 private:
  omni_mutex* mutex_;
  pthread_cond_t condition_;
};

class omni_semaphore {
 public:
  explicit omni_semaphore(unsigned int initial = 1) : changed_(&mutex_), count_(initial) {}

  void wait() {
    omni_mutex_lock lock(mutex_);
    while (count_ == 0) changed_.wait();
    --count_;
  }
  int trywait() {  // 1 if it did not have to wait
    omni_mutex_lock lock(mutex_);
    if (count_ == 0) return 0;
    --count_;
    return 1;
  }
  void post() {
    omni_mutex_lock lock(mutex_);
    ++count_;
    changed_.signal();
  }

 private:
  omni_mutex mutex_;
  omni_condition changed_;
  unsigned int count_;
};

class omni_semaphore_lock {
 public:
  explicit omni_semaphore_lock(omni_semaphore& semaphore) : semaphore_(semaphore) { semaphore_.wait(); }
  ~omni_semaphore_lock() { semaphore_.post(); }
  omni_semaphore_lock(const omni_semaphore_lock&) = delete;
  omni_semaphore_lock& operator=(const omni_semaphore_lock&) = delete;

 private:
  omni_semaphore& semaphore_;
};

// A thread. Derive from it and override run() or run_undetached(), or pass a function. A detached thread's
// object is deleted when the thread ends, an undetached one's by join(); the destructor is therefore
// protected.
class omni_thread {
 public:
  enum priority_t { PRIORITY_LOW, PRIORITY_NORMAL, PRIORITY_HIGH };
  enum state_t { STATE_NEW, STATE_RUNNING, STATE_TERMINATED };

  // Runs `function` detached; `function` that returns a value runs undetached.
  omni_thread(void (*function)(void*), void* argument = nullptr, priority_t priority = PRIORITY_NORMAL)
      : detached_function_(function), argument_(argument), priority_(priority), id_(next_id()) {}
  omni_thread(void* (*function)(void*), void* argument = nullptr, priority_t priority = PRIORITY_NORMAL)
      : function_(function), argument_(argument), priority_(priority), detached_(false), id_(next_id()) {}

  // Once. Throws omni_thread_invalid unless the state is STATE_NEW, omni_thread_fatal if there is no thread
  // to be had.
  void start() {
    omni_mutex_lock lock(mutex_);
    if (state_ != STATE_NEW) throw omni_thread_invalid();
    pthread_attr_t how;
    takt_omnithread::check(pthread_attr_init(&how));
    if (const unsigned long stack = stack_size()) pthread_attr_setstacksize(&how, stack);
    pthread_attr_setdetachstate(&how, detached_ ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
    set_priority(how);
    state_ = STATE_RUNNING;
    const int error = pthread_create(&thread_, &how, &omni_thread::begin, this);
    pthread_attr_destroy(&how);
    if (error != 0) {
      state_ = STATE_NEW;
      throw omni_thread_fatal(error);
    }
  }

  static omni_thread* create(void (*function)(void*), void* argument = nullptr,
                             priority_t priority = PRIORITY_NORMAL) {
    return started(new omni_thread(function, argument, priority));
  }
  static omni_thread* create(void* (*function)(void*), void* argument = nullptr,
                             priority_t priority = PRIORITY_NORMAL) {
    return started(new omni_thread(function, argument, priority));
  }

  // Waits for an undetached thread without limit, gives what it returned, and deletes the object. A thread
  // cannot join itself.
  void join(void** result) {
    {
      omni_mutex_lock lock(mutex_);
      if (detached_ || state_ == STATE_NEW) throw omni_thread_invalid();
    }
    if (this == own().object) throw omni_thread_invalid();
    takt_omnithread::check(pthread_join(thread_, nullptr));
    if (result) *result = result_;
    delete this;
  }

  void set_priority(priority_t priority) {
    omni_mutex_lock lock(mutex_);
    priority_ = priority;
    int policy;
    sched_param how;
    if (state_ != STATE_RUNNING || pthread_getschedparam(thread_, &policy, &how) != 0 ||
        !has_priorities(policy))
      return;
    how.sched_priority = native(policy, priority);
    takt_omnithread::check(pthread_setschedparam(thread_, policy, &how));
  }
  priority_t priority() {
    omni_mutex_lock lock(mutex_);
    return priority_;
  }
  state_t state() {
    omni_mutex_lock lock(mutex_);
    return state_;
  }
  int id() { return id_; }  // main's thread has 0

  // The calling thread's object. Not null.
  static omni_thread* self() {
    Own& mine = own();
    if (!mine.object) mine.given = mine.object = for_this_thread();
    return mine.object;
  }
  // Ends the calling thread, which must be one that start() began; objects on its stack are destroyed.
  [[noreturn]] static void exit(void* result = nullptr) {
    if (omni_thread* const mine = own().object) mine->result_ = result;
    pthread_exit(nullptr);
  }
  static void yield() { sched_yield(); }
  static void sleep(unsigned long seconds, unsigned long nanoseconds = 0) {
    timespec rest;
    rest.tv_sec = static_cast<time_t>(seconds);
    rest.tv_nsec = static_cast<long>(nanoseconds);
    while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {
    }
  }
  static void sleep(const omni_time_t& duration) { sleep(duration.s, duration.ns); }
  // The time now, by the system's clock, and so much later.
  static void get_time(unsigned long* seconds, unsigned long* nanoseconds, unsigned long later_seconds = 0,
                       unsigned long later_nanoseconds = 0) {
    omni_time_t now;
    get_time(now, omni_time_t(later_seconds, later_nanoseconds));
    *seconds = now.s;
    *nanoseconds = now.ns;
  }
  static void get_time(omni_time_t& now, const omni_time_t& later = omni_time_t()) {
    timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    now.assign(static_cast<unsigned long>(time.tv_sec) + later.s + later.ns / 1000000000ul,
               static_cast<unsigned long>(time.tv_nsec));
    now += omni_time_t(0, later.ns % 1000000000ul);
  }
  // Of threads started later, in octets; 0 is the system's.
  static void stacksize(unsigned long octets) { stack_size() = octets; }
  static unsigned long stacksize() { return stack_size(); }

  // Makes an object for a thread that omni_thread did not start, and deletes it. Throw omni_thread_invalid if
  // the thread has one, or none that create_dummy() made.
  static omni_thread* create_dummy() {
    Own& mine = own();
    if (mine.object && mine.object != mine.given) throw omni_thread_invalid();
    delete mine.given;
    mine.given = nullptr;
    return mine.object = mine.dummy = for_this_thread();
  }
  static void release_dummy() {
    Own& mine = own();
    if (!mine.dummy) throw omni_thread_invalid();
    delete mine.dummy;
    mine.object = mine.dummy = nullptr;
  }
  // Gives the thread an object for its lifetime, if it has none.
  class ensure_self {
   public:
    ensure_self() : made_(own().object == nullptr) {
      if (made_) create_dummy();
    }
    ~ensure_self() {
      if (made_) release_dummy();
    }
    omni_thread* self() const { return omni_thread::self(); }
    ensure_self(const ensure_self&) = delete;
    ensure_self& operator=(const ensure_self&) = delete;

   private:
    const bool made_;
  };

  // Values of each thread, which are deleted with its object. To be used by the thread itself.
  class value_t {
   public:
    virtual ~value_t() {}
  };
  typedef unsigned int key_t;
  static key_t allocate_key() {
    static omni_mutex mutex;
    static key_t last = 0;
    omni_mutex_lock lock(mutex);
    return ++last;
  }
  // The previous value is deleted. Returns `value`.
  value_t* set_value(key_t key, value_t* value) {
    if (key == 0) return nullptr;
    if (values_.size() < key) values_.resize(key, nullptr);
    if (values_[key - 1] != value) delete values_[key - 1];
    return values_[key - 1] = value;
  }
  value_t* get_value(key_t key) { return key == 0 || values_.size() < key ? nullptr : values_[key - 1]; }
  // The caller owns the result.
  value_t* remove_value(key_t key) {
    value_t* const value = get_value(key);
    if (value) values_[key - 1] = nullptr;
    return value;
  }

 protected:
  // For classes that override run() or run_undetached().
  omni_thread(void* argument = nullptr, priority_t priority = PRIORITY_NORMAL)
      : argument_(argument), priority_(priority), id_(next_id()) {}
  virtual ~omni_thread() {
    for (value_t* value : values_) delete value;
  }
  omni_thread(const omni_thread&) = delete;
  omni_thread& operator=(const omni_thread&) = delete;

  void start_undetached() {
    detached_ = false;
    start();
  }
  virtual void run(void* argument) {
    if (detached_function_) detached_function_(argument);
  }
  virtual void* run_undetached(void* argument) { return function_ ? function_(argument) : nullptr; }

 private:
  // What a thread knows of itself. `given` was made by self(), `dummy` by create_dummy().
  struct Own {
    ~Own() {
      delete given;
      delete dummy;
    }
    omni_thread* object = nullptr;
    omni_thread* given = nullptr;
    omni_thread* dummy = nullptr;
  };
  static Own& own() {
    static thread_local Own mine;
    return mine;
  }
  // Ends a thread's object also if its function throws or calls exit().
  struct Ending {
    ~Ending() {
      bool detached;
      {
        omni_mutex_lock lock(thread->mutex_);
        thread->state_ = STATE_TERMINATED;
        detached = thread->detached_;
      }
      if (detached) {
        delete thread;
        own().object = nullptr;
      }
    }
    omni_thread* thread;
  };

  static void* begin(void* object) {
    omni_thread* const thread = static_cast<omni_thread*>(object);
    {
      omni_mutex_lock lock(thread->mutex_);
    }  // start() has stored what pthread_create() gave
    own().object = thread;
    Ending ending = {thread};
    if (thread->detached_)
      thread->run(thread->argument_);
    else
      thread->result_ = thread->run_undetached(thread->argument_);
    return nullptr;
  }
  static omni_thread* started(omni_thread* thread) {
    try {
      thread->start();
    } catch (...) {
      delete thread;
      throw;
    }
    return thread;
  }
  static omni_thread* for_this_thread() {
    omni_thread* const made = new omni_thread(static_cast<void*>(nullptr));
    made->state_ = STATE_RUNNING;
    made->thread_ = pthread_self();
    if (getpid() == static_cast<pid_t>(syscall(SYS_gettid))) made->id_ = 0;
    return made;
  }
  static int next_id() {
    static omni_mutex mutex;
    static int last = 0;
    omni_mutex_lock lock(mutex);
    return ++last;
  }
  static unsigned long& stack_size() {
    static unsigned long octets = 0;
    return octets;
  }
  static bool has_priorities(int policy) { return policy == SCHED_FIFO || policy == SCHED_RR; }
  static int native(int policy, priority_t priority) {
    const int least = sched_get_priority_min(policy), most = sched_get_priority_max(policy);
    return priority == PRIORITY_LOW ? least : priority == PRIORITY_HIGH ? most : least + (most - least) / 2;
  }
  void set_priority(pthread_attr_t& how) const {
    int policy;
    sched_param parameters;
    if (pthread_getschedparam(pthread_self(), &policy, &parameters) != 0 || !has_priorities(policy)) return;
    parameters.sched_priority = native(policy, priority_);
    pthread_attr_setinheritsched(&how, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&how, policy);
    pthread_attr_setschedparam(&how, &parameters);
  }

  omni_mutex mutex_;
  void (*detached_function_)(void*) = nullptr;
  void* (*function_)(void*) = nullptr;
  void* argument_;
  void* result_ = nullptr;
  priority_t priority_;
  state_t state_ = STATE_NEW;
  bool detached_ = true;
  int id_;
  pthread_t thread_ = pthread_t();
  std::vector<value_t*> values_;
};
