// Archives that read and write structures as JSON from one description of their keys. For a
// structure S:
//
//     template <class Archive>
//     void fields(Archive& a, Of<Archive, S>& s) {
//         a("name", s.name);                  always present
//         a.usual("mig", s.mig);              always written, but missing in some files
//         a.may("symbol", s.symbol);          omitted if it has no value; null is read as no value
//         a.null("seed", s.seed);             null if it has no value
//         a.told("uuid", s.uuid);             missing, null or a value, as in Told<T>
//         a.flag("from_start", s.from_start); true, or omitted
//         a.any_sign()("gain", s.gain);       a number that may be negative; others may not
//     }
//
// Written values are read back unchanged. Optional values have no default: a missing key is read as
// no value. The reader is as strict as the schemas in results/schema about types and signs: a
// number instead of a string, a fraction instead of a count, or a negative count is a FormError.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "harness/base/state.hpp"
#include "harness/record/case_record.hpp"

namespace camber::results {

using Json = nlohmann::ordered_json;

// The text is not valid JSON. The file name followed by what() is a sentence.
class SyntaxError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Parses a whole JSON text. Use only this function: nlohmann/json itself treats a NUL byte as the
// end of the text. Throws SyntaxError, also for a number beyond the range of a double.
Json parse_json(std::string_view text);

// The document lacks a field, or a field has another type: the location, as a JSON pointer, and the
// problem.
class FormError : public std::runtime_error {
  public:
    FormError(std::string place, const std::string& what)
        : std::runtime_error(what), place_(std::move(place)) {}
    const std::string& place() const { return place_; }
    // The same error, located in an enclosing element.
    FormError within(const std::string& outer) const { return {outer + place_, what()}; }

  private:
    std::string place_;
};

template <class Archive, class T>
using Of = std::conditional_t<Archive::writes, const T, T>;

// Enumerations are stored by name (harness/record/fields.hpp): `all` lists the values, text()
// returns a value's name.
template <class E>
struct Names;

template <class E>
concept Named = std::is_enum_v<E> && requires {
    Names<E>::all;
};

template <Named E>
std::optional<E> named(std::string_view text) {
    for (const E candidate : Names<E>::all)
        if (Names<E>::text(candidate) == text) return candidate;
    return std::nullopt;
}

class Writer;
class Reader;

// ---- writing
Json written(const Scalar& value);
Json written(const CellValue& value);
Json written(const Size& size);
// Converts integral values to int64.
Json whole_if_possible(double value);

template <class T>
requires std::is_arithmetic_v<T> Json written(T value) {
    return value;
}
inline Json written(const std::string& text) {
    return text;
}
template <Named E>
Json written(E value) {
    return Names<E>::text(value);
}
template <class T>
requires std::is_class_v<T> Json written(const T& value);
template <class T>
Json written(const std::vector<T>& values);
// An object with keys in the given order.
template <class T>
Json written(const std::vector<std::pair<std::string, T>>& values);
template <class T, class Compare>
Json written(const std::map<std::string, T, Compare>& values);
template <class First, class Second>
Json written(const std::pair<First, Second>& pair);

class Writer {
  public:
    static constexpr bool writes = true;
    explicit Writer(Json& json) : json_(json) {}

    template <class T>
    void operator()(const char* key, const T& value) {
        json_[key] = written(value);
    }
    template <class T>
    void may(const char* key, const std::optional<T>& value) {
        if (value) json_[key] = written(*value);
    }
    template <class T>
    void usual(const char* key, const T& value) {
        (*this)(key, value);
    }
    // Omits empty lists.
    template <class List>
    void some(const char* key, const List& values) {
        if (!values.empty()) json_[key] = written(values);
    }
    template <class T>
    void null(const char* key, const std::optional<T>& value) {
        json_[key] = value ? written(*value) : Json(nullptr);
    }
    template <class T>
    void told(const char* key, const Told<T>& value) {
        if (value) null(key, *value);
    }
    void flag(const char* key, bool value) {
        if (value) json_[key] = true;
    }
    Writer& any_sign() { return *this; }
    Json& json() { return json_; }

  private:
    Json& json_;
};

template <class T>
requires std::is_class_v<T> Json written(const T& value) {
    Json json = Json::object();
    Writer writer(json);
    fields(writer, value);
    return json;
}
template <class T>
Json written(const std::vector<T>& values) {
    Json list = Json::array();
    for (const auto& value : values) list.push_back(written(value));
    return list;
}
template <class T>
Json written(const std::vector<std::pair<std::string, T>>& values) {
    Json object = Json::object();
    for (const auto& [key, value] : values) object[key] = written(value);
    return object;
}
template <class T, class Compare>
Json written(const std::map<std::string, T, Compare>& values) {
    Json object = Json::object();
    for (const auto& [key, value] : values) object[key] = written(value);
    return object;
}
template <class First, class Second>
Json written(const std::pair<First, Second>& pair) {
    return Json::array({written(pair.first), written(pair.second)});
}

// ---- reading: throws FormError

// The value as it appears in a sentence, at most 40 bytes of it.
std::string shown(const Json& json);

void read(const Json& json, bool& value);
void read(const Json& json, int& value);
void read(const Json& json, std::int64_t& value);
void read(const Json& json, std::uint64_t& value);
void read(const Json& json, double& value);
void read(const Json& json, std::string& value);
void read(const Json& json, Scalar& value);
void read(const Json& json, CellValue& value);
void read(const Json& json, Size& value);
template <Named E>
void read(const Json& json, E& value) {
    std::string text;
    read(json, text);
    if (const auto found = named<E>(text)) {
        value = *found;
        return;
    }
    std::string known;
    for (const E candidate : Names<E>::all)
        known += (known.empty() ? "" : ", ") + std::string(Names<E>::text(candidate));
    throw FormError("", shown(json) + " is not one of " + known);
}
template <class T>
requires std::is_class_v<T>
void read(const Json& json, T& value);
template <class T>
void read(const Json& json, std::vector<T>& values);
template <class T>
void read(const Json& json, std::vector<std::pair<std::string, T>>& values);
template <class T, class Compare>
void read(const Json& json, std::map<std::string, T, Compare>& values);
template <class First, class Second>
void read(const Json& json, std::pair<First, Second>& pair);

// True for numbers, and containers that contain only numbers.
template <class T>
inline constexpr bool is_numeric = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
template <class T>
inline constexpr bool is_numeric<std::vector<T>> = is_numeric<T>;
template <class T>
inline constexpr bool is_numeric<std::vector<std::pair<std::string, T>>> = is_numeric<T>;
template <class T, class Compare>
inline constexpr bool is_numeric<std::map<std::string, T, Compare>> = is_numeric<T>;
template <class First, class Second>
inline constexpr bool is_numeric<std::pair<First, Second>> = is_numeric<First>&& is_numeric<Second>;

// Throws FormError if `json` is or contains a negative number.
void require_no_negative(const Json& json);

class Reader {
  public:
    static constexpr bool writes = false;
    // Throws FormError if `json` is not an object.
    explicit Reader(const Json& json);

    template <class T>
    void operator()(const char* key, T& value) {
        at(key, *require(key), value);
    }
    template <class T>
    void may(const char* key, std::optional<T>& value) {
        const Json* found = find(key);
        if (found && !found->is_null()) at(key, *found, value.emplace());
    }
    template <class T>
    void usual(const char* key, T& value) {
        if (const Json* found = find(key)) at(key, *found, value);
    }
    template <class List>
    void some(const char* key, List& values) {
        usual(key, values);
    }
    // Some keys that are null in new files are missing in old ones.
    template <class T>
    void null(const char* key, std::optional<T>& value) {
        const Json* found = find(key);
        if (found && !found->is_null()) at(key, *found, value.emplace());
    }
    template <class T>
    void told(const char* key, Told<T>& value) {
        if (find(key)) null(key, value.emplace());
    }
    void flag(const char* key, bool& value) { usual(key, value); }
    // Reader that accepts negative numbers.
    Reader any_sign() const {
        Reader other(*this);
        other.any_sign_ = true;
        return other;
    }
    const Json* find(const char* key) const;
    // Throws FormError if the object has no such key.
    const Json* require(const char* key) const;
    const Json& json() const { return json_; }

  private:
    template <class T>
    void at(const char* key, const Json& json, T& value) const {
        try {
            read(json, value);
            if constexpr (is_numeric<T>)
                if (!any_sign_) require_no_negative(json);
        } catch (const FormError& error) {
            throw error.within(std::string("/") + key);
        }
    }

    const Json& json_;
    bool any_sign_ = false;
};

template <class T>
requires std::is_class_v<T>
void read(const Json& json, T& value) {
    Reader reader(json);
    fields(reader, value);
}
void require_array(const Json& json);
void require_object(const Json& json);
template <class T>
void read(const Json& json, std::vector<T>& values) {
    require_array(json);
    values.clear();
    for (std::size_t k = 0; k < json.size(); ++k) try {
            read(json[k], values.emplace_back());
        } catch (const FormError& error) {
            throw error.within("/" + std::to_string(k));
        }
}
template <class T>
void read(const Json& json, std::vector<std::pair<std::string, T>>& values) {
    require_object(json);
    values.clear();
    for (const auto& [key, value] : json.items()) try {
            read(value, values.emplace_back(key, T()).second);
        } catch (const FormError& error) {
            throw error.within("/" + key);
        }
}
template <class T, class Compare>
void read(const Json& json, std::map<std::string, T, Compare>& values) {
    require_object(json);
    values.clear();
    for (const auto& [key, value] : json.items()) try {
            read(value, values[key]);
        } catch (const FormError& error) {
            throw error.within("/" + key);
        }
}
template <class First, class Second>
void read(const Json& json, std::pair<First, Second>& pair) {
    require_array(json);
    if (json.size() != 2) throw FormError("", "it is not a pair");
    const auto element = [&](std::size_t k, auto& value) {
        try {
            read(json[k], value);
        } catch (const FormError& error) {
            throw error.within("/" + std::to_string(k));
        }
    };
    element(0, pair.first);
    element(1, pair.second);
}

}  // namespace camber::results
