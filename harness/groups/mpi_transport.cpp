// MPI transport of messages, in a library that the program loads at run time.
#include <mpi.h>

#include <cstdlib>
#include <vector>

#include "harness/base/candidate_guard.hpp"
#include "harness/groups/communicator.hpp"

namespace {

// Needs no error handling: MPI ends the program with a message if a call fails.
class MpiTransport final : public camber::Transport {
  public:
    MpiTransport() {
        MPI_Init(nullptr, nullptr);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &size_);
        MPI_Comm host = MPI_COMM_NULL;
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host);
        MPI_Comm_rank(host, &local_rank_);
        MPI_Comm_free(&host);
    }

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    int local_rank() const override { return local_rank_; }

    int send(int to, int tag, std::span<const std::byte> bytes) override {
        const int number = free_number();
        MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, tag, MPI_COMM_WORLD,
                  &requests_[static_cast<std::size_t>(number)]);
        return number;
    }
    int receive(int from, int tag, std::span<std::byte> bytes) override {
        const int number = free_number();
        MPI_Irecv(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, from, tag, MPI_COMM_WORLD,
                  &requests_[static_cast<std::size_t>(number)]);
        return number;
    }
    bool done(int number) override {
        int is_done = 0;
        MPI_Test(&requests_[static_cast<std::size_t>(number)], &is_done, MPI_STATUS_IGNORE);
        if (is_done != 0) free_.push_back(number);
        return is_done != 0;
    }

    void finish() override { MPI_Finalize(); }
    [[noreturn]] void abort(int exit_code) override {
        camber::report_exit(exit_code);
        MPI_Abort(MPI_COMM_WORLD, exit_code);
        std::_Exit(exit_code);
    }

  private:
    int free_number() {
        if (free_.empty()) {
            requests_.push_back(MPI_REQUEST_NULL);
            return static_cast<int>(requests_.size()) - 1;
        }
        const int number = free_.back();
        free_.pop_back();
        return number;
    }

    int rank_ = 0;
    int size_ = 1;
    int local_rank_ = 0;
    std::vector<MPI_Request> requests_;
    std::vector<int> free_;
};

}  // namespace

extern "C" camber::Transport* camber_open_mpi() {
    return new MpiTransport;  // owned by the caller
}
