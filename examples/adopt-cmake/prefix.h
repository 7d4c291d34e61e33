#define PREFIX 1
