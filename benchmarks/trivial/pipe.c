/* The floor: `pipe ROUNDS REQUEST_BYTES REPLY_BYTES` sends requests to a child that replies at once; prints µs a round. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char bytes[1 << 20];

static void take(int fd, int length) {
    for (int got = 0, n; got < length; got += n)
        if ((n = read(fd, bytes, length - got)) <= 0) _exit(0);
}

static void give(int fd, int length) {
    if (write(fd, bytes, length) != length) _exit(1);
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    int rounds = atoi(argv[1]), request = atoi(argv[2]), reply = atoi(argv[3]), to[2], from[2];
    struct timespec a, b;
    if (pipe(to) || pipe(from)) return 1;
    if (!fork()) {
        close(to[1]);
        for (;;) take(to[0], request), give(from[1], reply);
    }
    close(from[1]);
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (int i = 0; i < rounds; i++) give(to[1], request), take(from[0], reply);
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%.3f\n", ((b.tv_sec - a.tv_sec) * 1e6 + (b.tv_nsec - a.tv_nsec) / 1e3) / rounds);
    return 0;
}
