/* What the C of cplc stands on.

   A whole number that leaves 64 bits, a recursion that goes too deep, memory that runs out, a fault of the program, and
   a value of another type than was expected: each leaves by `leave`, and the call begins again in Python, which knows
   what to do. Nothing outside was changed until then. A library runs one call at a time. */

#define _GNU_SOURCE /* for the end of the stack */
#include <math.h>
#if !defined _WIN32 && !defined __wasm__
#include <pthread.h>
#endif
#ifndef __wasm__
#include <setjmp.h>
#include <signal.h>
#endif
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#include <time.h>

typedef int64_t whole; /* a whole number; or a bit string, whose digits to the left are those of the sign */
typedef bool truth;
typedef int64_t text; /* a string: its number in the table of the program */
typedef char nil;

typedef double real;

#define equal_nil(x, y) ((void)(x), (void)(y), true)

enum { DONE, TOO_BIG, TOO_DEEP, NO_MEMORY, FAULT, OTHER_TYPE, STOPPED };

#ifdef __wasm__
/* In WebAssembly nothing jumps back: `leave` traps. The caller then asks for the reason, and sets the stack back. */
#define setjmp(start) DONE
static volatile int reason;
static _Noreturn void leave(int why) {
    reason = why;
    __builtin_trap();
}
int cpl_reason(void) {
    int why = reason;
    reason = DONE;
    return why;
}
#else
static jmp_buf start;
static _Noreturn void leave(int why) { longjmp(start, why); }
#endif

/* Stands where a value of this type is expected and there is none: the call is given up. */
#define no_value(type) (leave(OTHER_TYPE), *(type *)NULL)

/* A value of one of several types is a struct with a tag, such as `is_text`. `one_of` and `nil_of` make it of one of
   these types, and `only` is the value that it has if it is of the type that is expected. */
#define nil_of(UNION) ((UNION){.is = is_nil})
#define one_of(UNION, TYPE, ...) ((UNION){.is = is_##TYPE, .TYPE = (__VA_ARGS__)})
#define only(TYPE, ...)                                                                                                \
    ({                                                                                                                 \
        typeof(__VA_ARGS__) one = (__VA_ARGS__);                                                                       \
        if (one.is != is_##TYPE) leave(OTHER_TYPE);                                                                    \
        one.TYPE;                                                                                                      \
    })

#ifdef __wasm__
static inline void check_stop(void) {}
#else
static volatile sig_atomic_t stopped; /* by Ctrl-C */
static inline void check_stop(void) {
    if (stopped) leave(STOPPED);
}
#endif

/* The stack may grow down to `deepest`: as far as a call may take it, but not to its end, where the system tells that. */
static char *deepest;

#ifdef __wasm__
extern char __stack_low;
static char *end_of_stack(void) { return &__stack_low; }
#else
static char *end_of_stack(void) {
    static __thread char *end;
    if (end) return end;
#if defined __linux__
    pthread_attr_t attributes;
    void *lowest;
    size_t size;
    if (!pthread_getattr_np(pthread_self(), &attributes)) {
        if (!pthread_attr_getstack(&attributes, &lowest, &size)) end = lowest;
        pthread_attr_destroy(&attributes);
    }
#elif defined __APPLE__
    end = (char *)pthread_get_stackaddr_np(pthread_self()) - pthread_get_stacksize_np(pthread_self());
#endif
    return end;
}
#endif

static void set_deepest(int64_t stack) {
    char *frame = __builtin_frame_address(0), *last = end_of_stack() + (1 << 16);
    int64_t room = frame - last;
    deepest = stack < room ? frame - stack : last;
}

static inline void check_depth(void) {
    if ((char *)__builtin_frame_address(0) < deepest) leave(TOO_DEEP);
    check_stop();
}

/* Memory: taken piece by piece, and given back together, up to a mark. */

typedef struct block { struct block *next; char *end, bytes[]; } block;
typedef struct { block *block; char *free; } mark;

static block *first;
static mark now;
static int64_t total, most_memory;

/* What is behind `now` is not used any more: a block there that is too small makes room for another. */
static void *take_from_next(int64_t size) {
    block **place = now.block ? &now.block->next : &first, *next;
    while ((next = *place) && next->end - next->bytes < size) {
        total -= next->end - next->bytes;
        *place = next->next;
        free(next);
    }
    if (!next) {
        int64_t room = size > 1 << 20 ? size : 1 << 20;
        next = total + room <= most_memory ? malloc(sizeof(block) + (size_t)room) : NULL;
        if (!next) leave(NO_MEMORY);
        total += room;
        next->end = next->bytes + room;
        next->next = NULL;
        *place = next;
    }
    now = (mark){next, next->bytes + size};
    return next->bytes;
}

static inline void *take(int64_t size) {
    size = (size + 15) & -16;
    if (!now.block || now.block->end - now.free < size) return take_from_next(size);
    void *taken = now.free;
    now.free += size;
    return taken;
}

/* The same in more memory: what was taken last grows where it is. */
static void *take_more(void *taken, int64_t size, int64_t wanted) {
    int64_t room = (size + 15) & -16, more = ((wanted + 15) & -16) - room;
    if (taken && (char *)taken + room == now.free && now.block->end - now.free >= more) {
        now.free += more;
        return taken;
    }
    void *new = take(wanted);
    if (size) memcpy(new, taken, (size_t)size);
    return new;
}

static inline void give_back(const mark *before) {
    now = *before;
    if (!now.block && first) now = (mark){first, first->bytes};
}

/* What a function takes after `GIVE_BACK_AT_END mark before = now;` it gives back on every way out. */
#define GIVE_BACK_AT_END __attribute__((cleanup(give_back)))

/* Whole numbers */

static inline whole fits(bool overflows, whole x) {
#ifdef SMALLEST
    overflows |= x < SMALLEST || x > ~SMALLEST; /* to test the way out */
#endif
    if (overflows) leave(TOO_BIG);
    return x;
}
static inline whole add(whole x, whole y) {
    whole z;
    bool overflows = __builtin_add_overflow(x, y, &z);
    return fits(overflows, z);
}
static inline whole subtract(whole x, whole y) {
    whole z;
    bool overflows = __builtin_sub_overflow(x, y, &z);
    return fits(overflows, z);
}
static inline whole multiply(whole x, whole y) {
    whole z;
    bool overflows = __builtin_mul_overflow(x, y, &z);
    return fits(overflows, z);
}
static inline whole negative(whole x) { return subtract(0, x); }
static inline whole shift(whole x, whole n) { /* to the right; most shifts are by less than a word */
    if (n >= 0 && n < 64) return x >> n;
    if (n < 0 && n > -63) {
        whole shifted = (whole)((uint64_t)x << -n);
        return fits(shifted >> -n != x, shifted);
    }
    if (n > 0) return x < 0 ? -1 : 0;
    if (x) leave(TOO_BIG);
    return 0;
}

static inline whole count_ones(whole x) {
    if (x < 0) leave(TOO_BIG); /* it has ones without end */
    return __builtin_popcountll((unsigned long long)x);
}

static inline whole quotient(whole x, whole y) {
    if (!y) leave(FAULT);
    return y == -1 ? negative(x) : x / y;
}
static inline whole remainder_of(whole x, whole y) {
    if (!y) leave(FAULT);
    return y == -1 ? 0 : x % y;
}

static inline whole power(whole x, whole n) {
    if (n < 0) leave(FAULT);
    if (n > 1 && x >= -1 && x <= 1) return n % 2 ? x : x * x;
    whole result = 1;
    while (n-- > 0) result = multiply(result, x);
    return result;
}

/* Reals. Each is what it is in Python, and where Python has no value the call is given up. */

static inline real divide(real x, real y) {
    if (y == 0) leave(FAULT);
    return x / y;
}
static inline real defined(real x, real result) { /* of a function that is not defined, or too large, for some x */
    if ((isnan(result) && !isnan(x)) || (isinf(result) && !isinf(x))) leave(FAULT);
    return result;
}
static inline real sqrt_of(real x) { return defined(x, sqrt(x)); }
static inline real exp_of(real x) { return defined(x, exp(x)); }
static inline real log_of(real x) { return defined(x, log(x)); }
static inline real sin_of(real x) { return defined(x, sin(x)); }
static inline real cos_of(real x) { return defined(x, cos(x)); }
static inline real atan_of(real x) { return defined(x, atan(x)); }
static inline real power_of_real(real x, real n) {
    if ((x == 0 && n < 0) || (x < 0 && n != floor(n))) leave(FAULT);
    real result = pow(x, n);
    if (isinf(result) && !isinf(x) && !isinf(n)) leave(FAULT);
    return result;
}

/* Numbers that may be whole or real */

typedef struct { bool is_real; union { whole whole; real real; }; } number;

static inline number of_whole(whole x) { return (number){.is_real = false, .whole = x}; }
static inline number of_real(real x) { return (number){.is_real = true, .real = x}; }
static inline whole whole_of(number x) {
    if (x.is_real) leave(OTHER_TYPE);
    return x.whole;
}
static inline real as_real(number x) { return x.is_real ? x.real : (real)x.whole; }
static inline real exact(number x) { /* as_real, only where that is exactly as large */
    if (!x.is_real && (x.whole > INT64_C(1) << 53 || x.whole < -(INT64_C(1) << 53))) leave(TOO_BIG);
    return as_real(x);
}
static inline whole entier(number x) {
    if (!x.is_real) return x.whole;
    if (!(x.real > -0x1p62 && x.real < 0x1p62)) leave(TOO_BIG);
    return fits(false, (whole)floor(x.real));
}
static inline whole rounded(number x) { /* halves go up; adding 0.5 could round first */
    if (!x.is_real) return x.whole;
    real below = floor(x.real);
    return entier(of_real(below + (x.real - below >= 0.5)));
}
static inline whole as_whole(number x) { /* where an integer is declared */
    if (x.is_real && x.real != floor(x.real)) leave(FAULT);
    return entier(x);
}
static inline number add_numbers(number x, number y) {
    return x.is_real || y.is_real ? of_real(as_real(x) + as_real(y)) : of_whole(add(x.whole, y.whole));
}
static inline number subtract_numbers(number x, number y) {
    return x.is_real || y.is_real ? of_real(as_real(x) - as_real(y)) : of_whole(subtract(x.whole, y.whole));
}
static inline number multiply_numbers(number x, number y) {
    return x.is_real || y.is_real ? of_real(as_real(x) * as_real(y)) : of_whole(multiply(x.whole, y.whole));
}
static inline number power_of_numbers(number x, number n) {
    return x.is_real || n.is_real ? of_real(power_of_real(as_real(x), as_real(n))) : of_whole(power(x.whole, n.whole));
}
static inline number negative_number(number x) { return x.is_real ? of_real(-x.real) : of_whole(negative(x.whole)); }
static inline truth equal_number(number x, number y) {
    return x.is_real || y.is_real ? exact(x) == exact(y) : x.whole == y.whole;
}
static inline truth less_number(number x, number y) {
    return x.is_real || y.is_real ? exact(x) < exact(y) : x.whole < y.whole;
}
static inline truth at_most_number(number x, number y) {
    return x.is_real || y.is_real ? exact(x) <= exact(y) : x.whole <= y.whole;
}

/* Lists. To append is for lists that nothing else has. The rest of a list has its items with it in common, unless
   members are assigned somewhere. What Python has given is a copy: its members are not assigned, and where members are
   assigned it is not given back. Nor is a list given twice, as Python would have two; a copy that has items of another
   type counts as the list that it comes from, and both are kept as they are. */

#if ASSIGNED
#define CARE bool given, kept, written, *once;
#define ASSIGNABLE(list) (!(list)->given && !(list)->kept)
#define mark_given(list) ((list)->given = true)
#define keep_as_it_is(list, copy)                                                                                      \
    do {                                                                                                               \
        (list)->kept = (copy)->kept = true;                                                                            \
        (copy)->given = (list)->given;                                                                                 \
        (copy)->once = (list)->once ? (list)->once : &(list)->written;                                                 \
    } while (0)
#define give_once(list)                                                                                                \
    do {                                                                                                               \
        bool *once = (list)->once ? (list)->once : &(list)->written;                                                   \
        if ((list)->given || *once) leave(OTHER_TYPE);                                                                 \
        *once = true;                                                                                                  \
    } while (0)
#else
#define CARE
#define ASSIGNABLE(list) false
#define mark_given(list)
#define give_once(list)
#endif

#define LIST(NAME, ITEM)                                                                                               \
    typedef struct NAME##_record { whole count, room; ITEM *items; CARE } *NAME;                                       \
    static inline NAME new_##NAME(whole count) {                                                                       \
        NAME list = take(sizeof *list);                                                                                \
        ITEM *items = count ? take(count * (int64_t)sizeof(ITEM)) : NULL;                                              \
        *list = (struct NAME##_record){.count = count, .room = count, .items = items};                                 \
        return list;                                                                                                   \
    }                                                                                                                  \
    static inline void append_##NAME(NAME list, ITEM item) {                                                           \
        if (list->count == list->room) {                                                                               \
            whole room = list->room < 4 ? 8 : 2 * list->room;                                                          \
            list->items = take_more(list->items, list->room * (int64_t)sizeof(ITEM), room * (int64_t)sizeof(ITEM));    \
            list->room = room;                                                                                         \
        }                                                                                                              \
        list->items[list->count++] = item;                                                                             \
    }                                                                                                                  \
    static inline void extend_##NAME(NAME list, NAME more) {                                                           \
        for (whole i = 0, end = more->count; i < end; i++) append_##NAME(list, more->items[i]);                        \
    }                                                                                                                  \
    static inline NAME join_##NAME(NAME x, NAME y) {                                                                   \
        NAME list = new_##NAME(x->count + y->count);                                                                   \
        if (x->count) memcpy(list->items, x->items, (size_t)x->count * sizeof(ITEM));                                  \
        if (y->count) memcpy(list->items + x->count, y->items, (size_t)y->count * sizeof(ITEM));                       \
        return list;                                                                                                   \
    }                                                                                                                  \
    static inline ITEM item_##NAME(NAME list, whole index) {                                                           \
        if (index < 0 || index >= list->count) leave(FAULT);                                                           \
        return list->items[index];                                                                                     \
    }                                                                                                                  \
    static inline ITEM *place_##NAME(NAME list, whole index) {                                                         \
        if (!ASSIGNABLE(list) || index < 0 || index >= list->count) leave(FAULT);                                      \
        return &list->items[index];                                                                                    \
    }                                                                                                                  \
    static inline NAME rest_##NAME(NAME list) {                                                                        \
        if (!list->count) leave(FAULT);                                                                                \
        NAME rest = take(sizeof *rest);                                                                                \
        whole count = list->count - 1;                                                                                 \
        *rest = (struct NAME##_record){.count = count, .room = count, .items = list->items + 1};                       \
        if (ASSIGNED && rest->count) {                                                                                 \
            rest->items = take(rest->count * (int64_t)sizeof(ITEM));                                                   \
            memcpy(rest->items, list->items + 1, (size_t)rest->count * sizeof(ITEM));                                  \
        }                                                                                                              \
        return rest;                                                                                                   \
    }                                                                                                                  \
    static inline NAME rest_from_##NAME(NAME list, whole at) {                                                         \
        if (!at) return list;                                                                                          \
        NAME rest = take(sizeof *rest);                                                                                \
        whole count = list->count - at;                                                                                \
        *rest = (struct NAME##_record){.count = count, .room = count, .items = list->items + at};                      \
        return rest;                                                                                                   \
    }                                                                                                                  \
    static inline NAME single_##NAME(ITEM item) {                                                                      \
        NAME list = new_##NAME(1);                                                                                     \
        list->items[0] = item;                                                                                         \
        return list;                                                                                                   \
    }

/* The place after another one, for what walks through a list. */
static inline whole after_first(whole count, whole at) {
    if (at >= count) leave(FAULT);
    return at + 1;
}

/* The numbers that Python's `hash` gives to whole numbers and, step by step, to tuples. */

#define HASH 2870177450012600261

static inline whole hash_whole(whole x) {
    const whole most = (INT64_C(1) << 61) - 1;
    if (x >= most || x <= -most) x %= most;
    return x == -1 ? -2 : x;
}
static inline whole hash_with(whole hash, whole item) {
    uint64_t sum = (uint64_t)hash + (uint64_t)item * 14029467366897019727u;
    return (whole)((sum << 31 | sum >> 33) * 11400714785074694791u);
}
static inline whole hash_of(whole hash, whole count) {
    whole sum = (whole)((uint64_t)hash + ((uint64_t)count ^ (HASH ^ 3527539u)));
    return sum == -1 ? 1546275796 : sum;
}
static inline whole place_of_hash(whole hash, whole count) {
    if (count <= 0) leave(FAULT);
    whole place = hash % count;
    return place < 0 ? place + count : place;
}

/* What is remembered stays from call to call, and may be forgotten. A table has an entry for each place, which no line of
   the processor's cache divides. Its tag is what a number has besides its place, and 0 if nothing is there. A tuple of
   whole numbers is kept in half the room, with the sign of 32 bits; if one is too large for that, a second table has it. */

enum { PLACE_BITS = 19, PLACES = 1 << PLACE_BITS, LARGE_PAGE = 1 << 21 };

#define place_of(under) ((under) & (PLACES - 1))
#define tag_of(under) ((uint64_t)(under) >> PLACE_BITS | UINT64_C(1) << 62)
#define IS_LARGE (UINT64_C(1) << 63)

/* Room for a table, all zeros; NULL if there is none: then nothing is remembered. */
static inline void *new_places(size_t size) {
#ifdef MADV_HUGEPAGE
    char *places = mmap(NULL, size + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (places == MAP_FAILED) return NULL;
    places += -(uintptr_t)places & (LARGE_PAGE - 1);
    madvise(places, size, MADV_HUGEPAGE); /* where the system has no large pages, others do */
    return places;
#else
    char *places = calloc(1, size + 64);
    return places ? places + (-(uintptr_t)places & 63) : NULL;
#endif
}

#define ENTRY_SIZE(size) ((size) <= 8 ? 16 : (size) <= 24 ? 32 : 64)

#define KEPT(NAME)                                                                                                     \
    typedef struct { uint64_t tag; NAME value; } __attribute__((aligned(ENTRY_SIZE(sizeof(NAME))))) NAME##_place;      \
    static NAME##_place *NAME##_places;                                                                                \
    static inline void remember_##NAME(whole under, NAME value) {                                                      \
        if (!NAME##_places && !(NAME##_places = new_places(PLACES * sizeof(NAME##_place)))) return;                    \
        NAME##_places[place_of(under)] = (NAME##_place){.tag = tag_of(under), .value = value};                         \
    }                                                                                                                  \
    static inline NAME recall_##NAME(whole under, NAME otherwise) {                                                    \
        if (!NAME##_places) return otherwise;                                                                          \
        NAME##_place *place = &NAME##_places[place_of(under)];                                                         \
        return place->tag == tag_of(under) ? place->value : otherwise;                                                 \
    }
#define KEPT_SMALL(NAME)                                                                                               \
    typedef struct { int32_t items[sizeof(NAME) / sizeof(whole)]; } small_##NAME;                                      \
    typedef struct { uint64_t tag; small_##NAME value; } __attribute__((aligned(ENTRY_SIZE(sizeof(small_##NAME)))))    \
        NAME##_place;                                                                                                  \
    static NAME##_place *NAME##_places;                                                                                \
    static NAME *large_##NAME##_places;                                                                                \
    static inline void remember_##NAME(whole under, NAME value) {                                                      \
        if (!NAME##_places && !(NAME##_places = new_places(PLACES * sizeof(NAME##_place)))) return;                    \
        whole items[sizeof(NAME) / sizeof(whole)];                                                                     \
        memcpy(items, &value, sizeof items);                                                                           \
        NAME##_place new = {.tag = tag_of(under)};                                                                     \
        bool is_small = true;                                                                                          \
        for (size_t i = 0; i < sizeof items / sizeof *items; i++) {                                                    \
            new.value.items[i] = (int32_t)items[i];                                                                    \
            is_small &= new.value.items[i] == items[i];                                                                \
        }                                                                                                              \
        if (!is_small) {                                                                                               \
            if (!large_##NAME##_places) large_##NAME##_places = new_places(PLACES * sizeof(NAME));                     \
            if (large_##NAME##_places) large_##NAME##_places[place_of(under)] = value;                                 \
            new.tag = large_##NAME##_places ? new.tag | IS_LARGE : 0;                                                  \
        }                                                                                                              \
        NAME##_places[place_of(under)] = new;                                                                          \
    }                                                                                                                  \
    static inline NAME recall_##NAME(whole under, NAME otherwise) {                                                    \
        if (!NAME##_places) return otherwise;                                                                          \
        NAME##_place place = NAME##_places[place_of(under)];                                                           \
        if (place.tag == (tag_of(under) | IS_LARGE)) return large_##NAME##_places[place_of(under)];                    \
        if (place.tag != tag_of(under)) return otherwise;                                                              \
        whole items[sizeof(NAME) / sizeof(whole)];                                                                     \
        for (size_t i = 0; i < sizeof items / sizeof *items; i++) items[i] = place.value.items[i];                     \
        NAME value;                                                                                                    \
        memcpy(&value, items, sizeof value);                                                                           \
        return value;                                                                                                  \
    }

/* Ask early for the entry of a number, as memory is slow. */
#define ask_early(NAME, under)                                                                                         \
    __builtin_prefetch((void *)((uintptr_t)NAME##_places + (uintptr_t)place_of(under) * sizeof *NAME##_places))

/* Time, and word from outside that a call is to end soon. In WebAssembly the caller is asked for both. */

#ifdef __wasm__
#define OF_CALLER(name) __attribute__((import_module("cpl"), import_name(name)))
static truth is_halted(void) {
    extern OF_CALLER("is_over") int is_over(void);
    return is_over() != 0;
}
static real clock_now(void) {
    extern OF_CALLER("clock_now") real clock_of_caller(void);
    return clock_of_caller();
}
#else
static volatile sig_atomic_t halted;
void cpl_halt(int64_t is_to_halt) { halted = is_to_halt != 0; }
static inline truth is_halted(void) { return halted != 0; }
static real clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (real)now.tv_sec + (real)now.tv_nsec / 1e9;
}
#endif

/* What Python gives and gets: words of 64 bits, one after the other. */

static const int64_t *next_given;
LIST(words, int64_t)
static words answer;

static inline void write_whole(whole x) { append_words(answer, x); }
static inline whole read_whole(void) { return *next_given++; }
static inline void write_truth(truth x) { write_whole(x); }
static inline truth read_truth(void) { return read_whole() != 0; }
static inline void write_text(text x) { write_whole(x); }
static inline text read_text(void) { return read_whole(); }
static inline void write_real(real x) {
    int64_t bits;
    memcpy(&bits, &x, sizeof x);
    write_whole(bits);
}
static inline real read_real(void) {
    int64_t bits = read_whole();
    real x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static inline void write_nil(nil x) { (void)x; }
static inline nil read_nil(void) { return 0; }
static inline void write_number(number x) {
    write_whole(x.is_real);
    write_whole(x.whole); /* or the same bits of a real */
}
static inline number read_number(void) {
    number x = {.is_real = read_whole() != 0};
    x.whole = read_whole();
    return x;
}

/* A function that has called `setjmp` may lose its variables: what stands apart is not written out in it. */
#define APART __attribute__((noinline))

/* A call: the memory that the constants have is kept. */

static mark kept;

/* At Ctrl-C Python only makes a note: so does this, for the main thread, and the call is given up. */
#if defined _WIN32 || defined __wasm__
static void watch(void) {}
static void unwatch(void) {}
#else
static struct sigaction noted;
static void stop(int number) {
    stopped = 1;
    noted.sa_handler(number);
}
static void watch(void) {
    sigaction(SIGINT, NULL, &noted);
    if (noted.sa_flags & SA_SIGINFO || noted.sa_handler == SIG_DFL || noted.sa_handler == SIG_IGN) return;
    struct sigaction ours = noted; /* with its flags: reading from a terminal is to end, too */
    ours.sa_handler = stop;
    sigaction(SIGINT, &ours, NULL);
}
static void unwatch(void) {
    sigaction(SIGINT, &noted, NULL);
    stopped = 0;
}
#endif
