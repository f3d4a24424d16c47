// The former name of <takt/threads/thread_hook.h>, for programs that include it by that.
#pragma once

#include <takt/threads/thread_hook.h>
