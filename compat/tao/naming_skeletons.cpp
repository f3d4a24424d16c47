// The skeletons that are made beside the naming service's stubs.
#include "orbsvcs/CosNaming_takt_S.cpp"
