// Functions that the C++ compiler's instrumentation calls, and tables through which the program
// finds the file's kernels. Compiled after the kernel's own text.
#undef memcpy
#undef memmove
#undef memset
#undef threadIdx
#undef blockIdx
#undef blockDim
#undef gridDim

#define CAMBER_HOOK extern "C" CAMBER_PART
#define CAMBER_SIZED_HOOKS(bytes)                                                              \
    CAMBER_HOOK void __tsan_read##bytes(void* p) { camber_touch(p, bytes, 0, CAMBER_HERE); }   \
    CAMBER_HOOK void __tsan_write##bytes(void* p) { camber_touch(p, bytes, 1, CAMBER_HERE); }  \
    CAMBER_HOOK void __tsan_volatile_read##bytes(void* p) {                                    \
        camber_touch(p, bytes, 0, CAMBER_HERE);                                                \
    }                                                                                          \
    CAMBER_HOOK void __tsan_volatile_write##bytes(void* p) {                                   \
        camber_touch(p, bytes, 1, CAMBER_HERE);                                                \
    }
CAMBER_SIZED_HOOKS(1)
CAMBER_SIZED_HOOKS(2)
CAMBER_SIZED_HOOKS(4)
CAMBER_SIZED_HOOKS(8)
CAMBER_SIZED_HOOKS(16)
CAMBER_HOOK void __tsan_init() {}
CAMBER_HOOK void __tsan_func_entry(void* caller) {
    if (camber_host) camber_host->enter(caller, CAMBER_HERE);
}
CAMBER_HOOK void __tsan_func_exit(void*) {
    if (camber_host) camber_host->leave();
}
CAMBER_HOOK void __tsan_read_range(void* p, long bytes) {
    if (camber_host) camber_host->range(p, bytes, 0, CAMBER_HERE);
}
CAMBER_HOOK void __tsan_write_range(void* p, long bytes) {
    if (camber_host) camber_host->range(p, bytes, 1, CAMBER_HERE);
}
CAMBER_HOOK void __tsan_vptr_update(void**, void*) {}
CAMBER_HOOK void __tsan_vptr_read(void**) {}
CAMBER_HOOK void __sanitizer_cov_trace_pc() {
    if (camber_host) camber_host->branch(CAMBER_HERE);
}

// ---- types and calls of kernels

template <class T>
struct camber_name_of {
    static constexpr const char* name() {
        if (std::is_same<T, float>::value) return "float32";
        if (std::is_same<T, double>::value) return "float64";
        if (!std::is_integral<T>::value) return 0;
        const bool positive = std::is_unsigned<T>::value;
        switch (sizeof(T)) {
            case 1: return positive ? "uint8" : "int8";
            case 2: return positive ? "uint16" : "int16";
            case 4: return positive ? "uint32" : "int32";
            default: return positive ? "uint64" : "int64";
        }
    }
};
template <>
struct camber_name_of<__half> {
    static constexpr const char* name() { return "float16"; }
};
template <>
struct camber_name_of<__half2> {
    static constexpr const char* name() { return "float16x2"; }
};
template <>
struct camber_name_of<__nv_bfloat16> {
    static constexpr const char* name() { return "bfloat16"; }
};
template <>
struct camber_name_of<__nv_bfloat162> {
    static constexpr const char* name() { return "bfloat16x2"; }
};
#define CAMBER_VECTOR_NAMES(vector, scalar)                                       \
    template <>                                                                   \
    struct camber_name_of<vector##1> {                                            \
        static constexpr const char* name() { return scalar; }                    \
    };                                                                            \
    template <>                                                                   \
    struct camber_name_of<vector##2> {                                            \
        static constexpr const char* name() { return scalar "x2"; }               \
    };                                                                            \
    template <>                                                                   \
    struct camber_name_of<vector##3> {                                            \
        static constexpr const char* name() { return scalar "x3"; }               \
    };                                                                            \
    template <>                                                                   \
    struct camber_name_of<vector##4> {                                            \
        static constexpr const char* name() { return scalar "x4"; }               \
    };
CAMBER_VECTOR_NAMES(char, "int8")
CAMBER_VECTOR_NAMES(uchar, "uint8")
CAMBER_VECTOR_NAMES(short, "int16")
CAMBER_VECTOR_NAMES(ushort, "uint16")
CAMBER_VECTOR_NAMES(int, "int32")
CAMBER_VECTOR_NAMES(uint, "uint32")
CAMBER_VECTOR_NAMES(longlong, "int64")
CAMBER_VECTOR_NAMES(ulonglong, "uint64")
CAMBER_VECTOR_NAMES(float, "float32")
CAMBER_VECTOR_NAMES(double, "float64")

template <class T>
constexpr CamberType camber_type() {
    using Plain = std::remove_cv_t<T>;
    if constexpr (std::is_void<Plain>::value)
        return {CamberType::other, 1, 0};
    else
        return {std::is_pointer<Plain>::value          ? CamberType::pointer
                : std::is_floating_point<Plain>::value ? CamberType::floating
                : std::is_integral<Plain>::value       ? CamberType::integer
                                                       : CamberType::other,
                sizeof(Plain), camber_name_of<Plain>::name()};
}
template <class P>
constexpr CamberParameter camber_parameter() {
    using Target = std::remove_pointer_t<P>;
    return {camber_type<P>(), camber_type<Target>(), std::is_const<Target>::value};
}
template <class... P>
struct camber_signature {
    // One more element, for kernels without parameters.
    static constexpr CamberParameter parameters[sizeof...(P) + 1] = {camber_parameter<P>()...,
                                                                     {}};
    template <void (*kernel)(P...), std::size_t... i>
    CAMBER_PART static void call_with(void** arguments, std::index_sequence<i...>) {
        kernel(*static_cast<std::remove_cv_t<std::remove_reference_t<P>>*>(arguments[i])...);
    }
    template <void (*kernel)(P...)>
    CAMBER_PART static void call(void** arguments) {
        call_with<kernel>(arguments, std::index_sequence_for<P...>());
    }
};
template <class... P>
camber_signature<P...> camber_signature_of(void (*)(P...));

template <auto kernel>
constexpr CamberKernel camber_kernel(const void* address) {
    using Signature = decltype(camber_signature_of(kernel));
    return {address, Signature::parameters,
            int(sizeof Signature::parameters / sizeof(CamberParameter)) - 1,
            &Signature::template call<kernel>};
}
template <class T, std::size_t n>
CamberConstant camber_constant(T (&array)[n]) {
    return {(void*)&array, camber_type<T>(), n};
}
template <class T, std::size_t n, std::size_t m>
CamberConstant camber_constant(T (&array)[n][m]) {
    return {(void*)&array, camber_type<T>(), n * m};
}
template <class T>
CamberConstant camber_constant(T& value) {
    return {(void*)&value, camber_type<T>(), 1};
}

alignas(128) static thread_local char camber_anchor[128];
CAMBER_PART static void* camber_shared_anchor() {
    return camber_anchor;
}
