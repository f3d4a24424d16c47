#!/bin/bash -eu
# What OSS-Fuzz runs to build Takt's fuzz targets into $OUT, each with its corpus and dictionary. Compilers, flags and the engine
# are given in CC, CXX, CFLAGS, CXXFLAGS and LIB_FUZZING_ENGINE. TAKT_FUZZ_TARGETS names targets, as fuzz_giop_ior, to build only
# these. script/oss-fuzz runs it without OSS-Fuzz's image.
cd "$SRC/takt"
cmake -S . -B "$WORK/takt" -G Ninja -D CMAKE_BUILD_TYPE=RelWithDebInfo -D TAKT_BUILD_FUZZ=ON \
  -D TAKT_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" -D TAKT_BUILD_BENCH=OFF -D TAKT_BUILD_EXAMPLES=OFF \
  -D CMAKE_EXE_LINKER_FLAGS="${LDFLAGS:-}"
cmake --build "$WORK/takt" --target ${TAKT_FUZZ_TARGETS:-fuzz_all}

mkdir -p "$OUT/lib"
for program in "$WORK"/takt/tests/fuzz/fuzz_*; do
  [ -f "$program" ] && [ -x "$program" ] || continue
  name=${program##*/fuzz_}
  cp "$program" "$OUT/$name"
  # Targets run on machines that have the C library, and no other library that they are linked with.
  ldd "$program" | awk '$3 ~ "^/" && $1 !~ /^(libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+|ld-linux.*)\.so/ {print $3}' |
    xargs -r cp -Lu -t "$OUT/lib"
  patchelf --set-rpath '$ORIGIN/lib' "$OUT/$name"
  corpus=tests/fuzz/corpus/$name
  [ "$name" != takt_references ] || corpus=tests/fuzz/corpus/reference_ior
  python3 -m zipfile -c "$OUT/${name}_seed_corpus.zip" "$corpus"
  tests/fuzz/dictionary "$name" > "$OUT/$name.dict"
  [ -s "$OUT/$name.dict" ] || rm "$OUT/$name.dict"
done
