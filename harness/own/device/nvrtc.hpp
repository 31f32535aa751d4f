// NVRTC, the CUDA compiler in a library, loaded where it is. Its functions are declared here, so
// that a program without CUDA's headers has it, too ("NVRTC", CUDA Toolkit Documentation).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace camber {

class Nvrtc {
  public:
    // Nothing where the library is not found.
    static std::optional<Nvrtc> find();

    std::string version() const;  // "13.0"

    struct Result {
        std::string cubin;  // empty where it does not compile
        std::string log;
    };
    // `kernels`: those that the code must have, also of templates. Throws Error(unavailable) where
    // the library fails otherwise than for the text.
    Result compile(const std::string& text, const std::string& name,
                   const std::vector<std::string>& kernels,
                   const std::vector<std::string>& options) const;

  private:
    explicit Nvrtc(void* library) : library_(library) {}
    template <class F>
    F* function(const char* name) const;

    void* library_;  // as dlopen gives it
};

}  // namespace camber
