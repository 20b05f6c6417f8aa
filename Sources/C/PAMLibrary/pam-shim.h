// C, because a module map takes one header: it includes the library's.
#include <security/pam_appl.h>
