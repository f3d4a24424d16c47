[ -d examples ] || cp -r "$SOURCE/examples" .
sed -n '/^```cmake$/,/^```$/p' "$SOURCE/docs/user/first-program.md" | sed '/^```/d' | diff - examples/hello/CMakeLists.txt
