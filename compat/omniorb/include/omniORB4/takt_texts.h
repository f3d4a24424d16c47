// How elements of const sequences of strings are read: by in() too. Before all of the classic mapping.
#pragma once

#define TAKT_CLASSIC_TEXTS_HAVE_IN
