/* The floor: log-potential of cells and its gradient, written by hand for one processor.
 *
 * Same numbers as models/kernel.py (see there for the formulas), the compiler's own exp and log, cells sorted by White,
 * no Python between two gradients. Built by floor.py with -O3 -march=native -ffast-math.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

static double gradient(int64_t cells, int64_t seats, int64_t runs, const int64_t *restrict start,
                       const int64_t *restrict run_white, const int32_t *restrict black,
                       const double *restrict offset, const double *restrict surplus, const double *restrict total,
                       const double *restrict white_seat, const double *restrict black_seat, double lam,
                       double *restrict white_slope, double *restrict black_slope, double *restrict scratch,
                       double *restrict lam_slope)
{
    const double draw = exp(lam);
    double value = 0.0, drawn = 0.0;
    for (int64_t r = 0; r < runs; r++) {
        const double own = white_seat[run_white[r]];
        for (int64_t c = start[r]; c < start[r + 1]; c++)
            scratch[c] = own - black_seat[black[c]] + offset[c];
    }
    for (int64_t c = 0; c < cells; c++) {
        const double eta = scratch[c], half = 0.5 * fabs(eta), sign = eta < 0.0 ? -1.0 : 1.0;
        const double u = exp(-half), square = u * u, f = square + draw * u;
        const double behind = total[c] - sign * surplus[c], share = total[c] / (1.0 + f);
        value -= behind * half + total[c] * log(1.0 + f);
        drawn += share * draw * u;
        scratch[c] = 0.5 * sign * (share * (f + square) - behind);
    }
    memset(white_slope, 0, seats * sizeof(double));
    memset(black_slope, 0, seats * sizeof(double));
    for (int64_t r = 0; r < runs; r++) {
        double sum = 0.0;
        for (int64_t c = start[r]; c < start[r + 1]; c++)
            sum += scratch[c];
        white_slope[run_white[r]] += sum;
        if (black[start[r]] == black[start[r + 1] - 1]) {
            black_slope[black[start[r]]] -= sum;
            continue;
        }
        for (int64_t c = start[r]; c < start[r + 1]; c++)
            black_slope[black[c]] -= scratch[c];
    }
    *lam_slope = -drawn;
    return value;
}

/* Nanoseconds of each of `repeats` gradients; the value of the last is returned. */
double time_gradients(int64_t repeats, int64_t *nanoseconds, int64_t cells, int64_t seats, int64_t runs,
                      const int64_t *start, const int64_t *run_white, const int32_t *black, const double *offset,
                      const double *surplus, const double *total, double *white_seat, const double *black_seat,
                      double lam, double *white_slope, double *black_slope, double *scratch, double *lam_slope)
{
    double value = 0.0;
    for (int64_t k = 0; k < repeats; k++) {
        struct timespec before, after;
        clock_gettime(CLOCK_MONOTONIC, &before);
        value = gradient(cells, seats, runs, start, run_white, black, offset, surplus, total, white_seat, black_seat,
                         lam, white_slope, black_slope, scratch, lam_slope);
        clock_gettime(CLOCK_MONOTONIC, &after);
        nanoseconds[k] = (after.tv_sec - before.tv_sec) * 1000000000LL + (after.tv_nsec - before.tv_nsec);
    }
    return value;
}
