// Transport by NCCL. All sends and receives of a group are one operation (NCCL User Guide).
#include "harness/base/error.hpp"
#include "harness/machine/queue/devices.hpp"

#ifdef CAMBER_HAS_NCCL

    #include <dlfcn.h>
    #include <fmt/format.h>
    #include <nccl.h>

    #include <vector>

    #include "harness/machine/cuda/stream.hpp"

namespace camber {

namespace {

// Functions in use, from a library that stays loaded.
struct Nccl {
    std::string missing;  // reason why the library cannot be used
    decltype(&ncclCommInitAll) init_all = nullptr;
    decltype(&ncclCommDestroy) destroy = nullptr;
    decltype(&ncclGroupStart) group_start = nullptr;
    decltype(&ncclGroupEnd) group_end = nullptr;
    decltype(&ncclSend) send = nullptr;
    decltype(&ncclRecv) receive = nullptr;
    decltype(&ncclGetErrorString) error_string = nullptr;

    Nccl() {
        void* const library = dlopen("libnccl.so.2", RTLD_NOW);
        if (library == nullptr) {
            missing = fmt::format("NCCL cannot be loaded: {}", dlerror());
            return;
        }
        const auto find = [&](auto& function, const char* name) {
            using Function = std::remove_reference_t<decltype(function)>;
            function = reinterpret_cast<Function>(dlsym(library, name));
            if (function == nullptr) missing = fmt::format("this NCCL has no {}", name);
        };
        find(init_all, "ncclCommInitAll");
        find(destroy, "ncclCommDestroy");
        find(group_start, "ncclGroupStart");
        find(group_end, "ncclGroupEnd");
        find(send, "ncclSend");
        find(receive, "ncclRecv");
        find(error_string, "ncclGetErrorString");
    }

    void check(ncclResult_t result, const char* action) const {
        if (result != ncclSuccess)
            throw Error(ExitCode::unavailable,
                        fmt::format("NCCL failed while {}: {}", action, error_string(result)));
    }
};

const Nccl& nccl() {
    static const Nccl loaded;
    return loaded;
}

class NcclMessages final : public DeviceMessages {
  public:
    explicit NcclMessages(std::span<const int> devices) : communicators_(devices.size()) {
        nccl().check(nccl().init_all(communicators_.data(), static_cast<int>(devices.size()),
                                     devices.data()),
                     "joining the devices");
    }
    ~NcclMessages() override {
        for (const ncclComm_t communicator : communicators_) nccl().destroy(communicator);
    }
    NcclMessages(const NcclMessages&) = delete;
    NcclMessages& operator=(const NcclMessages&) = delete;

    void exchange(std::span<const Message> messages) override {
        nccl().check(nccl().group_start(), "beginning an exchange of rows");
        for (const Message& message : messages) {
            const ncclComm_t communicator = communicators_[static_cast<std::size_t>(message.place)];
            auto* const stream =
                static_cast<cudaStream_t>(static_cast<cuda::Stream*>(message.queue)->native());
            nccl().check(message.sent ? nccl().send(message.bytes, message.count, ncclUint8,
                                                    message.other, communicator, stream)
                                      : nccl().receive(message.bytes, message.count, ncclUint8,
                                                       message.other, communicator, stream),
                         "exchanging rows");
        }
        nccl().check(nccl().group_end(), "exchanging rows");
    }

  private:
    std::vector<ncclComm_t> communicators_;  // for each device of the group
};

}  // namespace

std::string why_no_nccl() {
    return nccl().missing;
}

std::unique_ptr<DeviceMessages> open_nccl(std::span<const int> devices) {
    if (const std::string why = why_no_nccl(); !why.empty())
        throw Error(ExitCode::unavailable, why);
    return std::make_unique<NcclMessages>(devices);
}

}  // namespace camber

#else

namespace camber {

std::string why_no_nccl() {
    return "this camber was built without NCCL";
}

std::unique_ptr<DeviceMessages> open_nccl(std::span<const int>) {
    throw Error(ExitCode::unavailable, why_no_nccl());
}

}  // namespace camber

#endif
