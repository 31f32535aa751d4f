// A queue as code of others sees it that was not compiled with camber.
#pragma once

#include "harness/machine/queue/queue.hpp"

namespace camber {

class NativeQueue {
  public:
    explicit NativeQueue(Queue& queue);

    // Its cudaStream_t, on whose device the calling thread works from now on; nullptr where the
    // queue's memory is the host's.
    void* stream() const;

  private:
    void* stream_ = nullptr;
    int device_ = 0;
};

}  // namespace camber
