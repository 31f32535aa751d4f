// Logarithms and powers by tables, with the bits of glibc's pow() (since 2.28; S. Nagy, Arm
// Optimized Routines, 2018), and the copies of the tables in shared memory.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "harness/machine/kernel/vocabulary.hpp"

// Tables for logarithms and powers, of 128 intervals each: those of pow() in glibc since 2.28 (S.
// Nagy, Arm Optimized Routines, 2018). A test recomputes them from their definitions.
CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// First double of the table's range, 0.7057... The doubles from there to twice that value are
// divided into intervals with equal numbers of doubles. For each interval, c is the number near the
// midpoint m whose reciprocal is a multiple of 1/128 if m < 1, and of 1/256 otherwise.
inline constexpr std::uint64_t first_mantissa = 0x3fe6955500000000;

enum class PowerRow { per_c, log_c, log_c_rest, power_of_2_rest, power_of_2 };
inline constexpr int power_rows = 5;
inline constexpr int power_columns = 128;

namespace {

// In the device's global memory: kernels take copies to where they are nearer.
// clang-format off
[[maybe_unused]] __device__ const double power_table[power_rows][power_columns] = {
    {// 1 / c
     0x1.6ap0, 0x1.68p0, 0x1.66p0, 0x1.64p0, 0x1.62p0, 0x1.6p0, 0x1.5ep0, 0x1.5cp0, 0x1.5ap0,
     0x1.58p0, 0x1.56p0, 0x1.56p0, 0x1.54p0, 0x1.52p0, 0x1.5p0, 0x1.4ep0, 0x1.4cp0, 0x1.4ap0,
     0x1.4ap0, 0x1.48p0, 0x1.46p0, 0x1.44p0, 0x1.42p0, 0x1.4p0, 0x1.4p0, 0x1.3ep0, 0x1.3cp0,
     0x1.3ap0, 0x1.3ap0, 0x1.38p0, 0x1.36p0, 0x1.34p0, 0x1.34p0, 0x1.32p0, 0x1.3p0, 0x1.3p0,
     0x1.2ep0, 0x1.2cp0, 0x1.2cp0, 0x1.2ap0, 0x1.28p0, 0x1.26p0, 0x1.26p0, 0x1.24p0, 0x1.24p0,
     0x1.22p0, 0x1.2p0, 0x1.2p0, 0x1.1ep0, 0x1.1cp0, 0x1.1cp0, 0x1.1ap0, 0x1.1ap0, 0x1.18p0,
     0x1.16p0, 0x1.16p0, 0x1.14p0, 0x1.14p0, 0x1.12p0, 0x1.1p0, 0x1.1p0, 0x1.0ep0, 0x1.0ep0,
     0x1.0cp0, 0x1.0cp0, 0x1.0ap0, 0x1.0ap0, 0x1.08p0, 0x1.08p0, 0x1.06p0, 0x1.04p0, 0x1.04p0,
     0x1.02p0, 0x1.02p0, 0x1p0, 0x1p0, 0x1.fcp-1, 0x1.f8p-1, 0x1.f4p-1, 0x1.fp-1, 0x1.ecp-1,
     0x1.e8p-1, 0x1.e4p-1, 0x1.e2p-1, 0x1.dep-1, 0x1.dap-1, 0x1.d6p-1, 0x1.d4p-1, 0x1.dp-1,
     0x1.ccp-1, 0x1.cap-1, 0x1.c6p-1, 0x1.c4p-1, 0x1.cp-1, 0x1.bep-1, 0x1.bap-1, 0x1.b8p-1,
     0x1.b4p-1, 0x1.b2p-1, 0x1.aep-1, 0x1.acp-1, 0x1.aap-1, 0x1.a6p-1, 0x1.a4p-1, 0x1.ap-1,
     0x1.9ep-1, 0x1.9cp-1, 0x1.9ap-1, 0x1.96p-1, 0x1.94p-1, 0x1.92p-1, 0x1.9p-1, 0x1.8cp-1,
     0x1.8ap-1, 0x1.88p-1, 0x1.86p-1, 0x1.84p-1, 0x1.82p-1, 0x1.7ep-1, 0x1.7cp-1, 0x1.7ap-1,
     0x1.78p-1, 0x1.76p-1, 0x1.74p-1, 0x1.72p-1, 0x1.7p-1, 0x1.6ep-1, 0x1.6cp-1},
    {// log c, to 43 binary places
     -0x1.62c82f2b9c8p-2, -0x1.5d1bdbf5808p-2, -0x1.57677174558p-2, -0x1.51aad872df8p-2,
     -0x1.4be5f957778p-2, -0x1.4618bc21c6p-2, -0x1.404308686a8p-2, -0x1.3a64c556948p-2,
     -0x1.347dd9a988p-2, -0x1.2e8e2bae12p-2, -0x1.2895a13de88p-2, -0x1.2895a13de88p-2,
     -0x1.22941fbcf78p-2, -0x1.1c898c16998p-2, -0x1.1675cababa8p-2, -0x1.1058bf9ae48p-2,
     -0x1.0a324e2739p-2, -0x1.0402594b4dp-2, -0x1.0402594b4dp-2, -0x1.fb9186d5e4p-3,
     -0x1.ef0adcbdc6p-3, -0x1.e27076e2afp-3, -0x1.d5c216b4fcp-3, -0x1.c8ff7c79aap-3,
     -0x1.c8ff7c79aap-3, -0x1.bc286742d9p-3, -0x1.af3c94e80cp-3, -0x1.a23bc1fe2bp-3,
     -0x1.a23bc1fe2bp-3, -0x1.9525a9cf45p-3, -0x1.87fa06520dp-3, -0x1.7ab890210ep-3,
     -0x1.7ab890210ep-3, -0x1.6d60fe719dp-3, -0x1.5ff3070a79p-3, -0x1.5ff3070a79p-3,
     -0x1.526e5e3a1bp-3, -0x1.44d2b6ccb8p-3, -0x1.44d2b6ccb8p-3, -0x1.371fc201e9p-3,
     -0x1.29552f81ffp-3, -0x1.1b72ad52f6p-3, -0x1.1b72ad52f6p-3, -0x1.0d77e7cd09p-3,
     -0x1.0d77e7cd09p-3, -0x1.fec9131dbep-4, -0x1.e27076e2bp-4, -0x1.e27076e2bp-4,
     -0x1.c5e548f5bcp-4, -0x1.a926d3a4aep-4, -0x1.a926d3a4aep-4, -0x1.8c345d631ap-4,
     -0x1.8c345d631ap-4, -0x1.6f0d28ae56p-4, -0x1.51b073f062p-4, -0x1.51b073f062p-4,
     -0x1.341d7961bep-4, -0x1.341d7961bep-4, -0x1.16536eea38p-4, -0x1.f0a30c0118p-5,
     -0x1.f0a30c0118p-5, -0x1.b42dd71198p-5, -0x1.b42dd71198p-5, -0x1.77458f632cp-5,
     -0x1.77458f632cp-5, -0x1.39e87b9fecp-5, -0x1.39e87b9fecp-5, -0x1.f829b0e78p-6,
     -0x1.f829b0e78p-6, -0x1.7b91b07d58p-6, -0x1.fc0a8b0fcp-7, -0x1.fc0a8b0fcp-7, -0x1.fe02a6b1p-8,
     -0x1.fe02a6b1p-8, 0, 0, 0x1.010157589p-7, 0x1.0205658938p-6, 0x1.8492528c9p-6,
     0x1.0415d89e74p-5, 0x1.466aed42ep-5, 0x1.894aa149fcp-5, 0x1.ccb73cdddcp-5, 0x1.eea31c006cp-5,
     0x1.1973bd1466p-4, 0x1.3bdf5a7d1ep-4, 0x1.5e95a4d97ap-4, 0x1.700d30aeacp-4, 0x1.9335e5d594p-4,
     0x1.b6ac88dad6p-4, 0x1.c885801bc4p-4, 0x1.ec739830a2p-4, 0x1.fe89139dbep-4, 0x1.1178e8227ep-3,
     0x1.1aa2b7e23fp-3, 0x1.2d1610c868p-3, 0x1.365fcb0159p-3, 0x1.4913d8333bp-3, 0x1.527e5e4a1bp-3,
     0x1.6574ebe8c1p-3, 0x1.6f0128b757p-3, 0x1.7898d85445p-3, 0x1.8beafeb39p-3, 0x1.95a5adcf7p-3,
     0x1.a93ed3c8aep-3, 0x1.b31d8575bdp-3, 0x1.bd087383bep-3, 0x1.c6ffbc6f01p-3, 0x1.db13db0d49p-3,
     0x1.e530effe71p-3, 0x1.ef5ade4ddp-3, 0x1.f991c6cb3bp-3, 0x1.07138604d58p-2, 0x1.0c42d67616p-2,
     0x1.1178e8227e8p-2, 0x1.16b5ccbacf8p-2, 0x1.1bf99635a68p-2, 0x1.214456d0eb8p-2,
     0x1.2bef07cdc9p-2, 0x1.314f1e1d36p-2, 0x1.36b6776be1p-2, 0x1.3c25277333p-2, 0x1.419b423d5e8p-2,
     0x1.4718dc271c8p-2, 0x1.4c9e09e173p-2, 0x1.522ae0738ap-2, 0x1.57bf753c8dp-2,
     0x1.5d5bddf596p-2},
    {// what is left of log c
     0x1.ab4242837568p-48, -0x1.ca508d8e0f72p-46, -0x1.362a4d5b6506dp-45, -0x1.684e49eb067d5p-49,
     -0x1.41b6993293eep-47, 0x1.3d82f484c84ccp-46, 0x1.c42f3ed820b3ap-50, 0x1.0b1c68651946p-45,
     0x1.5594dd4c58092p-45, 0x1.67b1e99b72bd8p-45, 0x1.5ca14b6cfb03fp-46, 0x1.5ca14b6cfb03fp-46,
     -0x1.65a242853da76p-46, -0x1.fafbc68e75404p-46, 0x1.f1fc63382a8fp-46, -0x1.6a8c4fd055a66p-45,
     -0x1.c6bee7ef4030ep-47, -0x1.036b89ef42d7fp-48, -0x1.036b89ef42d7fp-48, 0x1.d572aab993c87p-47,
     0x1.b26b79c86af24p-45, -0x1.72f4f543fff1p-46, 0x1.1ba91bbca681bp-45, 0x1.7794f689f8434p-45,
     0x1.7794f689f8434p-45, 0x1.94eb0318bb78fp-46, 0x1.a4e633fcd9066p-52, -0x1.58c64dc46c1eap-45,
     -0x1.58c64dc46c1eap-45, -0x1.ad1d904c1d4e3p-45, 0x1.bbdbf7fdbfa09p-45, 0x1.bdb9072534a58p-45,
     0x1.bdb9072534a58p-45, -0x1.0e46aa3b2e266p-46, -0x1.e9e439f105039p-46, -0x1.e9e439f105039p-46,
     -0x1.0de8b90075b8fp-45, 0x1.70cc16135783cp-46, 0x1.70cc16135783cp-46, 0x1.178864d27543ap-48,
     -0x1.48d301771c408p-45, -0x1.e80a41811a396p-45, -0x1.e80a41811a396p-45, 0x1.a699688e85bf4p-47,
     0x1.a699688e85bf4p-47, -0x1.575545ca333f2p-45, 0x1.a342c2af0003cp-45, 0x1.a342c2af0003cp-45,
     -0x1.d0c57585fbe06p-46, 0x1.53935e85baac8p-45, 0x1.53935e85baac8p-45, 0x1.37c294d2f5668p-46,
     0x1.37c294d2f5668p-46, -0x1.69737c93373dap-45, 0x1.f025b61c65e57p-46, 0x1.f025b61c65e57p-46,
     0x1.c5edaccf913dfp-45, 0x1.c5edaccf913dfp-45, 0x1.47c5e768fa309p-46, 0x1.d599e83368e91p-45,
     0x1.d599e83368e91p-45, 0x1.c827ae5d6704cp-46, 0x1.c827ae5d6704cp-46, -0x1.cfc4634f2a1eep-45,
     -0x1.cfc4634f2a1eep-45, 0x1.502b7f526feaap-48, 0x1.502b7f526feaap-48, -0x1.980267c7e09e4p-45,
     -0x1.980267c7e09e4p-45, -0x1.88d5493faa639p-45, -0x1.f1e7cf6d3a69cp-50, -0x1.f1e7cf6d3a69cp-50,
     -0x1.9e23f0dda40e4p-46, -0x1.9e23f0dda40e4p-46, 0, 0, -0x1.0c76b999d2be8p-46,
     -0x1.3dc5b06e2f7d2p-45, -0x1.aa0ba325a0c34p-45, 0x1.111c05cf1d753p-47, -0x1.c167375bdfd28p-45,
     -0x1.97995d05a267dp-46, -0x1.a68f247d82807p-46, -0x1.e113e4fc93b7bp-47, -0x1.5325d560d9e9bp-45,
     0x1.cc85ea5db4ed7p-45, -0x1.c69063c5d1d1ep-45, 0x1.c1e8da99ded32p-49, 0x1.3115c3abd47dap-45,
     -0x1.390802bf768e5p-46, 0x1.646d1c65aacd3p-45, -0x1.dc068afe645ep-45, -0x1.534d64fa10afdp-45,
     0x1.1ef78ce2d07f2p-45, 0x1.ca78e44389934p-45, 0x1.39d6ccb81b4a1p-47, 0x1.62fa8234b7289p-51,
     0x1.5837954fdb678p-45, 0x1.633e8e5697dc7p-45, 0x1.9cf8b2c3c2e78p-46, -0x1.5118de59c21e1p-45,
     -0x1.c661070914305p-46, -0x1.73d54aae92cd1p-47, 0x1.7f22858a0ff6fp-47, -0x1.8724350562169p-45,
     -0x1.c358d4eace1aap-47, -0x1.d4bc4595412b6p-45, -0x1.1ec72c5962bd2p-48, -0x1.aff2af715b035p-45,
     0x1.212276041f43p-51, -0x1.a211565bb8e11p-51, 0x1.bcbecca0cdf3p-46, 0x1.89cdb16ed4e91p-48,
     0x1.7188b163ceae9p-45, -0x1.c210e63a5f01cp-45, 0x1.b9acdf7a51681p-45, 0x1.ca6ed5147bdb7p-45,
     0x1.a87deba46baeap-47, 0x1.a9cfa4a5004f4p-45, -0x1.8e27ad3213cb8p-45, 0x1.16ecdb0f177c8p-46,
     0x1.83b54b606bd5cp-46, 0x1.8e436ec90e09dp-47, -0x1.f27ce0967d675p-45, -0x1.e20891b0ad8a4p-45,
     0x1.ebe708164c759p-45, 0x1.fadedee5d40efp-46, -0x1.a0b2a08a465dcp-47},
    {// what is left of 2^(i / 128), relative to it
     0, 0x1.b3b4f1a88bf6ep-54, -0x1.160139cd8dc5dp-56, -0x1.05e7a108766d1p-54,
     0x1.cd2523567f613p-55, -0x1.bce8023f98efap-55, 0x1.0f74e61e6c861p-57, 0x1.0a3e45b33d399p-54,
     0x1.79aa65d837b6dp-54, 0x1.eb51a92fdeffcp-55, 0x1.ebe3d702f9cd1p-60, -0x1.a033489906e0bp-57,
     -0x1.556522a2fbd0ep-54, -0x1.080ef8c4eea55p-58, -0x1.1c923b9d5f416p-54, 0x1.0d3e3e95c55afp-55,
     -0x1.01b15eaa59348p-55, -0x1.f1ff055de323dp-55, 0x1.b898c3f1353bfp-55, -0x1.6d99c7611eb26p-54,
     0x1.aecf73e3a2f6p-54, -0x1.fe782cb86389dp-55, 0x1.a6f4144a6c38dp-55, 0x1.07a05b0e4047dp-55,
     0x1.68efde3a8a894p-54, 0x1.75e18f274487dp-55, 0x1.0472b981fe7f2p-55, -0x1.6b87b3f71085ep-54,
     0x1.2f7e16d09ab31p-55, -0x1.d219b1a6fbffap-60, 0x1.b3782720c0ab4p-55, 0x1.e149289cecb8fp-57,
     0x1.34d754db0abb6p-55, 0x1.64201e2ac744cp-55, 0x1.fdd395dd3f84ap-55, -0x1.6a3803b8e5b04p-55,
     -0x1.24aedcc4b5068p-54, -0x1.907f81b512d8ep-54, -0x1.1d1e83e9436d2p-56, -0x1.91919b3ce1b15p-54,
     0x1.59f48a72a4c6dp-55, -0x1.312607a28698ap-54, -0x1.8a78f4817895bp-58, -0x1.c2c9b67499a1bp-56,
     0x1.363ed60c2ac11p-59, 0x1.666093b0664efp-54, 0x1.ecce1daa10379p-57, 0x1.3ff8e3f0f123p-54,
     0x1.690cebb7aafbp-56, 0x1.31dbdeb54e077p-54, -0x1.f94340071a38ep-55, -0x1.7deccdc93a349p-55,
     -0x1.8dec6bd0f385fp-56, -0x1.61246ec7b5cf6p-55, 0x1.3350518fdd78ep-54, 0x1.b98b72f8a9b05p-56,
     0x1.063e1e21c5409p-54, 0x1.4c7855019c6eap-60, 0x1.432e62b64c035p-54, -0x1.ce44a6199769fp-55,
     -0x1.c33c53bef4da8p-55, -0x1.45378892be9aep-55, -0x1.3cedd78565858p-54, 0x1.710aa807e1964p-58,
     -0x1.3b3efbf5e2228p-54, -0x1.a12ad8734b982p-57, -0x1.367efb86da9eep-57, -0x1.0dc3d54e08851p-55,
     -0x1.81f647e5a3ecfp-56, -0x1.6ee4ac08b7dbp-55, -0x1.619321e55e68ap-55, 0x1.09ccb5e09d4d3p-54,
     -0x1.b32dcb94da51dp-56, 0x1.4ecfd5467c06bp-54, 0x1.5ebe1abd66c55p-57, -0x1.8a1c52fb3cf42p-55,
     -0x1.369b6f13b3734p-54, -0x1.05e843a19ff1ep-55, -0x1.4d450d872576ep-54, 0x1.0ad675b0e8ap-54,
     0x1.db72fc1f0eab4p-55, -0x1.5b6609cc5e7ffp-57, 0x1.bf68359f35f44p-56, -0x1.3091fa71e3d83p-54,
     -0x1.da9b88b6c1e29p-58, -0x1.c23f97c90b959p-57, -0x1.2434322f4f9aap-54, -0x1.5ca6cd7668e4bp-55,
     0x1.1affc2b91ce27p-56, 0x1.dd235e10a73bbp-57, -0x1.7c50422622263p-55, 0x1.b1c86e3e231d5p-55,
     -0x1.1bbd1d3bcbb15p-54, 0x1.0cc319cee31d2p-54, 0x1.469846e735ab3p-55, -0x1.2dfcd978e9db4p-55,
     0x1.c1a7792cb3387p-55, -0x1.07b8f4ad1d9fap-54, -0x1.5c3d956dcaebap-58, -0x1.0a40e3da6f64p-54,
     -0x1.8d6f438ad9334p-57, -0x1.1eee26b588a35p-54, 0x1.4ffd70a5fddcdp-56, -0x1.1bdfbfa9298acp-54,
     0x1.36eae30af0cb3p-56, 0x1.ee3325c9ffd94p-55, 0x1.4e08fd10959acp-55, 0x1.3cdaf384e1a67p-57,
     0x1.76b2c6c921968p-57, -0x1.08a1883ccb5d2p-55, -0x1.fad5d3ffffa6fp-55, -0x1.00dae3875a949p-54,
     0x1.4a385a63d07a7p-56, -0x1.2919e2040220fp-55, 0x1.e5a50d5c192acp-55, 0x1.43a59ac016b4bp-55,
     -0x1.2d52107b43e1fp-55, -0x1.92ab93b470dc9p-55, 0x1.4b604603a88d3p-56, 0x1.3c5ec519d7271p-55,
     -0x1.ff7128fd391fp-55, -0x1.dae98e223747dp-55, 0x1.ec3bc41aa2008p-55, 0x1.42b94c3a9eb32p-55,
     0x1.a64a931d185eep-55, -0x1.e37bae43be3edp-55, 0x1.7893b4d91cd9dp-56, 0x1.305c14160cc89p-58},
    {// 2^(i / 128)
     0x1p0, 0x1.0163da9fb3335p0, 0x1.02c9a3e778061p0, 0x1.04315e86e7f85p0, 0x1.059b0d3158574p0,
     0x1.0706b29ddf6dep0, 0x1.0874518759bc8p0, 0x1.09e3ecac6f383p0, 0x1.0b5586cf9890fp0,
     0x1.0cc922b7247f7p0, 0x1.0e3ec32d3d1a2p0, 0x1.0fb66affed31bp0, 0x1.11301d0125b51p0,
     0x1.12abdc06c31ccp0, 0x1.1429aaea92dep0, 0x1.15a98c8a58e51p0, 0x1.172b83c7d517bp0,
     0x1.18af9388c8deap0, 0x1.1a35beb6fcb75p0, 0x1.1bbe084045cd4p0, 0x1.1d4873168b9aap0,
     0x1.1ed5022fcd91dp0, 0x1.2063b88628cd6p0, 0x1.21f49917ddc96p0, 0x1.2387a6e756238p0,
     0x1.251ce4fb2a63fp0, 0x1.26b4565e27cddp0, 0x1.284dfe1f56381p0, 0x1.29e9df51fdee1p0,
     0x1.2b87fd0dad99p0, 0x1.2d285a6e4030bp0, 0x1.2ecafa93e2f56p0, 0x1.306fe0a31b715p0,
     0x1.32170fc4cd831p0, 0x1.33c08b26416ffp0, 0x1.356c55f929ff1p0, 0x1.371a7373aa9cbp0,
     0x1.38cae6d05d866p0, 0x1.3a7db34e59ff7p0, 0x1.3c32dc313a8e5p0, 0x1.3dea64c123422p0,
     0x1.3fa4504ac801cp0, 0x1.4160a21f72e2ap0, 0x1.431f5d950a897p0, 0x1.44e086061892dp0,
     0x1.46a41ed1d0057p0, 0x1.486a2b5c13cdp0, 0x1.4a32af0d7d3dep0, 0x1.4bfdad5362a27p0,
     0x1.4dcb299fddd0dp0, 0x1.4f9b2769d2ca7p0, 0x1.516daa2cf6642p0, 0x1.5342b569d4f82p0,
     0x1.551a4ca5d920fp0, 0x1.56f4736b527dap0, 0x1.58d12d497c7fdp0, 0x1.5ab07dd485429p0,
     0x1.5c9268a5946b7p0, 0x1.5e76f15ad2148p0, 0x1.605e1b976dc09p0, 0x1.6247eb03a5585p0,
     0x1.6434634ccc32p0, 0x1.6623882552225p0, 0x1.68155d44ca973p0, 0x1.6a09e667f3bcdp0,
     0x1.6c012750bdabfp0, 0x1.6dfb23c651a2fp0, 0x1.6ff7df9519484p0, 0x1.71f75e8ec5f74p0,
     0x1.73f9a48a58174p0, 0x1.75feb564267c9p0, 0x1.780694fde5d3fp0, 0x1.7a11473eb0187p0,
     0x1.7c1ed0130c132p0, 0x1.7e2f336cf4e62p0, 0x1.80427543e1a12p0, 0x1.82589994cce13p0,
     0x1.8471a4623c7adp0, 0x1.868d99b4492edp0, 0x1.88ac7d98a6699p0, 0x1.8ace5422aa0dbp0,
     0x1.8cf3216b5448cp0, 0x1.8f1ae99157736p0, 0x1.9145b0b91ffc6p0, 0x1.93737b0cdc5e5p0,
     0x1.95a44cbc8520fp0, 0x1.97d829fde4e5p0, 0x1.9a0f170ca07bap0, 0x1.9c49182a3f09p0,
     0x1.9e86319e32323p0, 0x1.a0c667b5de565p0, 0x1.a309bec4a2d33p0, 0x1.a5503b23e255dp0,
     0x1.a799e1330b358p0, 0x1.a9e6b5579fdbfp0, 0x1.ac36bbfd3f37ap0, 0x1.ae89f995ad3adp0,
     0x1.b0e07298db666p0, 0x1.b33a2b84f15fbp0, 0x1.b59728de5593ap0, 0x1.b7f76f2fb5e47p0,
     0x1.ba5b030a1064ap0, 0x1.bcc1e904bc1d2p0, 0x1.bf2c25bd71e09p0, 0x1.c199bdd85529cp0,
     0x1.c40ab5fffd07ap0, 0x1.c67f12e57d14bp0, 0x1.c8f6d9406e7b5p0, 0x1.cb720dcef9069p0,
     0x1.cdf0b555dc3fap0, 0x1.d072d4a07897cp0, 0x1.d2f87080d89f2p0, 0x1.d5818dcfba487p0,
     0x1.d80e316c98398p0, 0x1.da9e603db3285p0, 0x1.dd321f301b46p0, 0x1.dfc97337b9b5fp0,
     0x1.e264614f5a129p0, 0x1.e502ee78b3ff6p0, 0x1.e7a51fbc74c83p0, 0x1.ea4afa2a490dap0,
     0x1.ecf482d8e67f1p0, 0x1.efa1bee615a27p0, 0x1.f252b376bba97p0, 0x1.f50765b6e454p0,
     0x1.f7bfdad9cbe14p0, 0x1.fa7c1819e90d8p0, 0x1.fd3c22b8f71f1p0},
};

}  // namespace

CAMBER_TARGET_END

// Tables for powers, copied to a block's shared memory because lanes read different entries at
// once. The copies must be complete before the first cell is computed.
CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// Placeholder for arithmetic without tables.
struct NoTables {
    static constexpr int bytes = 0;

    template <int Threads>
    struct Part {};
    template <int Threads>
    CAMBER_DEVICE static Part<Threads> load(int /*thread*/) {
        return {};
    }
    template <int Threads>
    CAMBER_DEVICE void store(int /*thread*/, const Part<Threads>& /*part*/) {}
};

class PowerTables {
  public:
    static constexpr int bytes = sizeof power_table;

    // Table entries that one thread of a block copies: all loads are issued before the first wait.
    template <int Threads>
    struct Part {
        static constexpr int most = (power_rows * power_columns + Threads - 1) / Threads;
        double values[most];
    };
    template <int Threads>
    CAMBER_DEVICE static Part<Threads> load(int thread) {
        Part<Threads> part;
        for (int n = 0; n < Part<Threads>::most; ++n) {
            const int i = n * Threads + thread;
            if (i < power_rows * power_columns)
                part.values[n] = power_table[i / power_columns][i % power_columns];
        }
        return part;
    }
    // A barrier must follow.
    template <int Threads>
    CAMBER_DEVICE void store(int thread, const Part<Threads>& part) {
        for (int n = 0; n < Part<Threads>::most; ++n) {
            const int i = n * Threads + thread;
            if (i < power_rows * power_columns)
                cells_(i / power_columns, i % power_columns) = part.values[n];
        }
    }

    CAMBER_DEVICE double at(PowerRow row, int column) const {
        return cells_(static_cast<int>(row), column);
    }

  private:
    Tile<double, power_rows, power_columns> cells_;
};

CAMBER_TARGET_END

// Powers with the bits of glibc's pow(), for the ranges that SCIARA-fv2 needs and without branches:
// the operations of its form for processors with fused multiply-adds, in their order (since 2.28;
// S. Nagy, Arm Optimized Routines, 2018). A correctly rounded power would differ from pow() for one
// argument in a thousand, which after some thousand steps gives another flow.
//
// `Tables` is PowerTables or has its at(). Arguments and results are positive, finite and normal.
CAMBER_WORKLOAD_BEGIN(sciara_fv2)

CAMBER_DEVICE std::uint64_t bits_of(double x) {
    std::uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
CAMBER_DEVICE double of_bits(std::uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// Sum of two numbers, the second below the first's last place.
struct TwoWords {
    double high, low;
};

// log x to 68 binary places: x = 2^k z, log x = k log 2 + log c + log(z / c).
template <class Tables>
CAMBER_DEVICE TwoWords logarithm(double x, const Tables& tables) {
    constexpr double log_2 = 0x1.62e42fefa38p-1;  // trailing zeros make k log_2 exact
    constexpr double log_2_rest = 0x1.ef35793c7673p-45;
    const std::uint64_t beyond = bits_of(x) - first_mantissa;
    const int i = static_cast<int>(beyond >> 45) & (power_columns - 1);
    const double k = static_cast<int>(static_cast<std::int64_t>(beyond) >> 52);
    const double z = of_bits(bits_of(x) - (beyond & std::uint64_t{0xfff} << 52));
    const double r = ::fma(z, tables.at(PowerRow::per_c, i), -1.0);  // exact

    const double whole = ::fma(k, log_2, tables.at(PowerRow::log_c, i));  // exact
    const double first = whole + r;
    const double half_r = -0.5 * r;
    const double square = r * half_r;
    const double second = first + square;
    const double low = ::fma(k, log_2_rest, tables.at(PowerRow::log_c_rest, i));
    const double low_of_first = whole - first + r;
    const double low_of_square = ::fma(half_r, r, -square);
    const double low_of_second = first - second + square;
    // Series from the third power on, in r and -r^2 / 2.
    const double series = ::fma(square,
                                ::fma(square, ::fma(r, 0x1.0002b8b263fc3p0, -0x1.2495b9b4845e9p0),
                                      ::fma(r, -0x1.555555529a47ap-1, 0x1.999999959554ep-1)),
                                ::fma(r, 0x1.0000000000006p-1, -0x1.555555555556p-1));
    const double rest =
        ::fma(r * square, series, low + low_of_first + low_of_square + low_of_second);
    const double high = second + rest;
    return {high, second - high + rest};
}

// e^(x.high + x.low) for |x| < 512: x = k log(2) / 128 + r.
template <class Tables>
CAMBER_DEVICE double exponential(const TwoWords& x, const Tables& tables) {
    constexpr double rounder = 0x1.8p52;  // adding and subtracting it rounds to an integer
    const double shifted = ::fma(0x1.71547652b82fep7, x.high, rounder);
    const auto k = static_cast<std::int32_t>(bits_of(shifted));
    const int i = k & (power_columns - 1);
    const double whole = shifted - rounder;
    const double r =
        ::fma(whole, -0x1.cf79abc9e3b3ap-47, ::fma(whole, -0x1.62e42fefap-8, x.high)) + x.low;
    const std::int64_t exponent = static_cast<std::int64_t>(k >> 7) * (std::int64_t{1} << 52);
    const double scale =
        of_bits(bits_of(tables.at(PowerRow::power_of_2, i)) + static_cast<std::uint64_t>(exponent));
    const double square = r * r;
    const double first = tables.at(PowerRow::power_of_2_rest, i) + r;
    const double second =
        ::fma(square, ::fma(r, 0x1.555555555543cp-3, 0x1.ffffffffffdbdp-2), first);
    const double all =
        ::fma(square * square, ::fma(r, 0x1.1111167a4d017p-7, 0x1.55555cf172b91p-5), second);
    return ::fma(scale, all, scale);
}

CAMBER_DEVICE TwoWords product(double y, const TwoWords& x) {
    const double high = y * x.high;
    return {high, ::fma(y, x.low, ::fma(y, x.high, -high))};
}

// pow(x, y)
template <class Tables>
CAMBER_DEVICE double power(double x, double y, const Tables& tables) {
    return exponential(product(y, logarithm(x, tables)), tables);
}
// pow(10, y)
template <class Tables>
CAMBER_DEVICE double power_of_ten(double y, const Tables& tables) {
    return exponential(product(y, {0x1.26bb1bbb55516p1, -0x1.f48ad482p-53}), tables);
}

CAMBER_TARGET_END
