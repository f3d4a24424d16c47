// For docs/user/classic-mapping.md.
// IDL: tests/docs/contexts/echo.idl --mapping classic
