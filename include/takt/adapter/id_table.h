// For tables that were made before it moved.
#pragma once

#include <takt/lookup/id_table.h>
