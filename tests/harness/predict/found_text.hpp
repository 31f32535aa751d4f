// Findings of a check as text, for tests.
#pragma once

#include <string>

#include "harness/predict/check_variant.hpp"

namespace camber {

// Text of all findings of one kind.
inline std::string found(const CheckResult& result, FindingKind kind) {
    std::string text;
    for (const Finding& finding : result.findings)
        if (finding.kind == kind) {
            text += finding.sentence + finding.sites + "\n";
            for (const FindingExample& example : finding.examples)
                text += example.threads + ": " + example.address + "\n";
        }
    return text;
}

}  // namespace camber
