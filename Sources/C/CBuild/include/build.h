/* Names the commit of a release build; else "development". */
const char *mullion_build(void);
