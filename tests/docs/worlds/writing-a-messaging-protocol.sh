own_programs
cp "$BUILD"/tests/feature/configuration/{traced,runs,checked,site,shortest,gateway}.so .
