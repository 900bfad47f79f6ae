/* The compiled layers of one token after another, without their zeros: the inner loop of `engine.native`.

   What is computed and where it is rounded is said in engine/compact.py and is the same here; the two are held equal by
   tests/engine/test_native.py. Sums run over the nonzero inputs only (matrices lie by columns), in float32 without fused
   multiply-add. Nonlinear functions of bf16 numbers are torch's own, tabulated by the caller for all 65,536 of them, and
   decays, which depend on a head's parameters too, are asked of the caller once a value.

   A layer keeps what it last read and what it added for it. Both are pure functions of the residual, so they stay true
   when the caller goes back to an earlier state. */

#include <stddef.h>
#include <stdint.h>

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
int32_t _DllMainCRTStartup(void *module, uint32_t reason, void *reserved) { (void)module, (void)reason, (void)reserved; return 1; }
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* The library is linked without libc, which takes the compiler a second instead of eight; what it needs of one is here. */
#define INTERNAL __attribute__((visibility("hidden"), used))
INTERNAL void *memcpy(void *to, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((char *)to)[i] = ((const char *)from)[i];
    return to;
}
INTERNAL void *memset(void *to, int value, size_t count) {
    for (size_t i = 0; i < count; i++) ((char *)to)[i] = (char)value;
    return to;
}
static inline float root(float x) { return __builtin_sqrtf(x); }

/* Whether two arrays of numbers are the same, bit for bit. */
static int same(const float *a, const float *b, int32_t count) {
    const uint32_t *x = (const uint32_t *)a, *y = (const uint32_t *)b;
    for (int32_t i = 0; i < count; i++)
        if (x[i] != y[i]) return 0;
    return 1;
}

typedef struct { /* a sparse matrix by columns */
    int32_t rows, columns;
    const int32_t *offsets, *row;
    const float *value;
} Sparse;

typedef struct { /* the same; the nonzeros of a column are runs of neighbouring rows, which processors add several at a time */
    int32_t rows, columns;
    const int32_t *offsets; /* of runs, by column */
    const int32_t *row, *start; /* a run's first row, and where its values begin; one start more than runs */
    const float *value;
} Runs;

typedef struct { /* RMSNorm on some lanes, engine/residual.py `Norm` */
    int32_t count;
    const int32_t *lanes;
    const float *gain;
    double low, high;
} Norm;

typedef struct {
    int32_t live, neurons, written_count;
    Norm norm;
    Sparse inner, down; /* inner: gates, then ups */
    const int32_t *written;
    float *read, *before, *pre, *added; /* read: the lanes that `added` was computed for; NaN at first */
} Mlp;

typedef struct { /* rows that belong to a dim of a head, then rows that belong to a head */
    Runs matrix;         /* over the lanes at `at` of the mixer's */
    const int32_t *at;
    float *read;         /* those lanes, as last seen; NaN at first */
    int32_t placed, rest;
    const int32_t *place, *slots;
    const float *taps;   /* [taps, placed], or null where no row looks back */
    float *sums;         /* [rows] */
} Projection;

typedef struct { int32_t kind, slot, row; float value; } Pair; /* kind 0: query, 1: key */
typedef struct { int32_t slot; float factor; } Decay;

typedef struct {
    int32_t live, slots, written_count, read_count, pairs_count, decays_count;
    Norm norm;
    Projection address, value, gate;
    Sparse out;          /* over the dims at `read` */
    const float *gated_norm; /* [dims] */
    const int32_t *written, *read;
    Pair *pairs;         /* [2 * slots * dims] */
    Decay *decays;       /* [slots] */
    float *factors;      /* [slots, known]: bits of a as float, factor */
    int32_t *factors_count;
    float *offered, *core, *opened, *gated, *added;
    float *heads;        /* state [slots, dims, dims] */
    float *past;         /* state [taps, lanes], the newest at `newest` */
    int32_t *newest;
} Mixer;

typedef float (*AskDecay)(int32_t layer, int32_t slot, float a);

typedef struct {
    int32_t layers, hidden, dims, taps, known;
    const Mixer *mixers;
    const Mlp *mlps;
    const float *silu, *sigmoid, *silu_single; /* by bf16 bits: bf16 results, and silu in float32 */
    AskDecay ask;
    float *residual;
} Machine;

static const float EPSILON = 1e-6f;

static inline uint32_t bits(float x) { uint32_t u; memcpy(&u, &x, 4); return u; }
static inline float number(uint32_t u) { float x; memcpy(&x, &u, 4); return x; }

/* Nearest even. No sum here is NaN: weights are finite and far below float32's range. */
static inline float bf16(float x) {
    uint32_t u = bits(x);
    return number((u + 0x7fffu + (u >> 16 & 1)) & 0xffff0000u);
}

static inline float table(const float *values, float bf16_number) { return values[bits(bf16_number) >> 16]; }

/* sums += matrix * x */
static void add_product(const Sparse *matrix, const float *x, float *sums) {
    for (int32_t c = 0; c < matrix->columns; c++) {
        const float factor = x[c];
        if (factor == 0.0f) continue;
        for (int32_t k = matrix->offsets[c]; k < matrix->offsets[c + 1]; k++) sums[matrix->row[k]] += matrix->value[k] * factor;
    }
}

static void product(const Sparse *matrix, const float *x, float *sums) {
    memset(sums, 0, sizeof(float) * matrix->rows);
    add_product(matrix, x, sums);
}

static void product_of_runs(const Runs *matrix, const float *x, float *sums) {
    memset(sums, 0, sizeof(float) * matrix->rows);
    for (int32_t c = 0; c < matrix->columns; c++) {
        const float factor = x[c];
        if (factor == 0.0f) continue;
        for (int32_t r = matrix->offsets[c]; r < matrix->offsets[c + 1]; r++) {
            const float *value = matrix->value + matrix->start[r];
            const int32_t count = matrix->start[r + 1] - matrix->start[r];
            float *restrict to = sums + matrix->row[r];
            for (int32_t k = 0; k < count; k++) to[k] += value[k] * factor;
        }
    }
}

static float squares(const float *x, int32_t count) {
    float parts[16] = {0};
    for (int32_t i = 0; i < count; i += 16)
        for (int32_t k = 0; k < 16; k++) parts[k] += x[i + k] * x[i + k];
    float sum = 0;
    for (int32_t k = 0; k < 16; k++) sum += parts[k];
    return sum;
}

/* The normalised lanes of a residual whose squares sum to `sum`. */
static void normalise(const Norm *norm, const Machine *m, float sum, float *lanes) {
    for (int32_t i = 0; i < norm->count; i++) lanes[i] = m->residual[norm->lanes[i]];
    if (norm->low <= sum && sum <= norm->high) return;
    const float inverse = 1.0f / root(sum / (float)m->hidden + EPSILON);
    for (int32_t i = 0; i < norm->count; i++) lanes[i] = bf16(lanes[i] * inverse * norm->gain[i]);
}

/* Add bf16 numbers to lanes of the residual; the new sum of squares. */
static float add(const Machine *m, const int32_t *lanes, const float *added, int32_t count, float sum) {
    int changed = 0;
    for (int32_t i = 0; i < count; i++) {
        if (added[i] == 0.0f) continue;
        m->residual[lanes[i]] = bf16(m->residual[lanes[i]] + added[i]);
        changed = 1;
    }
    return changed ? squares(m->residual, m->hidden) : sum;
}

/* ---------------------------------------------------------------- MLP */
static float run_mlp(const Machine *m, const Mlp *mlp, float sum) {
    normalise(&mlp->norm, m, sum, mlp->before);
    if (!same(mlp->before, mlp->read, mlp->norm.count)) {
        memcpy(mlp->read, mlp->before, sizeof(float) * mlp->norm.count);
        product(&mlp->inner, mlp->read, mlp->pre);
        memset(mlp->added, 0, sizeof(float) * mlp->written_count);
        for (int32_t n = 0; n < mlp->neurons; n++) {
            const float up = bf16(mlp->pre[mlp->neurons + n]);
            if (up == 0.0f) continue;
            const float hidden = bf16(table(m->silu, bf16(mlp->pre[n])) * up);
            if (hidden == 0.0f) continue;
            for (int32_t k = mlp->down.offsets[n]; k < mlp->down.offsets[n + 1]; k++)
                mlp->added[mlp->down.row[k]] += mlp->down.value[k] * hidden;
        }
        for (int32_t i = 0; i < mlp->written_count; i++) mlp->added[i] = bf16(mlp->added[i]);
    }
    return add(m, mlp->written, mlp->added, mlp->written_count, sum);
}

/* ---------------------------------------------------------------- mixer */
/* Read the lanes of a token that a projection depends on; whether they are others than last time.
   Of none it cannot be known. */
static int look(const Projection *projection, const float *lanes) {
    int changed = projection->matrix.columns == 0;
    for (int32_t c = 0; c < projection->matrix.columns; c++) {
        const float x = lanes[projection->at[c]];
        changed |= bits(x) != bits(projection->read[c]);
        projection->read[c] = x;
    }
    return changed;
}

/* The sums of a projection where its lanes have changed, the conv done; still to be rounded to bf16. Whether they have. */
static int project(const Machine *m, const Mixer *mixer, const Projection *projection) {
    const int32_t lanes = mixer->norm.count, newest = *mixer->newest;
    if (projection->taps == NULL) {
        if (!look(projection, mixer->past + (int64_t)newest * lanes)) return 0;
        product_of_runs(&projection->matrix, projection->read, projection->sums);
        return 1;
    }
    float *mixed = projection->sums + projection->matrix.rows; /* behind the sums of one token */
    memset(mixed, 0, sizeof(float) * projection->placed);
    for (int32_t t = 0; t < m->taps; t++) { /* oldest first, so that the newest one's rest stays in `sums` */
        look(projection, mixer->past + (int64_t)((newest + 1 + t) % m->taps) * lanes);
        product_of_runs(&projection->matrix, projection->read, projection->sums);
        for (int32_t i = 0; i < projection->placed; i++)
            mixed[i] += bf16(projection->sums[i]) * projection->taps[(int64_t)t * projection->placed + i];
    }
    memcpy(projection->sums, mixed, sizeof(float) * projection->placed);
    return 1;
}

static float decay_factor(const Machine *m, const Mixer *mixer, int32_t layer, int32_t slot, float a) {
    float *known = mixer->factors + (int64_t)slot * m->known * 2;
    for (int32_t i = 0; i < mixer->factors_count[slot]; i++)
        if (bits(known[2 * i]) == bits(a)) return known[2 * i + 1];
    const float factor = m->ask(layer, slot, a);
    const int32_t place = mixer->factors_count[slot] < m->known ? mixer->factors_count[slot]++ : m->known - 1;
    known[2 * place] = a;
    known[2 * place + 1] = factor;
    return factor;
}

/* Which rows of which heads the token reads and writes, and which heads decay. */
static void address(const Machine *m, Mixer *mixer, int32_t layer) {
    const Projection *projection = &mixer->address;
    if (!project(m, mixer, projection)) return;
    Pair *pairs = mixer->pairs;
    int32_t count = 0;
    for (int32_t i = 0; i < projection->placed; i++) {
        const float value = table(m->silu, bf16(projection->sums[i]));
        if (value == 0.0f) continue;
        const int32_t place = projection->place[i], head = place / m->dims;
        pairs[count++] = (Pair){head / mixer->slots, head % mixer->slots, place % m->dims, value};
    }
    for (int32_t begin = 0, end; begin < count; begin = end) { /* l2norm by head */
        float sum = 0;
        for (end = begin; end < count && pairs[end].kind == pairs[begin].kind && pairs[end].slot == pairs[begin].slot; end++)
            sum += pairs[end].value * pairs[end].value;
        const float inverse = 1.0f / root(sum + EPSILON), scale = pairs[begin].kind ? 1.0f : root((float)m->dims);
        for (int32_t i = begin; i < end; i++) pairs[i].value = pairs[i].value * inverse / scale;
    }
    mixer->pairs_count = count;
    mixer->decays_count = 0;
    for (int32_t s = 0, r = 0; s < mixer->slots; s++) { /* slots of the rest ascend */
        const float a = r < projection->rest && projection->slots[r] == s ? bf16(projection->sums[projection->placed + r++]) : 0.0f;
        const float factor = decay_factor(m, mixer, layer, s, a);
        if (factor != 1.0f) mixer->decays[mixer->decays_count++] = (Decay){s, factor};
    }
}

/* What the keyed rows [begin, end) of one head hold, summed as the query or key weighs them. */
static void gather(const Mixer *mixer, const Pair *begin, const Pair *end, int32_t dims, float *sum) {
    for (const Pair *p = begin; p < end; p++) {
        const float *row = mixer->heads + ((int64_t)p->slot * dims + p->row) * dims;
        if (p == begin)
            for (int32_t d = 0; d < dims; d++) sum[d] = row[d] * p->value;
        else
            for (int32_t d = 0; d < dims; d++) sum[d] += row[d] * p->value;
    }
}

static const Pair *same_head(const Pair *begin, const Pair *end) {
    const Pair *p = begin;
    while (p < end && p->kind == begin->kind && p->slot == begin->slot) p++;
    return p;
}

/* The delta rule on the keyed rows: state += key * (value - read) * beta. */
static void write_heads(const Machine *m, const Mixer *mixer, const Pair *keys, const Pair *end) {
    const int32_t dims = m->dims;
    const Projection *projection = &mixer->value;
    if (project(m, mixer, projection)) /* places without a row stay 0 */
        for (int32_t i = 0; i < projection->placed; i++)
            mixer->offered[projection->place[i]] = table(m->silu, bf16(projection->sums[i]));
    for (const Pair *begin = keys, *next; begin < end; begin = next) {
        next = same_head(begin, end);
        float beta = 0.5f; /* sigmoid(0), where there is no b row */
        for (int32_t r = 0; r < projection->rest; r++)
            if (projection->slots[r] == begin->slot)
                beta = table(m->sigmoid, bf16(projection->sums[projection->placed + r]));
        float *delta = mixer->core;
        const float *offer = mixer->offered + (int64_t)begin->slot * dims;
        gather(mixer, begin, next, dims, delta);
        for (int32_t d = 0; d < dims; d++) delta[d] = (offer[d] - delta[d]) * beta;
        for (const Pair *p = begin; p < next; p++) {
            float *row = mixer->heads + ((int64_t)p->slot * dims + p->row) * dims;
            for (int32_t d = 0; d < dims; d++) row[d] += p->value * delta[d];
        }
    }
}

/* What the queried heads hold, through gated norm and output projection, added to the residual. */
static float read_heads(const Machine *m, const Mixer *mixer, const Pair *queries, const Pair *end, float sum) {
    const int32_t dims = m->dims;
    const Projection *gate = &mixer->gate;
    if (project(m, mixer, gate))
        for (int32_t i = 0; i < gate->placed; i++) mixer->opened[gate->place[i]] = table(m->silu_single, bf16(gate->sums[i]));
    memset(mixer->gated, 0, sizeof(float) * mixer->slots * dims);
    for (const Pair *begin = queries, *next; begin < end; begin = next) {
        next = same_head(begin, end);
        float *core = mixer->core, total = 0;
        gather(mixer, begin, next, dims, core);
        for (int32_t d = 0; d < dims; d++) core[d] = bf16(core[d]);
        for (int32_t d = 0; d < dims; d++) total += core[d] * core[d];
        const float inverse = 1.0f / root(total / (float)dims + EPSILON);
        const float *opened = mixer->opened + (int64_t)begin->slot * dims;
        float *gated = mixer->gated + (int64_t)begin->slot * dims;
        for (int32_t d = 0; d < dims; d++)
            gated[d] = bf16(bf16(mixer->gated_norm[d] * bf16(core[d] * inverse)) * opened[d]);
    }
    memset(mixer->added, 0, sizeof(float) * mixer->written_count);
    for (int32_t c = 0; c < mixer->read_count; c++) {
        const float factor = mixer->gated[mixer->read[c]];
        if (factor == 0.0f) continue;
        for (int32_t k = mixer->out.offsets[c]; k < mixer->out.offsets[c + 1]; k++)
            mixer->added[mixer->out.row[k]] += mixer->out.value[k] * factor;
    }
    for (int32_t i = 0; i < mixer->written_count; i++) mixer->added[i] = bf16(mixer->added[i]);
    return add(m, mixer->written, mixer->added, mixer->written_count, sum);
}

static float run_mixer(const Machine *m, Mixer *mixer, int32_t layer, float sum) {
    const int32_t lanes = mixer->norm.count;
    *mixer->newest = (*mixer->newest + 1) % m->taps;
    normalise(&mixer->norm, m, sum, mixer->past + (int64_t)*mixer->newest * lanes);
    address(m, mixer, layer);
    for (int32_t i = 0; i < mixer->decays_count; i++) {
        const Decay decay = mixer->decays[i];
        float *head = mixer->heads + (int64_t)decay.slot * m->dims * m->dims;
        for (int32_t k = 0; k < m->dims * m->dims; k++) head[k] *= decay.factor;
    }
    const Pair *queries = mixer->pairs, *end = queries + mixer->pairs_count, *keys = queries;
    while (keys < end && keys->kind == 0) keys++;
    if (keys < end) write_heads(m, mixer, keys, end);
    return keys > queries ? read_heads(m, mixer, queries, keys, sum) : sum;
}

/* ---------------------------------------------------------------- */
/* Run tokens through all layers; m->residual is then what stands behind the last of them.

   embedded: [count, hidden] */
EXPORT void forward(const Machine *m, const float *embedded, int32_t count) {
    for (int32_t t = 0; t < count; t++) {
        memcpy(m->residual, embedded + (int64_t)t * m->hidden, sizeof(float) * m->hidden);
        float sum = squares(m->residual, m->hidden);
        for (int32_t i = 0; i < m->layers; i++) {
            if (m->mixers[i].live) sum = run_mixer(m, (Mixer *)&m->mixers[i], i, sum);
            if (m->mlps[i].live) sum = run_mlp(m, &m->mlps[i], sum);
        }
    }
}
