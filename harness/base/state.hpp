// Host copy of a workload's fields: dense, row-major, without padding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace camber {

// Memory of a field on the host, initially zero. Pages are allocated by the thread that first
// writes them, so that filling a board of gigabytes uses all threads; such boards are also copied
// by all threads.
class CellMemory {
  public:
    explicit CellMemory(std::size_t bytes);  // throws std::bad_alloc
    CellMemory(const CellMemory& other);
    CellMemory(CellMemory&& other) noexcept = default;
    CellMemory& operator=(const CellMemory& other);
    CellMemory& operator=(CellMemory&& other) noexcept = default;

    std::byte* data() { return memory_.get(); }
    const std::byte* data() const { return memory_.get(); }
    std::size_t size() const { return size_; }

  private:
    struct Free {
        void operator()(std::byte* memory) const { std::free(memory); }
    };
    std::unique_ptr<std::byte[], Free> memory_;
    std::size_t size_ = 0;
};

// Fields of a workload on the host

// `bits` are one-bit cells: a byte of 0 or 1 on the host, a bit of a word (BitOrder in layout.hpp)
// where kernels run.
enum class ElementType : std::uint8_t { uint8, uint32, int32, float32, float64, bits };

struct ElementInfo {
    std::string_view name;
    int size;         // bytes, on the host
    int stored_bits;  // in memory that kernels access
};
ElementInfo info(ElementType type);

template <class T>
constexpr ElementType element_of();
template <>
constexpr ElementType element_of<std::uint8_t>() {
    return ElementType::uint8;
}
template <>
constexpr ElementType element_of<std::uint32_t>() {
    return ElementType::uint32;
}
template <>
constexpr ElementType element_of<std::int32_t>() {
    return ElementType::int32;
}
template <>
constexpr ElementType element_of<float>() {
    return ElementType::float32;
}
template <>
constexpr ElementType element_of<double>() {
    return ElementType::float64;
}

struct Size {
    int columns = 0;
    int rows = 0;
    std::int64_t cells() const { return std::int64_t{columns} * rows; }
    friend bool operator==(const Size&, const Size&) = default;
};

// One value per cell, `size.rows` x `size.columns`.
class HostField {
  public:
    HostField(std::string name, ElementType element, Size size)
        : name_(std::move(name)),
          element_(element),
          size_(size),
          bytes_(static_cast<std::size_t>(size.cells()) * info(element).size) {}

    const std::string& name() const { return name_; }
    ElementType element() const { return element_; }
    Size size() const { return size_; }

    std::span<std::byte> bytes() { return {bytes_.data(), bytes_.size()}; }
    std::span<const std::byte> bytes() const { return {bytes_.data(), bytes_.size()}; }

    // Row-major cells; T must be the field's element type.
    template <class T>
    std::span<T> cells() {
        require<T>();
        return {reinterpret_cast<T*>(bytes_.data()), static_cast<std::size_t>(size_.cells())};
    }
    template <class T>
    std::span<const T> cells() const {
        require<T>();
        return {reinterpret_cast<const T*>(bytes_.data()), static_cast<std::size_t>(size_.cells())};
    }

  private:
    template <class T>
    void require() const {
        const bool is_byte_of_bit = element_ == ElementType::bits && sizeof(T) == 1;
        if (element_of<T>() != element_ && !is_byte_of_bit)
            throw std::logic_error("field " + name_ + " does not hold this element type");
    }

    std::string name_;
    ElementType element_;
    Size size_;
    CellMemory bytes_;
};

// All fields of a workload at one instant.
struct State {
    std::vector<HostField> fields;
    // Totals that the reference keeps beside the cells ("rained"), from the start on.
    std::map<std::string, double> account;

    bool has(std::string_view name) const;
    // Throws std::logic_error if the state has no such field.
    HostField& field(std::string_view name);
    const HostField& field(std::string_view name) const;
};

// Returns the same state with its fields of type `from` converted to `to`, both floating-point.
State converted(const State& state, ElementType from, ElementType to);

}  // namespace camber
