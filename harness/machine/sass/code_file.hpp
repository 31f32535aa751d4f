// Which file a function of this process was loaded from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace camber {

struct CodeFile {
    std::filesystem::path path;  // of the program, or of a library that it loaded
    std::string build_id;        // the linker's, in hexadecimal digits; "" where it left none
};

// Of code or data at this address; nullopt where no file has it.
std::optional<CodeFile> code_file_of(const void* address);

}  // namespace camber
