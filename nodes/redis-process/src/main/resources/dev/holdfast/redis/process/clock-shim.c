/*
 * Preloaded into a server (LD_PRELOAD), it steps the server's wall clock by an offset in a mapped file. A program that writes to
 * the file therefore sets the clock of a running server. The monotonic clock stays as it is, as when a real clock is set.
 * A delay in the same file makes each flush to disk take longer, as on a slow disk.
 *
 * It must not allocate memory or look up symbols: jemalloc asks for the time before it can allocate anything, so a shim that
 * allocates would wait for itself for ever. The time therefore comes straight from the kernel.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NANOS 1000000000LL

struct shared {
    volatile int64_t offset_nanos;
    volatile int64_t loaded;
    volatile int64_t flush_delay_nanos;
};

struct microseconds { /* struct timeval, whose header declares gettimeofday differently in different libraries */
    long seconds;
    long micros;
};

static struct shared *shared;

__attribute__((constructor)) static void map_file(void) {
    const char *path = getenv("HOLDFAST_CLOCK_FILE");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) {
        return;
    }
    void *mapped = mmap(0, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (mapped != MAP_FAILED) {
        shared = mapped;
        shared->loaded = 1;
    }
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    long failed = syscall(SYS_clock_gettime, clock, time);
    if (failed == 0 && shared && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        int64_t nanos = time->tv_sec * NANOS + time->tv_nsec + shared->offset_nanos;
        time->tv_sec = nanos / NANOS;
        time->tv_nsec = nanos % NANOS;
    }
    return (int) failed;
}

int gettimeofday(void *time, void *zone) {
    struct timespec now;
    struct microseconds *out = time;
    (void) zone;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) {
        return -1;
    }
    if (out) {
        out->seconds = now.tv_sec;
        out->micros = now.tv_nsec / 1000;
    }
    return 0;
}

time_t time(time_t *out) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) {
        return (time_t) -1;
    }
    if (out) {
        *out = now.tv_sec;
    }
    return now.tv_sec;
}

static void wait_for_slow_disk(void) {
    int64_t nanos = shared ? shared->flush_delay_nanos : 0;
    if (nanos > 0) {
        struct timespec delay = {nanos / NANOS, nanos % NANOS};
        syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &delay, 0);
    }
}

int fsync(int file) {
    wait_for_slow_disk();
    return (int) syscall(SYS_fsync, file);
}

int fdatasync(int file) {
    wait_for_slow_disk();
    return (int) syscall(SYS_fdatasync, file);
}
