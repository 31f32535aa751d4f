#include "harness/own/problem/npy_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"

namespace camber {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;  // of the elements in the file

struct Type {
    std::string_view descr;
    ElementType element;
};
constexpr Type types[] = {{"<f4", ElementType::float32},
                          {"<f8", ElementType::float64},
                          {"<i4", ElementType::int32},
                          {"<u4", ElementType::uint32},
                          {"|u1", ElementType::uint8}};

[[noreturn]] void reject(const std::filesystem::path& path, const std::string& why) {
    throw Error(ExitCode::usage, fmt::format("\"{}\" {}", path.string(), why));
}

// Parser of the header's Python dictionary, for the kinds of keys and values that NumPy writes.
class Header {
  public:
    Header(std::string_view text, const std::filesystem::path& path) : rest_(text), path_(path) {
        expect('{');
        while (!take('}')) {
            const std::string key = quoted();
            expect(':');
            if (key == "descr") {
                blanks();
                if (!rest_.starts_with('\''))
                    reject(path_,
                           "has structures as elements: save each field as an array of its "
                           "own");
                descr = quoted();
            } else if (key == "fortran_order") {
                fortran_order = boolean();
            } else if (key == "shape") {
                shape = numbers();
            } else {
                malformed();
            }
            if (!take(',')) {
                expect('}');
                break;
            }
        }
        if (descr.empty() || !fortran_order || !shape) malformed();
    }

    std::string descr;
    std::optional<bool> fortran_order;
    std::optional<std::vector<std::int64_t>> shape;

  private:
    [[noreturn]] void malformed() const {
        reject(path_, "has a header that numpy does not write: save it again with numpy.save()");
    }
    void blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n"), rest_.size())); }
    bool take(char c) {
        blanks();
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    void expect(char c) {
        if (!take(c)) malformed();
    }
    std::string quoted() {
        blanks();
        if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) malformed();
        const std::size_t end = rest_.find(rest_.front(), 1);
        if (end == rest_.npos) malformed();
        std::string text(rest_.substr(1, end - 1));
        rest_.remove_prefix(end + 1);
        return text;
    }
    bool boolean() {
        blanks();
        for (const auto& [word, value] : {std::pair(std::string_view("True"), true),
                                          std::pair(std::string_view("False"), false)})
            if (rest_.starts_with(word)) {
                rest_.remove_prefix(word.size());
                return value;
            }
        malformed();
    }
    std::vector<std::int64_t> numbers() {
        std::vector<std::int64_t> all;
        expect('(');
        while (!take(')')) {
            blanks();
            std::int64_t number = 0;
            const auto [end, error] =
                std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
            if (error != std::errc() || number < 0) malformed();
            rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
            all.push_back(number);
            if (!take(',')) {
                expect(')');
                break;
            }
        }
        return all;
    }

    std::string_view rest_;
    const std::filesystem::path& path_;
};

ElementType element_of_descr(const std::string& descr, const std::filesystem::path& path) {
    for (const Type& type : types)
        if (type.descr == descr) return type.element;
    if (descr.starts_with('>'))
        reject(path, fmt::format("has its bytes in the other order ({}): save it with "
                                 "array.astype(array.dtype.newbyteorder('<'))",
                                 descr));
    reject(path, fmt::format("has elements of type {}: save it as float32, float64, int32, uint32 "
                             "or uint8, with array.astype()",
                             descr));
}

Size size_of(const std::vector<std::int64_t>& shape, const std::filesystem::path& path) {
    if (shape.empty() || shape.size() > 2)
        reject(path, fmt::format("has {} dimensions, and a board has two: save an array of rows "
                                 "and columns",
                                 shape.size()));
    const std::int64_t rows = shape.size() == 2 ? shape[0] : 1;
    const std::int64_t columns = shape.back();
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    if (rows < 1 || columns < 1 || rows > most || columns > most)
        reject(path, fmt::format("has {} rows of {} elements, and a board has at least one cell "
                                 "and at most {} on a side",
                                 rows, columns, most));
    return {static_cast<int>(columns), static_cast<int>(rows)};
}

}  // namespace

namespace {

// Header and elements of a file.
struct Parsed {
    Header header;
    std::string_view elements;
};

Parsed parse(std::string_view file, const std::filesystem::path& path) {
    if (!file.starts_with(magic) || file.size() < magic.size() + 4)
        reject(path, "is no .npy file: save the array with numpy.save()");
    const auto byte = [&](std::size_t at) {
        return static_cast<std::size_t>(static_cast<unsigned char>(file[at]));
    };
    const std::size_t version = byte(magic.size());
    if (version < 1 || version > 3)
        reject(path, fmt::format("is of version {} of .npy files, and 1 to 3 are known", version));
    const std::size_t at = magic.size() + 2;
    const std::size_t width = version == 1 ? 2 : 4;
    std::size_t length = 0;
    if (file.size() < at + width) reject(path, "ends within its header");
    for (std::size_t i = 0; i < width; ++i) length |= byte(at + i) << (8 * i);
    const std::size_t start = at + width + length;
    if (file.size() < start) reject(path, "ends within its header");
    return {Header(file.substr(at + width, length), path), file.substr(start)};
}

void write(const std::filesystem::path& path, std::string_view descr, const std::string& shape,
           std::span<const std::byte> elements) {
    std::string header = fmt::format(
        "{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, shape);
    const std::size_t before = magic.size() + 4;
    header.append((alignment - (before + header.size() + 1) % alignment) % alignment, ' ');
    header += '\n';
    std::string file(magic);
    file += {'\x01', '\x00', static_cast<char>(header.size() & 0xff),
             static_cast<char>(header.size() >> 8)};
    file += header;
    file.append(reinterpret_cast<const char*>(elements.data()), elements.size());
    AtomicFile(path, "NumPy file").replace(file);
}

struct ScalarDescr {
    std::string_view descr;
    Scalar scalar;
};
// The first entry of a type is the one that is written.
constexpr ScalarDescr scalar_types[] = {
    {"<f4", Scalar::float32}, {"<f8", Scalar::float64},  {"<f2", Scalar::float16},
    {"|i1", Scalar::int8},    {"|u1", Scalar::uint8},    {"|b1", Scalar::uint8},
    {"<i2", Scalar::int16},   {"<u2", Scalar::uint16},   {"<i4", Scalar::int32},
    {"<u4", Scalar::uint32},  {"<i8", Scalar::int64},    {"<u8", Scalar::uint64},
    {"<V2", Scalar::bfloat16}, {"|V2", Scalar::bfloat16}};

}  // namespace

NpyArray read_npy_array(const std::filesystem::path& path) {
    const std::string text = read_file(path, "input file", "a .npy file");
    const Parsed parsed = parse(text, path);
    const auto type = std::ranges::find(scalar_types, std::string_view(parsed.header.descr),
                                        &ScalarDescr::descr);
    if (type == std::end(scalar_types))
        reject(path, fmt::format("has elements of type {}: save them as numbers of 8 to 64 bits in "
                                 "little-endian order, with array.astype()",
                                 parsed.header.descr));
    NpyArray array{type->scalar, *parsed.header.shape, {}};
    double elements = 1;
    bool several_lines = false;
    for (std::size_t i = 0; i < array.shape.size(); ++i) {
        elements *= static_cast<double>(array.shape[i]);
        several_lines = several_lines || (i > 0 && array.shape[i] > 1 && array.shape[i - 1] > 1);
    }
    if (*parsed.header.fortran_order && several_lines)
        reject(path,
               "has its columns one after the other: save "
               "numpy.ascontiguousarray(array)");
    if (elements < 1) reject(path, "has no elements: save an array with at least one");
    const double bytes = elements * ArrayType{array.scalar}.bytes();
    if (static_cast<double>(parsed.elements.size()) != bytes)
        reject(path, fmt::format("has {} bytes of elements, and its shape of {} {} elements needs "
                                 "{}: save it again",
                                 parsed.elements.size(), elements, ArrayType{array.scalar}.name(),
                                 bytes));
    const auto* const first = reinterpret_cast<const std::byte*>(parsed.elements.data());
    array.bytes.assign(first, first + parsed.elements.size());
    return array;
}

void write_npy_array(const std::filesystem::path& path, const NamedArray& array,
                     const HostField& field) {
    const bool bfloat = array.type.scalar == Scalar::bfloat16;
    const auto* const type = std::ranges::find(
        scalar_types, bfloat ? Scalar::uint16 : array.type.scalar, &ScalarDescr::scalar);
    std::string shape;
    for (const std::int64_t extent : array.shape) shape += fmt::format("{},", extent);
    if (array.type.lanes > 1) shape += fmt::format("{},", array.type.lanes);
    write(path, type->descr, shape, field.bytes());
}

HostField read_npy(const std::filesystem::path& path, const std::string& name) {
    const std::string text = read_file(path, "input file", "a .npy file");
    const Parsed parsed = parse(text, path);
    const Header& header = parsed.header;
    const ElementType element = element_of_descr(header.descr, path);
    const Size size = size_of(*header.shape, path);
    if (*header.fortran_order && size.rows > 1 && size.columns > 1)
        reject(path,
               "has its columns one after the other: save "
               "numpy.ascontiguousarray(array)");
    const auto bytes =
        static_cast<std::size_t>(size.cells()) * static_cast<std::size_t>(info(element).size);
    if (parsed.elements.size() != bytes)
        reject(path, fmt::format("has {} bytes of elements, and {} rows of {} {} are {}: save it "
                                 "again",
                                 parsed.elements.size(), size.rows, size.columns,
                                 info(element).name, bytes));
    HostField field(name, element, size);
    std::memcpy(field.bytes().data(), parsed.elements.data(), bytes);
    return field;
}

void write_npy(const std::filesystem::path& path, const HostField& field) {
    const auto* const type = std::ranges::find(types, field.element(), &Type::element);
    write(path, type->descr, fmt::format("{}, {}", field.size().rows, field.size().columns),
          field.bytes());
}

}  // namespace camber
