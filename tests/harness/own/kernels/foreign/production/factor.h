#ifndef FACTOR
#define FACTOR 3
#endif
#define GAIN 0.5f
