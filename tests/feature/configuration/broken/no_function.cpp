// No plug-in: a shared object of something else.
extern "C" int something_else() { return 1; }
