#include "harness/cli/common/messages.hpp"
#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/base/text/text.hpp"
#include "harness/machine/queue/queue.hpp"
#include "tests/catch.hpp"
#include "tests/sentence.hpp"

namespace remedies_test {

using namespace camber;

TEST_CASE("a fact and the option that mends it make one sentence", "[cli]") {
    CHECK(sentence_of([] { report_memory_shortage("one field", 12, 8); }) ==
          "one field needs 12 bytes of memory, but 8 are available: choose a smaller --size");
    CHECK(sentence(NotRecordable()) ==
          "its host takes part between launches, and a recording has launches only: run it without "
          "--graph");
    CHECK(sentence(Error(ExitCode::usage, "image a.png has 3x2 pixels", Remedy::board_of_input,
                         "3x2")) ==
          "image a.png has 3x2 pixels: leave out --size, or give --size 3x2");
    CHECK(sentence(Error(ExitCode::usage, "sigma is -1", Remedy::parameter, "sigma=1.5")) ==
          "sigma is -1: write for example --param sigma=1.5");
    CHECK(sentence(Error(ExitCode::usage, "choose auto, cuda, simt or cpu")) ==
          "choose auto, cuda, simt or cpu");
}

TEST_CASE("a sentence is one short line, whatever it quotes", "[cli]") {
    CHECK(sentence(Error(ExitCode::usage, "'a\n\x1b[31m' is no name")) ==
          "'a\\n\\x1b[31m' is no name");
    const std::string shown =
        sentence(Error(ExitCode::usage, "'" + std::string(100'000, 'q') + "' is no name",
                       Remedy::parameter, "sigma=1.5"));
    CHECK(shown.size() <= longest_sentence);
    CHECK_THAT(shown, contains("' is no name: write for example --param sigma=1.5"));
    // Only the output of other programs has several lines.
    const std::string compiled = sentence(ErrorWithLines(
        ExitCode::usage,
        "a\n.cu does not compile; g++ says:", "\na.cu:1: error: 'x\x07'\na.cu:2: error: y"));
    CHECK(compiled ==
          "a\\n.cu does not compile; g++ says:\na.cu:1: error: 'x\\x07'\na.cu:2: error: y");
}

}  // namespace remedies_test
