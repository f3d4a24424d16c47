// Places in the code that perf, bpftrace and SystemTap can attach to while a program runs (USDT).
#pragma once

// TAKT_PROBE(name) marks the place takt:name. A site is a note in the object file and adds no instruction:
// the tool puts its breakpoint on the next instruction. Place a site where control passes exactly once, not
// before a loop and not at the end of a branch, because other paths also reach the next instruction there.
// TAKT_PROBE_TEXT(name, text) also passes a text: its address and its length are the probe's two arguments.
#if defined(__linux__) && defined(__ELF__) && (defined(__x86_64__) || defined(__aarch64__))
// The note format of SystemTap, which the other tools also read. The owner is "stapsdt" and the type is 3.
// Three addresses follow (the site, the base for prelinking, no semaphore), then three strings (provider,
// name, arguments).
#define TAKT_DETAIL_PROBE(name, arguments)                                \
  "990:\n"                                                                \
  ".pushsection .note.stapsdt,\"?\",\"note\"\n"                           \
  ".balign 4\n"                                                           \
  ".4byte 992f-991f, 994f-993f, 3\n"                                      \
  "991: .asciz \"stapsdt\"\n"                                             \
  "992: .balign 4\n"                                                      \
  "993: .8byte 990b, _.stapsdt.base, 0\n"                                 \
  ".asciz \"takt\"\n"                                                     \
  ".asciz \"" #name                                                       \
  "\"\n"                                                                  \
  ".asciz \"" arguments                                                   \
  "\"\n"                                                                  \
  "994: .balign 4\n"                                                      \
  ".popsection\n"                                                         \
  ".ifndef _.stapsdt.base\n"                                              \
  ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
  ".weak _.stapsdt.base\n"                                                \
  ".hidden _.stapsdt.base\n"                                              \
  "_.stapsdt.base: .space 1\n"                                            \
  ".size _.stapsdt.base, 1\n"                                             \
  ".popsection\n"                                                         \
  ".endif\n"
#define TAKT_PROBE(name) __asm__ __volatile__ __inline__(TAKT_DETAIL_PROBE(name, ""))
#define TAKT_PROBE_TEXT(name, text)                                    \
  __asm__ __volatile__ __inline__(TAKT_DETAIL_PROBE(name, "8@%0 8@%1") \
                                  :                                    \
                                  : "nor"((text).data()), "nor"((text).size()))
#else
#define TAKT_PROBE(name) static_cast<void>(0)
#define TAKT_PROBE_TEXT(name, text) static_cast<void>(text)
#endif
