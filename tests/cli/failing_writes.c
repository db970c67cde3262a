/* A shim for LD_PRELOAD: the n-th write to a file of a folder fails, and the next ones too unless told otherwise.

   FAULT_FOLDER   beginning of the paths that are meant
   FAULT_AT       which write fails, from 1
   FAULT_ERRNO    the error: 28 (ENOSPC), 5 (EIO), 4 (EINTR)
   FAULT_ONCE     1: only that one */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long count = 0;

static int fails(int number)
{
    const char *folder = getenv("FAULT_FOLDER"), *at = getenv("FAULT_AT"), *error = getenv("FAULT_ERRNO");
    char name[64], path[4096];
    if (!folder || !at || !error || !*folder) return 0;
    snprintf(name, sizeof name, "/proc/self/fd/%d", number);
    ssize_t length = readlink(name, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    if (strncmp(path, folder, strlen(folder))) return 0;
    count++;
    if (count < atol(at) || (getenv("FAULT_ONCE") && count > atol(at))) return 0;
    errno = atoi(error);
    return 1;
}

ssize_t write(int number, const void *what, size_t size)
{
    static ssize_t (*real)(int, const void *, size_t) = 0;
    if (!real) real = dlsym(RTLD_NEXT, "write");
    return fails(number) ? -1 : real(number, what, size);
}

ssize_t pwrite64(int number, const void *what, size_t size, off_t at)
{
    static ssize_t (*real)(int, const void *, size_t, off_t) = 0;
    if (!real) real = dlsym(RTLD_NEXT, "pwrite64");
    return fails(number) ? -1 : real(number, what, size, at);
}
