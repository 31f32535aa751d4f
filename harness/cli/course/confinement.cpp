#include "harness/cli/course/trial.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/cli/common/child_process.hpp"

namespace camber::course {

namespace {

// `margin`: distance of the hard limit, beyond which the system ends the process without a reason.
void limit(__rlimit_resource resource, rlim_t most, rlim_t margin = 0) {
    rlimit now{};
    getrlimit(resource, &now);
    now.rlim_max = std::min(now.rlim_max, most + margin);
    now.rlim_cur = std::min({now.rlim_cur, now.rlim_max, most});
    setrlimit(resource, &now);
}

// Restricts the process to a few cores, because each thread reserves memory, and so that several
// graders share a machine.
void limit_cores() {
    constexpr std::size_t most = 4;
    const std::vector<int> cores = usable_cores();
    if (cores.size() <= most) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    const auto first = static_cast<std::size_t>(getpid());
    for (std::size_t i = 0; i < most; ++i) CPU_SET(cores[(first + i) % cores.size()], &set);
    sched_setaffinity(0, sizeof set, &set);
}

}  // namespace

void limit_process(const Limits& limits) {
    limit_cores();
    constexpr rlim_t mib = 1 << 20;
    limit(RLIMIT_CORE, 0);
    // The guard reports these by the signal that ended the process.
    for (const int fatal : {SIGFPE, SIGILL, SIGABRT, SIGXCPU}) std::signal(fatal, SIG_DFL);
    limit(RLIMIT_FSIZE, 256 * mib);  // the compiler writes files
    limit(RLIMIT_CPU, static_cast<rlim_t>(std::max(limits.cpu_seconds, 1.0)), 5);
#if !defined(__SANITIZE_ADDRESS__)  // which reserves terabytes of addresses
    limit(RLIMIT_AS, static_cast<rlim_t>(limits.memory_mib) * mib);
#endif
}

#if defined(__x86_64__) || defined(__aarch64__)

namespace {

    #if defined(__x86_64__)
constexpr std::uint32_t this_architecture = AUDIT_ARCH_X86_64;
    #else
constexpr std::uint32_t this_architecture = AUDIT_ARCH_AARCH64;
    #endif

constexpr std::uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;

constexpr std::uint32_t denied[] = {
    #if defined(__x86_64__)
    SYS_fork,
    SYS_vfork,
    SYS_creat,
    SYS_unlink,
    SYS_rename,
    SYS_mkdir,
    SYS_rmdir,
    SYS_link,
    SYS_symlink,
    SYS_chmod,
    SYS_renameat,
    #endif
    SYS_execve,
    SYS_execveat,
    SYS_unlinkat,
    SYS_renameat2,
    SYS_mkdirat,
    SYS_linkat,
    SYS_symlinkat,
    SYS_fchmodat,
    SYS_truncate,
    SYS_write,
    SYS_writev,
    SYS_pwritev,
    SYS_sendto,
    SYS_sendmsg,
    SYS_socket,
    SYS_connect,
    SYS_bind,
    SYS_kill,
    SYS_tkill,
    SYS_ptrace,
    SYS_mount,
    SYS_setns,
    SYS_unshare,
    SYS_bpf,
    SYS_process_vm_writev,
    SYS_splice,
    SYS_sendfile,
    SYS_shmat,
    SYS_process_vm_readv,
};

// Program of the filter, as BPF instructions.
class Filter {
  public:
    Filter() {
        load(offsetof(seccomp_data, arch));
        unless_equal(this_architecture, SECCOMP_RET_KILL_PROCESS);
        load(offsetof(seccomp_data, nr));
    #if defined(__x86_64__)
        // Calls of the x32 ABI, which have numbers of their own.
        add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
        add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    #endif
        for (const std::uint32_t call : denied) if_equal(call, SECCOMP_RET_KILL_PROCESS);
        // The C library then uses clone(), whose flags can be examined.
        if_equal(SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
        deny_if_bits(SYS_clone, 0, CLONE_THREAD, false);
        deny_if_bits(SYS_openat, 2, writing, true);
    #if defined(__x86_64__)
        deny_if_bits(SYS_open, 1, writing, true);
    #endif
        add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }

    void install() {
        sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
        // For all threads of the process.
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
            syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    }

  private:
    void add(sock_filter instruction) { code_.push_back(instruction); }
    void load(std::size_t offset) {
        add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
    }
    void if_equal(std::uint32_t value, std::uint32_t result) {
        add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
        add(BPF_STMT(BPF_RET | BPF_K, result));
    }
    void unless_equal(std::uint32_t value, std::uint32_t result) {
        add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0));
        add(BPF_STMT(BPF_RET | BPF_K, result));
    }
    // Denies the call if any of these bits of its argument are set, or if none is.
    void deny_if_bits(std::uint32_t call, std::size_t argument, std::uint32_t bits, bool set) {
        add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4));
        load(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t));
        const auto skipped = static_cast<std::uint8_t>(set);
        const auto skipped_if_set = static_cast<std::uint8_t>(!set);
        add(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, skipped_if_set, skipped));
        add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
        load(offsetof(seccomp_data, nr));
    }

    std::vector<sock_filter> code_;
};

}  // namespace

void deny_system_calls() {
    Filter().install();
}

#else

void deny_system_calls() {}

#endif

}  // namespace camber::course
