/* The baseline of the processor that the compiler was asked for. */
#define ENGINE ps_engine_generic
#define ENGINE_ISA "generic"
#include "engine.inc"
