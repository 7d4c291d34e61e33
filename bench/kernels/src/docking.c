/* docking of molecules: a thread has four poses, whose places and energies are short private arrays that simd loops go through */
#include "bench.h"
#define POSES (1 << 16)
#define EACH 4
#define PROTEIN 500
#define LIGAND 26
#define KINDS 16
static const double bytes = 0;
typedef struct {
    float x, y, z;
    int kind;
} Atom;
typedef struct {
    float radius, charge, water;
} Kind;
static Atom *protein, *ligand;
static Kind *kinds;
static float *poses, *energies; /* six numbers of each pose: three angles and a shift */

static void setup(void)
{
    protein = NEW(Atom, PROTEIN), ligand = NEW(Atom, LIGAND), kinds = NEW(Kind, KINDS);
    poses = NEW(float, 6 * POSES), energies = NEW(float, POSES);
    for (int i = 0; i < PROTEIN; ++i)
        protein[i] = (Atom){(float)(next_random() % 4000) / 100 - 20, (float)(next_random() % 4000) / 100 - 20, (float)(next_random() % 4000) / 100 - 20, next_random() / 65536 % KINDS};
    for (int i = 0; i < LIGAND; ++i)
        ligand[i] = (Atom){(float)(next_random() % 800) / 100 - 4, (float)(next_random() % 800) / 100 - 4, (float)(next_random() % 800) / 100 - 4, next_random() / 65536 % KINDS};
    for (int i = 0; i < KINDS; ++i)
        kinds[i] = (Kind){1 + (float)i / 16, (float)(i % 5 - 2) / 4, (float)(i % 3 - 1) / 8};
    for (int i = 0; i < 6 * POSES; ++i)
        poses[i] = (float)(next_random() / 65536 % 1000) / 160;
}
/* The energy of two atoms at a distance: repulsion, charges, water. */
#define PAIR(distance)                                                                                                 \
    const float gap = (distance) - radius;                                                                             \
    const float repulsion = gap < 0 ? -gap * 38 : 0;                                                                   \
    const float charges = gap < 4 ? charge * (1 - (gap > 0 ? gap : 0) * 0.25f) : 0;                                    \
    const float wet = gap < 2 ? water * (gap < 0 ? 1 : 1 - gap * 0.5f) : 0;
#ifndef __CUDACC__
static void dock(int poses_count, int protein_count, int ligand_count, const Atom *protein, const Atom *ligand, const Kind *kinds, const float *poses, float *energies)
{
    const int threads = poses_count / EACH;
#pragma omp target teams distribute parallel for thread_limit(128) map(to: protein[0:protein_count], ligand[0:ligand_count], kinds[0:KINDS], poses[0:6 * poses_count]) map(from: energies[0:poses_count])
    for (int t = 0; t < threads; ++t) {
        float energy[EACH], turn[3][4][EACH];
#pragma omp simd
        for (int k = 0; k < EACH; ++k) {
            const int p = t + k * threads;
            const float sx = sinf(poses[p]), cx = cosf(poses[p]), sy = sinf(poses[poses_count + p]), cy = cosf(poses[poses_count + p]);
            const float sz = sinf(poses[2 * poses_count + p]), cz = cosf(poses[2 * poses_count + p]);
            turn[0][0][k] = cy * cz, turn[0][1][k] = sx * sy * cz - cx * sz, turn[0][2][k] = cx * sy * cz + sx * sz;
            turn[1][0][k] = cy * sz, turn[1][1][k] = sx * sy * sz + cx * cz, turn[1][2][k] = cx * sy * sz - sx * cz;
            turn[2][0][k] = -sy, turn[2][1][k] = sx * cy, turn[2][2][k] = cx * cy;
            turn[0][3][k] = poses[3 * poses_count + p], turn[1][3][k] = poses[4 * poses_count + p], turn[2][3][k] = poses[5 * poses_count + p];
            energy[k] = 0;
        }
        for (int l = 0; l < ligand_count; ++l) {
            const Atom atom = ligand[l];
            const Kind kind = kinds[atom.kind];
            float x[EACH], y[EACH], z[EACH];
#pragma omp simd
            for (int k = 0; k < EACH; ++k) {
                x[k] = turn[0][3][k] + atom.x * turn[0][0][k] + atom.y * turn[0][1][k] + atom.z * turn[0][2][k];
                y[k] = turn[1][3][k] + atom.x * turn[1][0][k] + atom.y * turn[1][1][k] + atom.z * turn[1][2][k];
                z[k] = turn[2][3][k] + atom.x * turn[2][0][k] + atom.y * turn[2][1][k] + atom.z * turn[2][2][k];
            }
            for (int p = 0; p < protein_count; ++p) {
                const Atom other = protein[p];
                const Kind its = kinds[other.kind];
                const float radius = kind.radius + its.radius, charge = kind.charge * its.charge, water = kind.water + its.water;
#pragma omp simd
                for (int k = 0; k < EACH; ++k) {
                    const float dx = x[k] - other.x, dy = y[k] - other.y, dz = z[k] - other.z;
                    PAIR(sqrtf(dx * dx + dy * dy + dz * dz))
                    energy[k] += repulsion + charges + wet;
                }
            }
        }
#pragma omp simd
        for (int k = 0; k < EACH; ++k)
            energies[t + k * threads] = energy[k] * 0.5f;
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: protein[0:PROTEIN], ligand[0:LIGAND], kinds[0:KINDS], poses[0:6 * POSES]) map(alloc: energies[0:POSES])
}
static void step(void) { dock(POSES, PROTEIN, LIGAND, protein, ligand, kinds, poses, energies); }
static void end(void)
{
#pragma omp target exit data map(from: energies[0:POSES]) map(delete: protein[0:PROTEIN], ligand[0:LIGAND], kinds[0:KINDS], poses[0:6 * POSES])
}
#else
static float *d_poses, *d_energies;
static Atom *d_protein, *d_ligand;
static Kind *d_kinds;
__global__ void __launch_bounds__(128) dock(int poses_count, int protein_count, int ligand_count, const Atom *__restrict__ protein, const Atom *__restrict__ ligand, const Kind *__restrict__ kinds,
                                            const float *__restrict__ poses, float *__restrict__ energies)
{
    __shared__ Kind kind_of[KINDS];
    const int threads = poses_count / EACH, t = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < KINDS)
        kind_of[threadIdx.x] = kinds[threadIdx.x];
    __syncthreads();
    if (t >= threads)
        return;
    float energy[EACH], turn[3][4][EACH];
#pragma unroll
    for (int k = 0; k < EACH; ++k) {
        const int p = t + k * threads;
        float sx, cx, sy, cy, sz, cz;
        sincosf(poses[p], &sx, &cx), sincosf(poses[poses_count + p], &sy, &cy), sincosf(poses[2 * poses_count + p], &sz, &cz);
        turn[0][0][k] = cy * cz, turn[0][1][k] = sx * sy * cz - cx * sz, turn[0][2][k] = cx * sy * cz + sx * sz;
        turn[1][0][k] = cy * sz, turn[1][1][k] = sx * sy * sz + cx * cz, turn[1][2][k] = cx * sy * sz - sx * cz;
        turn[2][0][k] = -sy, turn[2][1][k] = sx * cy, turn[2][2][k] = cx * cy;
        turn[0][3][k] = poses[3 * poses_count + p], turn[1][3][k] = poses[4 * poses_count + p], turn[2][3][k] = poses[5 * poses_count + p];
        energy[k] = 0;
    }
    for (int l = 0; l < ligand_count; ++l) {
        const Atom atom = ligand[l];
        const Kind kind = kind_of[atom.kind];
        float x[EACH], y[EACH], z[EACH];
#pragma unroll
        for (int k = 0; k < EACH; ++k) {
            x[k] = turn[0][3][k] + atom.x * turn[0][0][k] + atom.y * turn[0][1][k] + atom.z * turn[0][2][k];
            y[k] = turn[1][3][k] + atom.x * turn[1][0][k] + atom.y * turn[1][1][k] + atom.z * turn[1][2][k];
            z[k] = turn[2][3][k] + atom.x * turn[2][0][k] + atom.y * turn[2][1][k] + atom.z * turn[2][2][k];
        }
        for (int p = 0; p < protein_count; ++p) {
            const Atom other = protein[p];
            const Kind its = kind_of[other.kind];
            const float radius = kind.radius + its.radius, charge = kind.charge * its.charge, water = kind.water + its.water;
#pragma unroll
            for (int k = 0; k < EACH; ++k) {
                const float dx = x[k] - other.x, dy = y[k] - other.y, dz = z[k] - other.z;
                PAIR(sqrtf(dx * dx + dy * dy + dz * dz))
                energy[k] += repulsion + charges + wet;
            }
        }
    }
#pragma unroll
    for (int k = 0; k < EACH; ++k)
        energies[t + k * threads] = energy[k] * 0.5f;
}
static void begin(void)
{
    d_protein = device_copy(protein, PROTEIN), d_ligand = device_copy(ligand, LIGAND), d_kinds = device_copy(kinds, KINDS);
    d_poses = device_copy(poses, 6 * POSES), d_energies = device_new<float>(POSES);
}
static void step(void)
{
    dock<<<blocks_for(POSES / EACH, 128), 128>>>(POSES, PROTEIN, LIGAND, d_protein, d_ligand, d_kinds, d_poses, d_energies);
    device_wait();
}
static void end(void) { from_device(energies, d_energies, POSES); }
#endif
static int check(void)
{
    for (int i = 0; i < POSES; i += 997) {
        const double a = poses[i], b = poses[POSES + i], c = poses[2 * POSES + i];
        const double turn[3][3] = {{cos(b) * cos(c), sin(a) * sin(b) * cos(c) - cos(a) * sin(c), cos(a) * sin(b) * cos(c) + sin(a) * sin(c)},
                                   {cos(b) * sin(c), sin(a) * sin(b) * sin(c) + cos(a) * cos(c), cos(a) * sin(b) * sin(c) - sin(a) * cos(c)},
                                   {-sin(b), sin(a) * cos(b), cos(a) * cos(b)}};
        double energy = 0, size = 0;
        for (int l = 0; l < LIGAND; ++l)
            for (int p = 0; p < PROTEIN; ++p) {
                const Kind kind = kinds[ligand[l].kind], its = kinds[protein[p].kind];
                const float radius = kind.radius + its.radius, charge = kind.charge * its.charge, water = kind.water + its.water;
                const double from[3] = {protein[p].x, protein[p].y, protein[p].z};
                double square = 0;
                for (int d = 0; d < 3; ++d) {
                    const double at = poses[(3 + d) * POSES + i] + turn[d][0] * ligand[l].x + turn[d][1] * ligand[l].y + turn[d][2] * ligand[l].z;
                    square += (at - from[d]) * (at - from[d]);
                }
                PAIR((float)sqrt(square))
                energy += repulsion + charges + wet, size += fabs(repulsion) + fabs(charges) + fabs(wet);
            }
        if (fabs(energies[i] - energy / 2) > 1e-4 * (1 + size))
            return 0;
    }
    return 1;
}
#include "driver.h"
