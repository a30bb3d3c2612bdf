/* x86-64-v4 and VPOPCNTDQ: AVX-512, as since Ice Lake and Zen 4. Its flags stand in setup.py. */
#define ENGINE ps_engine_x86_64_v4
#define ENGINE_ISA "x86-64-v4"
#include "engine.inc"
