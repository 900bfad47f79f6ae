// What CUDA C++ gives a kernel without any #include, for `clang -x cuda` without a CUDA installation.
// Semantics follow the CUDA C++ Programming Guide, chapters "C++ Language Extensions" and "Mathematical Functions", and
// the CUDA Math API's integer intrinsics. No inline assembly, so that the compiler can refuse all of it.
// Every function is `nodebug`: its instructions carry the line of the user's call.

// ---------------------------------------------------------------- qualifiers
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __device__
#define __grid_constant__
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#if __clang_major__ < 15  // a keyword since
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __CUDACC__ 1
#define __QG_DEVICE static __inline__ __device__ __attribute__((always_inline, nodebug, unused))
#define __QG_BOTH static __inline__ __device__ __host__ __attribute__((always_inline, nodebug, unused))

// ---------------------------------------------------------------- <stdint.h>, <stddef.h>, <limits.h>, <assert.h>
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
typedef signed char int_least8_t, int_fast8_t;
typedef unsigned char uint_least8_t, uint_fast8_t;
typedef short int_least16_t;
typedef unsigned short uint_least16_t;
typedef int int_least32_t;
typedef unsigned int uint_least32_t;
typedef long int_least64_t, int_fast16_t, int_fast32_t, int_fast64_t;
typedef unsigned long uint_least64_t, uint_fast16_t, uint_fast32_t, uint_fast64_t;
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef long clock_t;

#define NULL __null
#define offsetof(type, member) __builtin_offsetof(type, member)
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-LONG_MAX - 1L)
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-LLONG_MAX - 1LL)
#define ULLONG_MAX 18446744073709551615ULL
#define INT8_MIN SCHAR_MIN
#define INT8_MAX SCHAR_MAX
#define UINT8_MAX UCHAR_MAX
#define INT16_MIN SHRT_MIN
#define INT16_MAX SHRT_MAX
#define UINT16_MAX USHRT_MAX
#define INT32_MIN INT_MIN
#define INT32_MAX INT_MAX
#define UINT32_MAX UINT_MAX
#define INT64_MIN LONG_MIN
#define INT64_MAX LONG_MAX
#define UINT64_MAX ULONG_MAX
#define SIZE_MAX ULONG_MAX
#define PTRDIFF_MIN LONG_MIN
#define PTRDIFF_MAX LONG_MAX
#define INT8_C(c) c
#define INT16_C(c) c
#define INT32_C(c) c
#define INT64_C(c) c##L
#define UINT8_C(c) c
#define UINT16_C(c) c
#define UINT32_C(c) c##U
#define UINT64_C(c) c##UL
#define FLT_MAX 3.402823466e+38F
#define FLT_MIN 1.175494351e-38F
#define FLT_EPSILON 1.192092896e-07F
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define assert(condition) ((void)sizeof((condition) ? 1 : 0))  // as with NDEBUG: checked by the compiler, not run

namespace std {
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::intptr_t;
using ::ptrdiff_t;
using ::size_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
using ::uintptr_t;
typedef decltype(nullptr) nullptr_t;
}  // namespace std

// ---------------------------------------------------------------- vector types
#define __QG_VECTOR(T, N, A2, A4)                                                                \
  struct N##1 { T x; };                                                                          \
  struct __attribute__((aligned(A2))) N##2 { T x, y; };                                          \
  struct N##3 { T x, y, z; };                                                                    \
  struct __attribute__((aligned(A4))) N##4 { T x, y, z, w; };                                    \
  __QG_BOTH N##1 make_##N##1(T x) { return {x}; }                                                \
  __QG_BOTH N##2 make_##N##2(T x, T y) { return {x, y}; }                                        \
  __QG_BOTH N##3 make_##N##3(T x, T y, T z) { return {x, y, z}; }                                \
  __QG_BOTH N##4 make_##N##4(T x, T y, T z, T w) { return {x, y, z, w}; }
__QG_VECTOR(signed char, char, 2, 4)
__QG_VECTOR(unsigned char, uchar, 2, 4)
__QG_VECTOR(short, short, 4, 8)
__QG_VECTOR(unsigned short, ushort, 4, 8)
__QG_VECTOR(int, int, 8, 16)
__QG_VECTOR(unsigned int, uint, 8, 16)
__QG_VECTOR(long, long, 16, 16)
__QG_VECTOR(unsigned long, ulong, 16, 16)
__QG_VECTOR(long long, longlong, 16, 16)
__QG_VECTOR(unsigned long long, ulonglong, 16, 16)
__QG_VECTOR(float, float, 8, 16)
__QG_VECTOR(double, double, 16, 16)

struct dim3 {
  unsigned int x, y, z;
  __device__ __host__ __attribute__((nodebug)) constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1)
      : x(a), y(b), z(c) {}
  __device__ __host__ __attribute__((nodebug)) constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __device__ __host__ __attribute__((nodebug)) constexpr operator uint3() const { return {x, y, z}; }
};

// ---------------------------------------------------------------- built-in variables
#define __QG_INDEX(NAME, TYPE, READ)                                                             \
  struct __qg_##NAME {                                                                           \
    __declspec(property(get = __x)) unsigned int x;                                              \
    __declspec(property(get = __y)) unsigned int y;                                              \
    __declspec(property(get = __z)) unsigned int z;                                              \
    __QG_DEVICE unsigned int __x() { return READ##x(); }                                         \
    __QG_DEVICE unsigned int __y() { return READ##y(); }                                         \
    __QG_DEVICE unsigned int __z() { return READ##z(); }                                         \
    __device__ __attribute__((always_inline, nodebug)) operator uint3() const { return {__x(), __y(), __z()}; } \
    __device__ __attribute__((always_inline, nodebug)) operator dim3() const { return {__x(), __y(), __z()}; }  \
  };                                                                                             \
  extern const __device__ __attribute__((weak)) __qg_##NAME NAME;
__QG_INDEX(threadIdx, uint3, __nvvm_read_ptx_sreg_tid_)
__QG_INDEX(blockIdx, uint3, __nvvm_read_ptx_sreg_ctaid_)
__QG_INDEX(blockDim, dim3, __nvvm_read_ptx_sreg_ntid_)
__QG_INDEX(gridDim, dim3, __nvvm_read_ptx_sreg_nctaid_)
constexpr int warpSize = 32;

// ---------------------------------------------------------------- barriers, fences (__syncthreads is the compiler's own)
__QG_DEVICE int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
__QG_DEVICE int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
__QG_DEVICE int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
__QG_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
__QG_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
__QG_DEVICE void __threadfence() { __nvvm_membar_gl(); }
__QG_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }
#if __has_builtin(__nvvm_nanosleep)
__QG_DEVICE void __nanosleep(unsigned ns) { __nvvm_nanosleep(ns); }
#endif
__QG_DEVICE void __trap() { __builtin_trap(); }
__QG_DEVICE clock_t clock() { return __nvvm_read_ptx_sreg_clock(); }
__QG_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }

// ---------------------------------------------------------------- votes, matches, shuffles
__QG_DEVICE int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
__QG_DEVICE int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
__QG_DEVICE unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
#if __has_builtin(__nvvm_activemask)
__QG_DEVICE unsigned __activemask() { return __nvvm_activemask(); }
#endif

#define __QG_MATCH(T, BITS, W)                                                                   \
  __QG_DEVICE unsigned __match_any_sync(unsigned mask, T v) { return __nvvm_match_any_sync_i##W(mask, (BITS)v); } \
  __QG_DEVICE unsigned __match_all_sync(unsigned mask, T v, int* p) {                            \
    return __nvvm_match_all_sync_i##W##p(mask, (BITS)v, p);                                      \
  }
__QG_MATCH(int, int, 32)
__QG_MATCH(unsigned int, int, 32)
__QG_MATCH(long, long long, 64)
__QG_MATCH(unsigned long, long long, 64)
__QG_MATCH(long long, long long, 64)
__QG_MATCH(unsigned long long, long long, 64)
__QG_DEVICE unsigned __match_any_sync(unsigned mask, float v) {
  return __nvvm_match_any_sync_i32(mask, __builtin_bit_cast(int, v));
}
__QG_DEVICE unsigned __match_any_sync(unsigned mask, double v) {
  return __nvvm_match_any_sync_i64(mask, __builtin_bit_cast(long long, v));
}
__QG_DEVICE unsigned __match_all_sync(unsigned mask, float v, int* p) {
  return __nvvm_match_all_sync_i32p(mask, __builtin_bit_cast(int, v), p);
}
__QG_DEVICE unsigned __match_all_sync(unsigned mask, double v, int* p) {
  return __nvvm_match_all_sync_i64p(mask, __builtin_bit_cast(long long, v), p);
}

// The third operand of shfl.sync: bits 8 to 12 split the warp into segments of `width`, bits 0 to 4 clamp the source lane.
#define __QG_SHUFFLE(NAME, MODE, AT, CLAMP)                                                      \
  __QG_DEVICE int NAME(unsigned mask, int v, AT at, int width = warpSize) {                      \
    return __nvvm_shfl_sync_##MODE##_i32(mask, v, at, ((warpSize - width) << 8) | CLAMP);        \
  }                                                                                              \
  __QG_DEVICE unsigned int NAME(unsigned mask, unsigned int v, AT at, int width = warpSize) {    \
    return (unsigned int)NAME(mask, (int)v, at, width);                                          \
  }                                                                                              \
  __QG_DEVICE long long NAME(unsigned mask, long long v, AT at, int width = warpSize) {          \
    unsigned int low = (unsigned int)NAME(mask, (int)v, at, width);                              \
    unsigned int high = (unsigned int)NAME(mask, (int)(v >> 32), at, width);                     \
    return (long long)(((unsigned long long)high << 32) | low);                                  \
  }                                                                                              \
  __QG_DEVICE unsigned long long NAME(unsigned mask, unsigned long long v, AT at, int width = warpSize) { \
    return (unsigned long long)NAME(mask, (long long)v, at, width);                              \
  }                                                                                              \
  __QG_DEVICE long NAME(unsigned mask, long v, AT at, int width = warpSize) {                    \
    return (long)NAME(mask, (long long)v, at, width);                                            \
  }                                                                                              \
  __QG_DEVICE unsigned long NAME(unsigned mask, unsigned long v, AT at, int width = warpSize) {  \
    return (unsigned long)NAME(mask, (long long)v, at, width);                                   \
  }                                                                                              \
  __QG_DEVICE float NAME(unsigned mask, float v, AT at, int width = warpSize) {                  \
    return __builtin_bit_cast(float, NAME(mask, __builtin_bit_cast(int, v), at, width));         \
  }                                                                                              \
  __QG_DEVICE double NAME(unsigned mask, double v, AT at, int width = warpSize) {                \
    return __builtin_bit_cast(double, NAME(mask, __builtin_bit_cast(long long, v), at, width));  \
  }
__QG_SHUFFLE(__shfl_sync, idx, int, 0x1f)
__QG_SHUFFLE(__shfl_up_sync, up, unsigned int, 0)
__QG_SHUFFLE(__shfl_down_sync, down, unsigned int, 0x1f)
__QG_SHUFFLE(__shfl_xor_sync, bfly, int, 0x1f)

// ---------------------------------------------------------------- atomics; _block and _system differ only in reach
#define __QG_ATOMIC(NAME, T, BITS, BUILTIN)                                                      \
  __QG_DEVICE T NAME(T* p, T v) { return (T)BUILTIN((BITS*)p, (BITS)v); }                        \
  __QG_DEVICE T NAME##_block(T* p, T v) { return NAME(p, v); }                                   \
  __QG_DEVICE T NAME##_system(T* p, T v) { return NAME(p, v); }
__QG_ATOMIC(atomicAdd, int, int, __nvvm_atom_add_gen_i)
__QG_ATOMIC(atomicAdd, unsigned int, int, __nvvm_atom_add_gen_i)
__QG_ATOMIC(atomicAdd, unsigned long long, long long, __nvvm_atom_add_gen_ll)
__QG_ATOMIC(atomicAdd, float, float, __nvvm_atom_add_gen_f)
__QG_ATOMIC(atomicAdd, double, double, __nvvm_atom_add_gen_d)
__QG_ATOMIC(atomicExch, int, int, __nvvm_atom_xchg_gen_i)
__QG_ATOMIC(atomicExch, unsigned int, int, __nvvm_atom_xchg_gen_i)
__QG_ATOMIC(atomicExch, unsigned long long, long long, __nvvm_atom_xchg_gen_ll)
__QG_ATOMIC(atomicMin, int, int, __nvvm_atom_min_gen_i)
__QG_ATOMIC(atomicMin, unsigned int, unsigned int, __nvvm_atom_min_gen_ui)
__QG_ATOMIC(atomicMin, long long, long long, __nvvm_atom_min_gen_ll)
__QG_ATOMIC(atomicMin, unsigned long long, unsigned long long, __nvvm_atom_min_gen_ull)
__QG_ATOMIC(atomicMax, int, int, __nvvm_atom_max_gen_i)
__QG_ATOMIC(atomicMax, unsigned int, unsigned int, __nvvm_atom_max_gen_ui)
__QG_ATOMIC(atomicMax, long long, long long, __nvvm_atom_max_gen_ll)
__QG_ATOMIC(atomicMax, unsigned long long, unsigned long long, __nvvm_atom_max_gen_ull)
__QG_ATOMIC(atomicAnd, int, int, __nvvm_atom_and_gen_i)
__QG_ATOMIC(atomicAnd, unsigned int, int, __nvvm_atom_and_gen_i)
__QG_ATOMIC(atomicAnd, long long, long long, __nvvm_atom_and_gen_ll)
__QG_ATOMIC(atomicAnd, unsigned long long, long long, __nvvm_atom_and_gen_ll)
__QG_ATOMIC(atomicOr, int, int, __nvvm_atom_or_gen_i)
__QG_ATOMIC(atomicOr, unsigned int, int, __nvvm_atom_or_gen_i)
__QG_ATOMIC(atomicOr, long long, long long, __nvvm_atom_or_gen_ll)
__QG_ATOMIC(atomicOr, unsigned long long, long long, __nvvm_atom_or_gen_ll)
__QG_ATOMIC(atomicXor, int, int, __nvvm_atom_xor_gen_i)
__QG_ATOMIC(atomicXor, unsigned int, int, __nvvm_atom_xor_gen_i)
__QG_ATOMIC(atomicXor, long long, long long, __nvvm_atom_xor_gen_ll)
__QG_ATOMIC(atomicXor, unsigned long long, long long, __nvvm_atom_xor_gen_ll)
__QG_ATOMIC(atomicInc, unsigned int, unsigned int, __nvvm_atom_inc_gen_ui)
__QG_ATOMIC(atomicDec, unsigned int, unsigned int, __nvvm_atom_dec_gen_ui)

#define __QG_ATOMIC_PAIR(NAME, T)                                                                \
  __QG_DEVICE T NAME##_block(T* p, T v) { return NAME(p, v); }                                   \
  __QG_DEVICE T NAME##_system(T* p, T v) { return NAME(p, v); }
__QG_DEVICE int atomicSub(int* p, int v) { return atomicAdd(p, (int)(0u - (unsigned)v)); }
__QG_DEVICE unsigned int atomicSub(unsigned int* p, unsigned int v) { return atomicAdd(p, 0u - v); }
__QG_DEVICE float atomicExch(float* p, float v) {
  return __builtin_bit_cast(float, atomicExch((int*)p, __builtin_bit_cast(int, v)));
}
__QG_ATOMIC_PAIR(atomicSub, int)
__QG_ATOMIC_PAIR(atomicSub, unsigned int)
__QG_ATOMIC_PAIR(atomicExch, float)

#define __QG_ATOMIC_CAS(T)                                                                       \
  __QG_DEVICE T atomicCAS(T* p, T compare, T v) {                                                \
    __atomic_compare_exchange_n(p, &compare, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);      \
    return compare;                                                                              \
  }                                                                                              \
  __QG_DEVICE T atomicCAS_block(T* p, T compare, T v) { return atomicCAS(p, compare, v); }       \
  __QG_DEVICE T atomicCAS_system(T* p, T compare, T v) { return atomicCAS(p, compare, v); }
__QG_ATOMIC_CAS(int)
__QG_ATOMIC_CAS(unsigned int)
__QG_ATOMIC_CAS(unsigned long long)
__QG_ATOMIC_CAS(unsigned short)

// ---------------------------------------------------------------- integer intrinsics
__QG_DEVICE int __popc(unsigned int x) { return __builtin_popcount(x); }
__QG_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__QG_DEVICE int __clz(int x) { return x ? __builtin_clz((unsigned int)x) : 32; }
__QG_DEVICE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
__QG_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
__QG_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
__QG_DEVICE int ffs(int x) { return __builtin_ffs(x); }
__QG_DEVICE int ffsll(long long x) { return __builtin_ffsll(x); }
__QG_DEVICE unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
__QG_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
__QG_DEVICE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) {
  return (unsigned int)__nvvm_prmt((int)x, (int)y, (int)(s & 0x7777u));
}
__QG_DEVICE int __mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
__QG_DEVICE unsigned int __umulhi(unsigned int a, unsigned int b) { return __nvvm_mulhi_ui(a, b); }
__QG_DEVICE long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
__QG_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return __nvvm_mulhi_ull(a, b); }
__QG_DEVICE int mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
__QG_DEVICE unsigned int umulhi(unsigned int a, unsigned int b) { return __nvvm_mulhi_ui(a, b); }
__QG_DEVICE int __mul24(int a, int b) {
  return (int)((unsigned int)((int)((unsigned int)a << 8) >> 8) * (unsigned int)((int)((unsigned int)b << 8) >> 8));
}
__QG_DEVICE unsigned int __umul24(unsigned int a, unsigned int b) { return (a & 0xffffffu) * (b & 0xffffffu); }
__QG_DEVICE int mul24(int a, int b) { return __mul24(a, b); }
__QG_DEVICE unsigned int umul24(unsigned int a, unsigned int b) { return __umul24(a, b); }
__QG_DEVICE unsigned int __sad(int a, int b, unsigned int c) {
  return c + (a > b ? (unsigned int)a - (unsigned int)b : (unsigned int)b - (unsigned int)a);
}
__QG_DEVICE unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) { return c + (a > b ? a - b : b - a); }
__QG_DEVICE int __hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
__QG_DEVICE int __rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
__QG_DEVICE unsigned int __uhadd(unsigned int a, unsigned int b) { return (a & b) + ((a ^ b) >> 1); }
__QG_DEVICE unsigned int __urhadd(unsigned int a, unsigned int b) { return (a | b) - ((a ^ b) >> 1); }
__QG_DEVICE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int s) {
  return (high << (s & 31)) | ((low >> 1) >> (~s & 31));  // this form becomes one shf instruction
}
__QG_DEVICE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int s) {
  return (low >> (s & 31)) | ((high << 1) << (~s & 31));
}
__QG_DEVICE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int s) {
  return s >= 32 ? low : __funnelshift_l(low, high, s);
}
__QG_DEVICE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int s) {
  return s >= 32 ? high : __funnelshift_r(low, high, s);
}
#define __QG_BYTE(T, x, i) ((T)((x) >> (8 * (i))))
#define __QG_DOT4(A, B, a, b, c)                                                                 \
  ((unsigned int)(c) + (unsigned int)(__QG_BYTE(A, a, 0) * __QG_BYTE(B, b, 0)) +                 \
   (unsigned int)(__QG_BYTE(A, a, 1) * __QG_BYTE(B, b, 1)) +                                     \
   (unsigned int)(__QG_BYTE(A, a, 2) * __QG_BYTE(B, b, 2)) +                                     \
   (unsigned int)(__QG_BYTE(A, a, 3) * __QG_BYTE(B, b, 3)))
__QG_DEVICE int __dp4a(int a, int b, int c) { return (int)__QG_DOT4(signed char, signed char, a, b, c); }
__QG_DEVICE unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
  return __QG_DOT4(unsigned char, unsigned char, a, b, c);
}

// ---------------------------------------------------------------- min, max, abs (mixed signs compare as unsigned)
#define __QG_MINMAX(R, A, B)                                                                     \
  __QG_BOTH R min(A a, B b) { return (R)b < (R)a ? (R)b : (R)a; }                                \
  __QG_BOTH R max(A a, B b) { return (R)a < (R)b ? (R)b : (R)a; }
__QG_MINMAX(int, int, int)
__QG_MINMAX(unsigned int, unsigned int, unsigned int)
__QG_MINMAX(unsigned int, int, unsigned int)
__QG_MINMAX(unsigned int, unsigned int, int)
__QG_MINMAX(long, long, long)
__QG_MINMAX(unsigned long, unsigned long, unsigned long)
__QG_MINMAX(unsigned long, long, unsigned long)
__QG_MINMAX(unsigned long, unsigned long, long)
__QG_MINMAX(long long, long long, long long)
__QG_MINMAX(unsigned long long, unsigned long long, unsigned long long)
__QG_MINMAX(unsigned long long, long long, unsigned long long)
__QG_MINMAX(unsigned long long, unsigned long long, long long)
__QG_BOTH unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
__QG_BOTH unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
__QG_BOTH long long llmin(long long a, long long b) { return min(a, b); }
__QG_BOTH long long llmax(long long a, long long b) { return max(a, b); }
__QG_BOTH unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
__QG_BOTH unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
__QG_BOTH int abs(int a) { return a < 0 ? (int)(0u - (unsigned int)a) : a; }
__QG_BOTH long abs(long a) { return a < 0 ? (long)(0ul - (unsigned long)a) : a; }
__QG_BOTH long long abs(long long a) { return a < 0 ? (long long)(0ull - (unsigned long long)a) : a; }
__QG_BOTH long labs(long a) { return abs(a); }
__QG_BOTH long long llabs(long long a) { return abs(a); }

// ---------------------------------------------------------------- loads and stores with a cache hint
#define __QG_LOAD(NAME) template <class T> __QG_DEVICE T NAME(const T* p) { return *p; }
#define __QG_STORE(NAME) template <class T> __QG_DEVICE void NAME(T* p, T v) { *p = v; }
__QG_LOAD(__ldg)
__QG_LOAD(__ldca)
__QG_LOAD(__ldcg)
__QG_LOAD(__ldcs)
__QG_LOAD(__ldlu)
__QG_LOAD(__ldcv)
__QG_STORE(__stwb)
__QG_STORE(__stcg)
__QG_STORE(__stcs)
__QG_STORE(__stwt)

// ---------------------------------------------------------------- floating point: compiles, so that its refusal has a line
__QG_DEVICE int __float_as_int(float f) { return __builtin_bit_cast(int, f); }
__QG_DEVICE unsigned int __float_as_uint(float f) { return __builtin_bit_cast(unsigned int, f); }
__QG_DEVICE float __int_as_float(int i) { return __builtin_bit_cast(float, i); }
__QG_DEVICE float __uint_as_float(unsigned int i) { return __builtin_bit_cast(float, i); }
__QG_DEVICE long long __double_as_longlong(double d) { return __builtin_bit_cast(long long, d); }
__QG_DEVICE double __longlong_as_double(long long i) { return __builtin_bit_cast(double, i); }
__QG_DEVICE float __fadd_rn(float a, float b) { return __nvvm_add_rn_f(a, b); }
__QG_DEVICE float __fsub_rn(float a, float b) { return __nvvm_add_rn_f(a, -b); }
__QG_DEVICE float __fmul_rn(float a, float b) { return __nvvm_mul_rn_f(a, b); }
__QG_DEVICE float __fdiv_rn(float a, float b) { return __nvvm_div_rn_f(a, b); }
__QG_DEVICE float __fmaf_rn(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
__QG_DEVICE float __fsqrt_rn(float a) { return __nvvm_sqrt_rn_f(a); }
__QG_DEVICE float __saturatef(float a) { return __nvvm_saturate_f(a); }
__QG_DEVICE int __float2int_rz(float a) { return __nvvm_f2i_rz(a); }
__QG_DEVICE int __float2int_rn(float a) { return __nvvm_f2i_rn(a); }
__QG_DEVICE int __float2int_ru(float a) { return __nvvm_f2i_rp(a); }
__QG_DEVICE int __float2int_rd(float a) { return __nvvm_f2i_rm(a); }
__QG_DEVICE unsigned int __float2uint_rz(float a) { return __nvvm_f2ui_rz(a); }
__QG_DEVICE float __int2float_rn(int a) { return (float)a; }
__QG_DEVICE float __uint2float_rn(unsigned int a) { return (float)a; }
__QG_BOTH float fabsf(float a) { return __builtin_fabsf(a); }
__QG_BOTH double fabs(double a) { return __builtin_fabs(a); }
__QG_BOTH float fminf(float a, float b) { return __builtin_fminf(a, b); }
__QG_BOTH float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
__QG_BOTH double fmin(double a, double b) { return __builtin_fmin(a, b); }
__QG_BOTH double fmax(double a, double b) { return __builtin_fmax(a, b); }
__QG_BOTH float min(float a, float b) { return __builtin_fminf(a, b); }
__QG_BOTH float max(float a, float b) { return __builtin_fmaxf(a, b); }
__QG_BOTH double min(double a, double b) { return __builtin_fmin(a, b); }
__QG_BOTH double max(double a, double b) { return __builtin_fmax(a, b); }
__QG_BOTH float abs(float a) { return __builtin_fabsf(a); }
__QG_BOTH double abs(double a) { return __builtin_fabs(a); }
__QG_BOTH float floorf(float a) { return __builtin_floorf(a); }
__QG_BOTH float ceilf(float a) { return __builtin_ceilf(a); }
__QG_BOTH float truncf(float a) { return __builtin_truncf(a); }
__QG_BOTH float rintf(float a) { return __builtin_rintf(a); }
__QG_BOTH float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__QG_DEVICE float sqrtf(float a) { return __nvvm_sqrt_rn_f(a); }
__QG_DEVICE double sqrt(double a) { return __nvvm_sqrt_rn_d(a); }

// Only declared: a kernel that calls one of these is refused by the name of the function. The mathematical ones have no
// C linkage, or clang would take them for operations that its back end cannot express.
__device__ __host__ float expf(float), exp2f(float), logf(float), log2f(float), log10f(float), sinf(float), cosf(float),
    tanf(float), tanhf(float), roundf(float), powf(float, float), fmodf(float, float), rsqrtf(float);
__device__ __host__ double exp(double), log(double), sin(double), cos(double), tan(double), tanh(double), floor(double),
    ceil(double), round(double), pow(double, double), fmod(double, double), fma(double, double, double);
extern "C" {
__device__ __host__ int printf(const char*, ...);
__device__ __host__ void* malloc(size_t);
__device__ __host__ void free(void*);
__device__ __host__ void* memcpy(void*, const void*, size_t);
__device__ __host__ void* memset(void*, int, size_t);
}

// ---------------------------------------------------------------- host code is parsed and then discarded
typedef enum cudaError { cudaSuccess = 0 } cudaError_t;
typedef enum cudaMemcpyKind {
  cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault
} cudaMemcpyKind;
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
extern "C" {
int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, void* stream = nullptr);  // what <<<>>> turns into
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void* stream = nullptr);
cudaError_t cudaFree(void*);
cudaError_t cudaMemcpy(void*, const void*, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void*, const void*, size_t, cudaMemcpyKind, cudaStream_t = nullptr);
cudaError_t cudaMemset(void*, int, size_t);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaSetDevice(int);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorString(cudaError_t);
const char* cudaGetErrorName(cudaError_t);
cudaError_t cudaStreamCreate(cudaStream_t*);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaEventCreate(cudaEvent_t*);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t);
cudaError_t cudaEventDestroy(cudaEvent_t);
void* calloc(size_t, size_t);
void exit(int);
int rand();
void srand(unsigned);
int puts(const char*);
int atoi(const char*);
}
template <class T> cudaError_t cudaMalloc(T**, size_t);
template <class T> cudaError_t cudaMallocHost(T**, size_t);
template <class T> cudaError_t cudaMallocManaged(T**, size_t, unsigned = 1);
template <class T> cudaError_t cudaMemcpyToSymbol(const T&, const void*, size_t, size_t = 0,
                                                  cudaMemcpyKind = cudaMemcpyHostToDevice);
template <class T> cudaError_t cudaMemcpyFromSymbol(void*, const T&, size_t, size_t = 0,
                                                    cudaMemcpyKind = cudaMemcpyDeviceToHost);
