#include "tests/fuzz/mutations.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

namespace camber::fuzz {

namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::string> numbers{
    "0",
    "1",
    "-1",
    "-5",
    "1.5",
    "0.0",
    "-0",
    "255",
    "256",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483649",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e9",
    "1e300",
    "-1e300",
    "1e999",
    "1e-320",
    "nan",
    "inf",
    "0x10",
    "1e",
    "00000000000000000000001",
    "1,5",
    "٣",
    "99999999999999999999999999999999999999999999999999999999999999999999999999999999999999"};

const std::vector<std::string> odd_parts{std::string(1, '\0'),
                                         std::string("\0garbage{", 9),
                                         "\x1b[31m",
                                         "\x1b]0;title\x07",
                                         "\r",
                                         "\n",
                                         "\n\n",
                                         "\t",
                                         "\xff\xfe",
                                         "\xc3",
                                         "\xed\xa0\x80",
                                         "\xe2\x80\xae",
                                         "\x7f",
                                         "\xc2\x9b",
                                         "\"",
                                         "\\",
                                         "{",
                                         "}",
                                         "[",
                                         "]",
                                         ",",
                                         ":",
                                         "#",
                                         "%s%n",
                                         " "};

struct Range {
    std::size_t start = 0;
    std::size_t length = 0;
};

Range some_part(const std::string& text, Random& random) {
    const std::size_t start = random.below(text.size() + 1);
    const std::size_t longest =
        random.one_in(4) ? text.size() - start : std::min<std::size_t>(text.size() - start, 20);
    return {start, random.below(longest + 1)};
}

Range some_line(const std::string& text, Random& random) {
    const std::size_t at = random.below(text.size() + 1);
    const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    const std::size_t start = before == std::string::npos ? 0 : before + 1;
    const std::size_t end = std::min(text.find('\n', start), text.size());
    return {start, std::min(end + 1, text.size()) - start};
}

// A number in the text: digits, with the characters that may precede or separate them.
Range some_number(const std::string& text, Random& random) {
    constexpr std::string_view digits = "0123456789";
    std::size_t at = text.find_first_of(digits, random.below(text.size() + 1));
    if (at == std::string::npos) at = text.find_first_of(digits);
    if (at == std::string::npos) return {};
    std::size_t start = at;
    while (start > 0 &&
           std::string_view("0123456789.-+eE").find(text[start - 1]) != std::string_view::npos)
        --start;
    const std::size_t end = std::min(text.find_first_not_of("0123456789.-+eE", start), text.size());
    return {start, end - start};
}

void damage(std::string& text, const std::vector<std::string>& seeds, Random& random) {
    switch (random.below(11)) {
        case 0:
            text.resize(random.below(text.size() + 1));
            break;
        case 1:
            if (!text.empty())
                text[random.below(text.size())] ^= static_cast<char>(1 << random.below(8));
            break;
        case 2: {
            const Range part = some_part(text, random);
            text.erase(part.start, part.length);
            break;
        }
        case 3: {
            const Range part = some_part(text, random);
            const std::string copy = text.substr(part.start, part.length);
            text.insert(random.below(text.size() + 1), copy);
            break;
        }
        case 4: {
            const Range line = some_line(text, random);
            text.erase(line.start, line.length);
            break;
        }
        case 5: {
            const Range line = some_line(text, random);
            const std::string copy = text.substr(line.start, line.length);
            const std::size_t times = random.one_in(20) ? 1000 : 1 + random.below(2);
            for (std::size_t k = 0; k < times && text.size() < 1'000'000; ++k)
                text.insert(line.start, copy);
            break;
        }
        case 6:
        case 7: {
            const Range number = some_number(text, random);
            text.replace(number.start, number.length, random.pick(numbers));
            break;
        }
        case 8:
            text.insert(random.below(text.size() + 1), random.pick(odd_parts));
            break;
        case 9:
            text.insert(random.below(text.size() + 1),
                        std::string(std::size_t{1} << random.below(18),
                                    random.one_in(2) ? 'A' : random.pick(odd_parts)[0]));
            break;
        default: {
            const std::string& other = random.pick(seeds);
            const Range part = some_part(other, random);
            text.replace(random.below(text.size() + 1), random.below(20),
                         other.substr(part.start, part.length));
        }
    }
}

Json nested_list() {
    Json list = 1;
    for (int k = 0; k < 2000; ++k) list = Json::array({std::move(list)});
    return list;
}

Json other_value(Random& random) {
    switch (random.below(16)) {
        case 0:
            return nullptr;
        case 1:
            return true;
        case 2:
            return -5;
        case 3:
            return 1.5;
        case 4:
            return 1e300;
        case 5:
            return -1e300;
        case 6:
            return 18446744073709551615U;
        case 7:
            return std::int64_t{-9223372036854775807} - 1;
        case 8:
            return 3e9;
        case 9:
            return "x";
        case 10:
            return "";
        case 11:
            return Json::array();
        case 12:
            return Json::object();
        case 13:
            return std::string("\x1b[31m\n") + std::string(random.below(5000), 'q');
        case 14:
            return random.one_in(20) ? nested_list() : Json(0);
        default:
            return Json::array({1, "x", nullptr});
    }
}

// Damages a random value of the document, or its entry in the object or array that contains it.
void damage(Json& document, Random& random) {
    Json* parent = nullptr;
    Json* value = &document;
    std::size_t index = 0;
    while (value->is_structured() && !value->empty() && !random.one_in(6)) {
        parent = value;
        index = random.below(value->size());
        value = &*std::next(value->begin(), static_cast<std::ptrdiff_t>(index));
    }
    if (parent == nullptr) {
        if (random.one_in(10)) document = other_value(random);
        return;
    }
    const auto at = std::next(parent->begin(), static_cast<std::ptrdiff_t>(index));
    switch (random.below(6)) {
        case 0:
            parent->erase(at);
            break;
        case 1:
            if (parent->is_array()) parent->push_back(Json(*value));
            break;
        case 2: {
            Json other = document;  // a value from another position
            for (int k = 0; k < 12 && other.is_structured() && !other.empty(); ++k)
                other = Json(*std::next(other.begin(),
                                        static_cast<std::ptrdiff_t>(random.below(other.size()))));
            *value = std::move(other);
            break;
        }
        default:
            *value = other_value(random);
    }
}

}  // namespace

std::string mutated_text(const std::string& seed, const std::vector<std::string>& seeds,
                         Random& random) {
    std::string text = seed;
    for (std::size_t times = 1 + random.below(4); times > 0; --times) damage(text, seeds, random);
    return text;
}

std::string mutated_json(const std::string& seed, Random& random) {
    Json document = Json::parse(seed, nullptr, false);
    if (document.is_discarded()) return seed;
    for (std::size_t times = 1 + random.below(4); times > 0; --times) damage(document, random);
    return document.dump(1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace camber::fuzz
