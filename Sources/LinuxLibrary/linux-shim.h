// Kernel interfaces that Swift's Glibc module leaves out.
#include <sys/epoll.h>
#include <sys/pidfd.h>
