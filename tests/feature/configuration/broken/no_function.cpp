// A shared object that is not a plug-in.
extern "C" int something_else() { return 1; }
