#include "harness/capture/replay/replayed_launch.hpp"

#include <algorithm>
#include <cstring>

#include "harness/base/error.hpp"
#include "harness/capture/replay/candidate_build.hpp"
#include "harness/capture/replay/comparison.hpp"

namespace camber::capture {

namespace {

CuDevice opened(int device) {
    const Driver& cuda = driver();
    check(cuda.init(0), "starting");
    int count = 0;
    check(cuda.device_count(&count), "counting devices");
    if (device < 0 || device >= count)
        throw Error(ExitCode::unavailable, "--device " + std::to_string(device) +
                                               " is not here: there are " + std::to_string(count) +
                                               " devices");
    CuDevice opened = 0;
    check(cuda.device(&opened, device), "opening the device");
    CuContext context = nullptr;
    check(cuda.retain_context(&context, opened), "opening the device");
    check(cuda.set_context(context), "opening the device");
    return opened;
}

CuStream new_stream() {
    CuStream stream = nullptr;
    check(driver().create_stream(&stream, cu_stream_non_blocking), "creating a stream");
    return stream;
}

CuAddress address_of(const void* bytes) {
    return reinterpret_cast<CuAddress>(bytes);
}

}  // namespace

ReplayedLaunch::ReplayedLaunch(const Capture& capture, std::size_t index, int device, bool separate)
    : capture_(capture),
      launch_(capture.file.launches.at(index)),
      device_(opened(device)),
      stream_(new_stream()),
      content_(read_memory(capture, index)),
      memory_(launch_, device_, separate) {}

std::string ReplayedLaunch::device_name() const {
    char name[256] = "";
    check(driver().device_name(name, sizeof name, device_), "reading the device's name");
    return name;
}

int ReplayedLaunch::device_attribute(int attribute) const {
    int value = 0;
    check(driver().device_attribute(&value, attribute, device_), "reading the device's properties");
    return value;
}

LoadedKernel ReplayedLaunch::load_original() {
    LoadedKernel kernel = load({"", "", capture_.file.kernel, {}, {}, {}}, capture_.code);
    const KernelAttributes& attributes = capture_.file.kernel_attributes;
    const auto set = [&](int id, std::int64_t value) {
        driver().set_function_attribute(kernel.function, id, static_cast<int>(value));
    };
    // Never below what load() has set for the launch.
    if (attributes.max_dynamic_shared > static_cast<std::int64_t>(launch_.shared_bytes))
        set(cu_function_max_dynamic_shared, attributes.max_dynamic_shared);
    set(cu_function_carveout, attributes.carveout);
    if (attributes.non_portable_cluster != 0) set(cu_function_non_portable_cluster, 1);
    return kernel;
}

LoadedKernel ReplayedLaunch::load(const CandidateCode& candidate, const ByteVector& cubin) {
    const Driver& cuda = driver();
    LoadedKernel kernel;
    kernel.name = candidate.name;
    check(cuda.load_module(&kernel.module, cubin.data()), "loading the machine code");
    check(cuda.module_function(&kernel.function, kernel.module, candidate.kernel.c_str()),
          "looking for the kernel");
    for (std::size_t k = 0;; ++k) {
        std::size_t offset = 0;
        std::size_t bytes = 0;
        if (cuda.parameter_info(kernel.function, k, &offset, &bytes) != cu_success) break;
        kernel.parameters.push_back({offset, bytes});
    }
    kernel.block = candidate.block.value_or(launch_.block);
    kernel.grid = candidate.grid.value_or(candidate.block ? covering_grid(launch_, kernel.block)
                                                          : launch_.grid);
    const std::uint64_t threads =
        std::uint64_t{kernel.block[0]} * kernel.block[1] * kernel.block[2];
    int most_threads = 0;
    check(cuda.function_attribute(&most_threads, cu_function_max_threads, kernel.function),
          "reading the kernel's properties");
    if (threads > static_cast<std::uint64_t>(most_threads))
        throw Error(ExitCode::usage,
                    "the kernel can have at most " + std::to_string(most_threads) +
                        " threads per block here, by its registers or __launch_bounds__, and the "
                        "block has " +
                        std::to_string(threads) + ": give a smaller block=");
    kernel.shared_bytes = candidate.shared_bytes.value_or(launch_.shared_bytes);
    constexpr std::uint64_t usual_shared_bytes = 48 << 10;
    if (kernel.shared_bytes > usual_shared_bytes)
        check(cuda.set_function_attribute(kernel.function, cu_function_max_dynamic_shared,
                                          static_cast<int>(kernel.shared_bytes)),
              "raising the limit of shared memory");
    find_variables(kernel);
    return kernel;
}

void ReplayedLaunch::find_variables(LoadedKernel& kernel) const {
    kernel.addresses = memory_.addresses();
    for (std::size_t k = 0; k < launch_.buffers.size(); ++k) {
        const Buffer& buffer = launch_.buffers[k];
        if (buffer.kind != BufferKind::variable) continue;
        CuAddress address = 0;
        std::size_t bytes = 0;
        if (driver().module_global(&address, &bytes, kernel.module, buffer.name.c_str()) ==
                cu_success &&
            bytes == buffer.bytes)
            kernel.addresses[k] = address;
        else
            kernel.missing_variables.push_back(buffer.name);
    }
}

std::uint64_t ReplayedLaunch::patched_words(const LoadedKernel& kernel) const {
    const auto moved = [&](const PointerWord& word) {
        return kernel.addresses[word.buffer] != launch_.buffers[word.buffer].address;
    };
    auto count = static_cast<std::uint64_t>(std::ranges::count_if(launch_.pointers, moved));
    for (const Buffer& buffer : launch_.buffers)
        count += static_cast<std::uint64_t>(std::ranges::count_if(buffer.pointers, moved));
    return count;
}

void ReplayedLaunch::patch(const LoadedKernel& kernel, const std::vector<PointerWord>& pointers,
                           ByteVector& bytes) const {
    for (const PointerWord& word : pointers) {
        const Buffer& target = launch_.buffers[word.buffer];
        std::uint64_t address = 0;
        std::memcpy(&address, bytes.data() + word.offset, sizeof address);
        // The launch may have overwritten an address.
        if (address < target.address || address - target.address > target.bytes) continue;
        if (kernel.addresses[word.buffer] == 0) continue;
        address += kernel.addresses[word.buffer] - target.address;
        std::memcpy(bytes.data() + word.offset, &address, sizeof address);
    }
}

bool ReplayedLaunch::same_address(const LoadedKernel& kernel, std::uint64_t expected,
                                  std::uint64_t actual) const {
    for (std::size_t k = 0; k < launch_.buffers.size(); ++k) {
        const Buffer& buffer = launch_.buffers[k];
        if (expected >= buffer.address && expected - buffer.address <= buffer.bytes &&
            expected - buffer.address + kernel.addresses[k] == actual)
            return true;
    }
    return false;
}

ByteVector ReplayedLaunch::before(const LoadedKernel& kernel, std::size_t buffer) const {
    ByteVector bytes = content_[buffer].before;
    patch(kernel, launch_.buffers[buffer].pointers, bytes);
    return bytes;
}

ByteVector ReplayedLaunch::expected(const LoadedKernel& kernel, std::size_t buffer) const {
    ByteVector bytes = content_[buffer].after(launch_.buffers[buffer]);
    patch(kernel, launch_.buffers[buffer].pointers, bytes);
    return bytes;
}

void ReplayedLaunch::restore(const LoadedKernel& kernel) {
    for (std::size_t k = 0; k < launch_.buffers.size(); ++k) restore(kernel, k);
}

void ReplayedLaunch::restore(const LoadedKernel& kernel, std::size_t buffer) {
    if (kernel.addresses[buffer] == 0) return;
    if (copied_for_ == kernel.function && !copies_.empty() && copies_[buffer] != 0) {
        check(driver().copy(kernel.addresses[buffer], copies_[buffer],
                            launch_.buffers[buffer].bytes, stream_),
              "restoring the memory");
        return;
    }
    const ByteVector bytes = before(kernel, buffer);
    check(driver().copy(kernel.addresses[buffer], address_of(bytes.data()), bytes.size(), stream_),
          "restoring the memory");
    wait();
}

void ReplayedLaunch::keep_copies(const LoadedKernel& kernel) {
    copied_for_ = nullptr;
    copies_.assign(launch_.buffers.size(), 0);
    for (std::size_t k = 0; k < copies_.size(); ++k) {
        if (kernel.addresses[k] == 0) continue;
        restore(kernel, k);
        if (driver().allocate(&copies_[k], launch_.buffers[k].bytes) != cu_success) {
            copies_[k] = 0;
            continue;
        }
        check(driver().copy(copies_[k], kernel.addresses[k], launch_.buffers[k].bytes, stream_),
              "copying the memory");
    }
    wait();
    copied_for_ = kernel.function;
}

void ReplayedLaunch::fill(const LoadedKernel& kernel, std::size_t buffer, std::uint64_t begin,
                          std::uint64_t end, unsigned char value) {
    if (kernel.addresses[buffer] == 0) return;
    check(driver().fill(kernel.addresses[buffer] + begin, value, end - begin, stream_),
          "filling memory");
}

void ReplayedLaunch::launch(const LoadedKernel& kernel) {
    ByteVector parameters;
    from_hexadecimal(launch_.parameters, parameters);
    patch(kernel, launch_.pointers, parameters);
    std::vector<void*> arguments;
    for (const Parameter& one : capture_.file.parameters)
        arguments.push_back(parameters.data() + one.offset);
    std::vector<CuLaunchAttribute> attributes;
    for (const LaunchAttribute& captured : launch_.attributes) {
        CuLaunchAttribute attribute{captured.id, 0, {}};
        ByteVector value;
        from_hexadecimal(captured.value, value);
        std::copy_n(value.begin(), sizeof attribute.value, attribute.value);
        attributes.push_back(attribute);
    }
    CuLaunchConfig config{};
    std::ranges::copy(kernel.grid, config.grid);
    std::ranges::copy(kernel.block, config.block);
    config.shared_bytes = static_cast<unsigned>(kernel.shared_bytes);
    config.stream = stream_;
    config.attributes = attributes.empty() ? nullptr : attributes.data();
    config.attribute_count = static_cast<unsigned>(attributes.size());
    check(driver().launch(&config, kernel.function, arguments.data(), nullptr),
          "launching the kernel");
}

void ReplayedLaunch::wait() {
    check(driver().wait_for_stream(stream_), "running the kernel");
}

ByteVector ReplayedLaunch::content(const LoadedKernel& kernel, std::size_t buffer) {
    return content(kernel, buffer, 0, launch_.buffers[buffer].bytes);
}

ByteVector ReplayedLaunch::content(const LoadedKernel& kernel, std::size_t buffer,
                                   std::uint64_t begin, std::uint64_t end) {
    ByteVector bytes(end - begin);
    check(driver().copy(address_of(bytes.data()), kernel.addresses[buffer] + begin, bytes.size(),
                        stream_),
          "reading the result");
    wait();
    return bytes;
}

void ReplayedLaunch::add_differences(const LoadedKernel& kernel, std::size_t buffer,
                                     const std::vector<ByteTolerance>& tolerances,
                                     Difference& difference) {
    if (kernel.addresses[buffer] == 0) {
        // The kernel lacks a variable. The original has changed it, if there is something to
        // compare.
        if (changed(buffer)) {
            if (difference.bytes == 0) difference.first_buffer = buffer;
            difference.bytes += content_[buffer].changed.size();
        }
        return;
    }
    compare(
        buffer, expected(kernel, buffer), content(kernel, buffer), tolerances,
        [&](std::uint64_t expected, std::uint64_t actual) {
            return same_address(kernel, expected, actual);
        },
        difference);
}

Difference ReplayedLaunch::differences(const LoadedKernel& kernel,
                                       const std::vector<ByteTolerance>& tolerances) {
    Difference difference;
    for (std::size_t k = 0; k < launch_.buffers.size(); ++k)
        add_differences(kernel, k, tolerances, difference);
    return difference;
}

}  // namespace camber::capture
