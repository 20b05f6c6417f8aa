// C, because a module map takes one header: it includes the library's.
#include <sqlite3.h>
