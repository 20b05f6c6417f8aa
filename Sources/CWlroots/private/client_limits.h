/*
 * What one client may have. Generous: the most that real apps were seen with stands beside each. A client that goes
 * beyond is disconnected with wl_display.error "implementation", and the log says who and what. docs/hostility.md
 * lists them. Xwayland is exempt: it is many apps.
 */
#ifndef MULLION_LIMITS_H
#define MULLION_LIMITS_H

#define MW_LIMIT_CONNECTIONS 128          /* of one process; Chromium: 2 */
#define MW_FILES_KEPT 256                 /* descriptors that are no clients' connections, at least; and of all others ... */
#define MW_FILES_PER_CONNECTION 4         /* ... a connection has two itself: more clients than that at once are turned away */
#define MW_LIMIT_SURFACES 4096            /* Firefox: 30 */
#define MW_LIMIT_WINDOWS 256              /* LibreOffice: one for each document */
#define MW_LIMIT_POPUPS 256               /* menus in menus: 10 */
#define MW_LIMIT_SUBSURFACES 512          /* Firefox: 20 */
#define MW_LIMIT_DEPTH 64                 /* subsurfaces in subsurfaces: 3; every walk of a tree recurses */
#define MW_LIMIT_CACHED 1024              /* commits of one subsurface that wait for its parent's: 2 */
#define MW_LIMIT_CACHED_RECTANGLES 65536  /* of all regions in those */
#define MW_LIMIT_POOLS 2048               /* GTK: one for each buffer, 4 for each window */
#define MW_LIMIT_BUFFERS 8192
#define MW_LIMIT_POOL_BYTES (4ll << 30)   /* of all pools that the client has not destroyed; a 4K window: 100 MiB */
#define MW_LIMIT_CALLBACKS 8192           /* frames and syncs not yet answered: 1 for each surface */
#define MW_LIMIT_FEEDBACKS 8192           /* of presentation, not yet answered: mpv 3 */
#define MW_LIMIT_OFFERS 4096              /* of clipboard and drag: 2 */
#define MW_LIMIT_TYPES (64 << 10)         /* bytes of the types of one selection, and 16 for each: LibreOffice 2 KiB */
#define MW_LIMIT_SELECTIONS (128 << 10)   /* the same of all that are set in a second, and 512 for each: one for each frame in which text is marked */
#define MW_LIMIT_PASTES (64 << 10)        /* of types that are asked for in a second, and 128 for each: clipboard managers 2 KiB */
#define MW_HELD_CONFIGURES 64             /* of one surface, not yet answered: 2; what the shell itself would tell it waits then, which is no error */
#define MW_LIMIT_CONFIGURES 1024          /* the same, if the client asks for more and more of them */
#define MW_LIMIT_INHIBITORS 1024          /* of idleness: one for each film */
#define MW_LIMIT_DEVICES 128              /* virtual pointers and keyboards: 1 for each seat */
#define MW_LIMIT_LAYERS 128               /* panels, wallpapers, notifications: 10; each has all arranged anew */
#define MW_LIMIT_FIELDS 256               /* text inputs: one for each seat, GTK one for each window */
#define MW_LIMIT_WATCHES 256              /* for idleness: swayidle 5; all are asked at each press and motion */
#define MW_LIMIT_FRAMES 1024              /* of screencopy: wf-recorder 2 */
#define MW_LIMIT_SEAT_OBJECTS 1024        /* GTK: 3 */
#define MW_LIMIT_SESSIONS 64              /* of windows that come back: 1 */
#define MW_LIMIT_SESSION_WINDOWS 512      /* objects of windows in those: one for each window */
#define MW_LIMIT_TOKENS 256               /* of activation, in the 30 s that one lives: one for each launch */
#define MW_LIMIT_KEYMAPS 16               /* of virtual keyboards, in a second: wtype 1 */
#define MW_LIMIT_OBJECTS 65536            /* Firefox: 600 */
#define MW_LIMIT_RECTANGLES 8192          /* of one region: rounded corners 40 */
#define MW_DAMAGE_RECTANGLES 1024         /* of one commit; more become their extents, which is no error */

#endif
