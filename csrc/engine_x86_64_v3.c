/* x86-64-v3: BMI2, POPCNT, AVX2. The build gives this file its own -march (setup.py), for clang ignores the gcc pragma. */
#define ENGINE ps_engine_x86_64_v3
#define ENGINE_ISA "x86-64-v3"
#include "engine.inc"
