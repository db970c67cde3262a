/* A shim for LD_PRELOAD: the n-th call on a file of a folder fails, and the next ones too unless told otherwise.

   FAULT_FOLDER   beginning of the paths that are meant
   FAULT_AT       which call fails, from 1
   FAULT_ERRNO    the error: 28 (ENOSPC), 5 (EIO), 4 (EINTR)
   FAULT_ONCE     1: only that one
   FAULT_CALLS    writes (write, pwrite64), the default, or all: also open, read, rename, link, unlink, mkdir, rmdir,
                  chmod, fsync, ftruncate
   FAULT_SYNC     any: fsync does nothing
   FAULT_LOG      a file that gets a line for each call that is counted */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static long count = 0;

#define REAL(name) static __typeof__(name) *real = 0; if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static int fails(const char *path, const char *call, int a_write)
{
    const char *folder = getenv("FAULT_FOLDER"), *at = getenv("FAULT_AT"), *error = getenv("FAULT_ERRNO");
    const char *calls = getenv("FAULT_CALLS"), *log = getenv("FAULT_LOG");
    if (!folder || !at || !error || !*folder || !path) return 0;
    if (!a_write && (!calls || strcmp(calls, "all"))) return 0;
    if (strncmp(path, folder, strlen(folder))) return 0;
    count++;
    if (log) {
        FILE *file = fopen(log, "a");
        if (file) { fprintf(file, "%ld %s %s\n", count, call, path); fclose(file); }
    }
    if (count < atol(at) || (getenv("FAULT_ONCE") && count > atol(at))) return 0;
    errno = atoi(error);
    return 1;
}

static int fails_open(int number, const char *call, int a_write)
{
    char name[64], path[4096];
    snprintf(name, sizeof name, "/proc/self/fd/%d", number);
    ssize_t length = readlink(name, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return fails(path, call, a_write);
}

static int fails_named(int folder, const char *given, const char *call)
{
    char path[8192];
    if (!given) return 0;
    if (*given == '/') return fails(given, call, 0);
    if (folder == AT_FDCWD) {
        if (!getcwd(path, 4096)) return 0;
    } else {
        char name[64];
        snprintf(name, sizeof name, "/proc/self/fd/%d", folder);
        ssize_t length = readlink(name, path, 4095);
        if (length <= 0) return 0;
        path[length] = 0;
    }
    strncat(path, "/", sizeof path - strlen(path) - 1);
    strncat(path, given, sizeof path - strlen(path) - 1);
    return fails(path, call, 0);
}

ssize_t write(int number, const void *what, size_t size)
{ REAL(write); return fails_open(number, "write", 1) ? -1 : real(number, what, size); }

ssize_t pwrite64(int number, const void *what, size_t size, off_t at)
{ REAL(pwrite64); return fails_open(number, "pwrite", 1) ? -1 : real(number, what, size, at); }

ssize_t read(int number, void *what, size_t size)
{ REAL(read); return fails_open(number, "read", 0) ? -1 : real(number, what, size); }

int fsync(int number)
{
    REAL(fsync);
    if (getenv("FAULT_SYNC")) return 0;
    return fails_open(number, "fsync", 0) ? -1 : real(number);
}

int ftruncate64(int number, off_t size)
{ REAL(ftruncate64); return fails_open(number, "ftruncate", 0) ? -1 : real(number, size); }

int open64(const char *path, int flags, ...)
{
    REAL(open64);
    va_list more;
    va_start(more, flags);
    mode_t mode = va_arg(more, mode_t);
    va_end(more);
    return fails_named(AT_FDCWD, path, flags & (O_WRONLY | O_RDWR) ? "open to write" : "open") ? -1 : real(path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    REAL(open);
    va_list more;
    va_start(more, flags);
    mode_t mode = va_arg(more, mode_t);
    va_end(more);
    return fails_named(AT_FDCWD, path, flags & (O_WRONLY | O_RDWR) ? "open to write" : "open") ? -1 : real(path, flags, mode);
}

int rename(const char *from, const char *to)
{ REAL(rename); return fails_named(AT_FDCWD, from, "rename") ? -1 : real(from, to); }

int link(const char *from, const char *to)
{ REAL(link); return fails_named(AT_FDCWD, from, "link") ? -1 : real(from, to); }

int linkat(int one, const char *from, int other, const char *to, int flags)
{ REAL(linkat); return fails_named(one, from, "link") ? -1 : real(one, from, other, to, flags); }

int unlink(const char *path)
{ REAL(unlink); return fails_named(AT_FDCWD, path, "unlink") ? -1 : real(path); }

int unlinkat(int folder, const char *path, int flags)
{ REAL(unlinkat); return fails_named(folder, path, "unlink") ? -1 : real(folder, path, flags); }

int mkdir(const char *path, mode_t mode)
{ REAL(mkdir); return fails_named(AT_FDCWD, path, "mkdir") ? -1 : real(path, mode); }

int rmdir(const char *path)
{ REAL(rmdir); return fails_named(AT_FDCWD, path, "rmdir") ? -1 : real(path); }

int chmod(const char *path, mode_t mode)
{ REAL(chmod); return fails_named(AT_FDCWD, path, "chmod") ? -1 : real(path, mode); }

int fchmodat(int folder, const char *path, mode_t mode, int flags)
{ REAL(fchmodat); return fails_named(folder, path, "chmod") ? -1 : real(folder, path, mode, flags); }
