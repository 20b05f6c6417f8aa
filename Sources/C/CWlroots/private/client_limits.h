/* What one client may have, as Swift has said (ClientLimits). */
#ifndef MULLION_LIMITS_H
#define MULLION_LIMITS_H

#include "mullion_wayland.h"

extern struct mw_client_limits mw_client_limits;

#define MW_LIMIT_DEPTH mw_client_limits.depth
#define MW_HELD_CONFIGURES mw_client_limits.held_configures

#endif
