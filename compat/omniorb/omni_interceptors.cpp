// Interceptors of threads, by the hook that the runtime calls in each thread that it starts.
#include <omniORB4/omniInterceptors.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <vector>

#include <takt/threads/thread_hook.h>

namespace omni {

namespace {

typedef omniInterceptors::ThreadInterceptors Interceptors;
typedef std::vector<Interceptors::interceptFunc> Functions;

// Never destroyed: threads of the ORB may outlive main().
struct Lists {
  std::mutex mutex;
  struct List {
    const Interceptors* of;
    Functions functions;
  };
  std::vector<List> lists;

  static Lists& all() {
    static Lists* const the = new Lists;
    return *the;
  }
  // Call with the mutex.
  Functions& of(const Interceptors* which) {
    for (List& list : lists)
      if (list.of == which) return list.functions;
    lists.push_back({which, Functions()});
    return lists.back().functions;
  }
};

class Thread final : public Interceptors::info_T {
 public:
  Thread(Functions functions, void (*run)(void*), void* work)
      : functions_(std::move(functions)), run_(run), work_(work) {}
  void run() override {
    if (next_ == functions_.size()) return run_(work_);
    functions_[next_++](*this);
  }
  omni_thread* self() override { return omni_thread::self(); }

 private:
  const Functions functions_;
  std::size_t next_ = 0;
  void (*const run_)(void*);
  void* const work_;
};

void around_thread(takt::ThreadUse use, void (*run)(void*), void* work) {
  Functions functions;
  {
    const omniInterceptors& all = *omniInterceptors::_takt_all();
    Lists& lists = Lists::all();
    const std::lock_guard<std::mutex> lock(lists.mutex);
    functions = lists.of(&all.createThread);
    const Functions* more = nullptr;
    if (use == takt::ThreadUse::upcalls) more = &lists.of(&all.assignUpcallThread);
    if (use == takt::ThreadUse::callbacks) more = &lists.of(&all.assignAMIThread);
    if (more) functions.insert(functions.end(), more->begin(), more->end());
  }
  Thread(std::move(functions), run, work).run();
}

}  // namespace

omniInterceptors* omniInterceptors::_takt_all() {
  static omniInterceptors* const the = new omniInterceptors;
  return the;
}

void omniInterceptors::ThreadInterceptors::add(interceptFunc interceptor) {
  {
    Lists& lists = Lists::all();
    const std::lock_guard<std::mutex> lock(lists.mutex);
    lists.of(this).push_back(interceptor);
  }
  takt::set_thread_hook(&around_thread);
}

void omniInterceptors::ThreadInterceptors::remove(interceptFunc interceptor) {
  Lists& lists = Lists::all();
  const std::lock_guard<std::mutex> lock(lists.mutex);
  Functions& functions = lists.of(this);
  functions.erase(std::remove(functions.begin(), functions.end(), interceptor), functions.end());
}

}  // namespace omni

omni::omniInterceptors* omniORB::getInterceptors() { return omni::omniInterceptors::_takt_all(); }
