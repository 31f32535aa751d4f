// camber completion: scripts for shells, and the words that they ask the program for.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/terminal.hpp"
#include "harness/cli/completion/candidates.hpp"

namespace camber {

namespace {

// Both ask the program, so that they know its options whatever version it is. Where it knows no
// word, a file is completed. A variant's name may have a colon or an equals sign in bash, which
// parts words there; the shell's own joins them.
constexpr const char* bash_script = R"(# camber completion bash: source it, or save it as
# ~/.local/share/bash-completion/completions/camber
_camber() {
    local IFS=$'\n'
    COMPREPLY=($("${COMP_WORDS[0]}" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
    if [ ${#COMPREPLY[@]} -eq 0 ]; then compopt -o default 2>/dev/null; fi
}
complete -F _camber camber ./camber
)";

constexpr const char* zsh_script = R"(#compdef camber
# camber completion zsh: save it as _camber in a folder of $fpath, or source it after compinit
_camber() {
    local -a candidates
    candidates=("${(@f)$("${words[1]}" completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    candidates=(${candidates:#})
    if (( $#candidates )); then compadd -a candidates; else _files; fi
}
if [ "$funcstack[1]" = "_camber" ]; then _camber "$@"; else compdef _camber camber ./camber; fi
)";

}  // namespace

void add_completion_command(CLI::App& app, Action& chosen) {
    CLI::App* command =
        app.add_subcommand("completion", "Print what makes a shell complete camber's words");
    auto shell = std::make_shared<std::string>();
    auto words = std::make_shared<std::vector<std::string>>();
    command->add_option("shell", *shell, "bash or zsh")
        ->required()
        ->check([](const std::string& name) {
            // `words` is what the scripts ask.
            return name == "bash" || name == "zsh" || name == "words"
                       ? std::string()
                       : fmt::format("'{}' is no shell that is known: choose bash or zsh", name);
        });
    command->add_option("words", *words)->group("");
    command->footer(
        "Examples:\n"
        "  source <(camber completion bash)\n"
        "  camber completion bash > ~/.local/share/bash-completion/completions/camber\n"
        "  camber completion zsh > \"${fpath[1]}/_camber\"");
    command->callback([&app, &chosen, shell, words] {
        chosen = [&app, shell, words] {
            if (*shell == "words") {
                std::string text;
                for (const std::string& word : completion_words(app, *words)) text += word + "\n";
                print_verbatim(text);
            } else {
                print_verbatim(*shell == "bash" ? bash_script : zsh_script);
            }
            return static_cast<int>(ExitCode::success);
        };
    });
}

}  // namespace camber
