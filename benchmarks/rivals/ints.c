/* Perft of English draughts in C: the functions of Strachey's program of 1966 on words of 64 bits, with every position
   made. It is the limit that everything else is held against.

       cc -O2 -o ints ints.c && ./ints DEPTH
*/

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef uint64_t Bits;
typedef struct { Bits own, other, kings; } Position;
typedef struct { Position *at; int count; } List;

/* 32 squares in 35 places: a move is a shift by 4 or 5. */
static const Bits BOARD = (Bits)0xFF << 32 | (Bits)0xFF << 23 | (Bits)0xFF << 14 | (Bits)0xFF << 5;
static const Bits LAST_ROWS = (Bits)0xF << 36 | (Bits)0xF << 5;
enum { MOST = 64, STEPS = 4 };
static const int STEP[STEPS] = {5, 4, -4, -5}; /* of Black; the men of a side go its first two ways */

static inline Bits moved(Bits squares, int step) { return step > 0 ? squares << step : squares >> -step; }

/* Go on with a capture by the piece as long as there is another one. */
static void captures(Position p, Bits piece, int side, List *out) {
    Bits empty = ~p.own & ~p.other & BOARD;
    int ends = 1;
    for (int way = 0; way < (piece & p.kings ? STEPS : 2); way++) {
        int step = side * STEP[way];
        Bits taken = moved(piece, step) & p.other, to = moved(taken, step) & empty;
        if (to) {
            Bits king = piece & p.kings ? to : to & LAST_ROWS;
            Position after = {(p.own & ~piece) | to, p.other & ~taken, (p.kings & ~taken & ~piece) | king};
            captures(after, to, side, out);
            ends = 0;
        }
    }
    if (ends) out->at[out->count++] = (Position){p.other, p.own, p.kings};
}

/* All next positions: captures if there are any. */
static int positions(Position p, int side, Position *after) {
    List out = {after, 0};
    Bits empty = ~p.own & ~p.other & BOARD;
    for (int way = 0; way < STEPS; way++) {
        int step = side * STEP[way];
        Bits pieces = moved(moved(empty, -step) & p.other, -step) & p.own & (way < 2 ? ~(Bits)0 : p.kings);
        for (; pieces; pieces &= pieces - 1) {
            Bits piece = pieces & -pieces, taken = moved(piece, step), to = moved(taken, step);
            Bits king = piece & p.kings ? to : to & LAST_ROWS;
            Position next = {(p.own & ~piece) | to, p.other & ~taken, (p.kings & ~taken & ~piece) | king};
            captures(next, to, side, &out);
        }
    }
    if (out.count) return out.count;
    for (int way = 0; way < STEPS; way++) {
        int step = side * STEP[way];
        Bits pieces = moved(empty, -step) & p.own & (way < 2 ? ~(Bits)0 : p.kings);
        for (; pieces; pieces &= pieces - 1) {
            Bits piece = pieces & -pieces, to = moved(piece, step);
            Bits king = piece & p.kings ? to : to & LAST_ROWS;
            after[out.count++] = (Position){p.other, (p.own & ~piece) | to, (p.kings & ~piece) | king};
        }
    }
    return out.count;
}

static long leaves(Position p, int side, int depth) {
    Position after[MOST];
    int count = positions(p, side, after);
    if (depth == 1) return count;
    long sum = 0;
    for (int i = 0; i < count; i++) sum += leaves(after[i], -side, depth - 1);
    return sum;
}

int main(int argc, char **argv) {
    Position start = {(Bits)0xF << 14 | (Bits)0xFF << 5, (Bits)0xFF << 32 | (Bits)0xF << 27, 0};
    int depth = argc > 1 ? atoi(argv[1]) : 7;
    for (int plies = 1; plies <= depth; plies++) printf("%ld%c", leaves(start, 1, plies), plies < depth ? ' ' : '\n');
    return 0;
}
