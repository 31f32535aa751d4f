// Problems that consist of named arrays of one to three dimensions, each with its own shape and
// element type, instead of the fields of a board. The state stores every array as a field of
// storage elements; this file relates the two.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/poison.hpp"
#include "harness/base/state.hpp"
#include "harness/record/verification.hpp"

namespace camber {

class Workload;

enum class Scalar : std::uint8_t {
    int8,
    uint8,
    int16,
    uint16,
    int32,
    uint32,
    int64,
    uint64,
    float16,
    bfloat16,
    float32,
    float64,
};

// Element type of an array: a number, or a CUDA vector of 2 to 4 numbers.
struct ArrayType {
    Scalar scalar = Scalar::float32;
    int lanes = 1;

    int scalar_bytes() const;
    int bytes() const { return lanes * scalar_bytes(); }
    bool is_real() const { return scalar >= Scalar::float16; }
    std::string name() const;  // "float32", "uint8x4"
    friend bool operator==(const ArrayType&, const ArrayType&) = default;
};

// Inverse of ArrayType::name(); nullopt for any other text.
std::optional<ArrayType> array_type_named(std::string_view name);

struct NamedArray {
    std::string name;
    ArrayType type;
    std::vector<std::int64_t> shape;  // 1 to 3 extents, the slowest first, as in NumPy
    bool read = false;                // by the kernels, from the initial state
    bool written = false;

    std::int64_t elements() const;
    std::int64_t scalars() const { return elements() * type.lanes; }
    std::int64_t bytes() const { return elements() * type.bytes(); }
    // Number of elements along the last dimension, and of such lines.
    Size lines() const;
    std::string text() const;  // "u float32[64][64][32]"
    // "u[3][0][7]", with ".y" for a vector; `scalar`: index of a number in row-major order.
    std::string place(std::int64_t scalar) const;

    // Type and size of the field that stores the array in a State.
    ElementType storage() const;
    Size storage_size() const;
};

// Number at `bytes`; integers above 2^53 are rounded.
double number_at(const std::byte* bytes, Scalar scalar);
// The same for reports: exact for integers, a string for NaN and infinity.
CellValue value_at(const std::byte* bytes, Scalar scalar);
// Writes `value` rounded to the type, half precision to nearest even.
void put_scalar(std::byte* to, double value, Scalar scalar);

// Poison of one number: a signaling NaN for floating-point types, for integers one of two
// complementary patterns. Only the first scalar_bytes() bytes are used.
std::array<std::byte, 8> poison_of(Scalar scalar, Poison poison);
bool is_poison(const std::byte* bytes, Scalar scalar, Poison poison);

// Comparison rule of one array. A number passes if it equals the expected one, or if |actual -
// expected| <= absolute + relative * |expected|, or if at most `ulps` representable numbers lie
// between. An infinity passes only if it is equal. NaN fails, or passes only where NaN is expected.
struct ArrayRule {
    bool exact = false;  // equal bits
    double absolute = 0;
    double relative = 0;
    std::int64_t ulps = 0;
    bool nan_equals_nan = false;

    std::string text() const;  // "within 1e-05 + 1e-05 * |expected|; NaN fails"
};

bool passes(const std::byte* actual, const std::byte* expected, Scalar scalar,
            const ArrayRule& rule);
// Number of steps between two representable numbers of a floating-point type; the maximum if one
// is NaN. Between integers: their difference.
std::uint64_t ulp_distance(const std::byte* a, const std::byte* b, Scalar scalar);

// Named number of a problem; `whole`: divides as an integer.
struct NamedNumber {
    double value = 0;
    bool whole = false;
};
using NamedNumbers = std::map<std::string, NamedNumber, std::less<>>;

// Interface of workloads whose problem is named arrays.
class HasNamedArrays {
  public:
    // One per field of the state, in the same order.
    virtual const std::vector<NamedArray>& arrays() const = 0;
    // Numbers that kernels may receive by name.
    virtual NamedNumbers scalars() const { return {}; }
    // Rule for an output.
    virtual ArrayRule rule_of(std::string_view array) const = 0;

  protected:
    ~HasNamedArrays() = default;
};

// "in x float32[64], inout y float32[64]"
std::string arrays_text(const HasNamedArrays& problem);

// The workload's interface; nullptr if its problem is a board.
const HasNamedArrays* named_arrays_of(const Workload& workload);

// Compares every number of every array by the rule of its array; arrays that are not written must
// be unchanged.
Verification compare_arrays(const HasNamedArrays& workload, const State& expected,
                            const State& actual, int generations);

// Number that still contains its poison although another value is expected.
struct UnwrittenNumber {
    std::size_t array = 0;
    std::int64_t scalar = 0;
};
std::optional<UnwrittenNumber> first_unwritten(const HasNamedArrays& workload,
                                               const State& expected, const State& actual,
                                               Poison poison);

// Bytes that a generation must move, each input read once and each output written once, per cell
// of the board.
double moved_bytes_per_cell(const Workload& workload, ElementType cell);

}  // namespace camber
