// JSON with a fixed layout: a manifest that does not come out again byte for byte is damaged.
#include "checkpoint_manifest.hpp"

#include <bit>

#include <nlohmann/json.hpp>

#include "regrove/core/error.hpp"

namespace regrove::store {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* k_format = "regrove-checkpoint";
constexpr int k_version = 1;
constexpr const char* k_byte_order = std::endian::native == std::endian::little ? "little" : "big";
constexpr const char* k_hash_key = "manifest_xxh3_128";

std::string dump(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Hash128 parse_hash(const std::string& hex) {
    if (hex.size() != 32) throw FormatError("a hash has " + std::to_string(hex.size()) + " digits instead of 32");
    return {std::stoull(hex.substr(16), nullptr, 16), std::stoull(hex.substr(0, 16), nullptr, 16)};
}

Hash128 hash_of(const CheckpointIdentity::Facts& facts) {
    Hasher hasher;
    for (const auto& [name, text] : facts) {
        hasher.update_field(name);
        hasher.update_field(text);
    }
    return hasher.digest();
}

Json to_json(const CheckpointIdentity::Facts& facts) {
    Json json = Json::array();
    for (const auto& [name, text] : facts) json.push_back(Json::array({name, text}));
    return json;
}

CheckpointIdentity::Facts parse_facts(const Json& json) {
    CheckpointIdentity::Facts facts;
    for (const auto& fact : json) facts.emplace_back(fact.at(0), fact.at(1));
    return facts;
}

Json to_json(const FileFacts& file) {
    Json json;
    json["path"] = file.path;
    json["bytes"] = file.bytes;
    json["xxh3_128"] = to_hex(file.hash);
    json["datasets"] = Json::array();
    for (const auto& dataset : file.datasets) {
        Json entry;
        entry["name"] = dataset.name;
        entry["growth"] = dataset.appended ? "appended" : "replaced";
        entry["record_bytes"] = dataset.record_bytes;
        entry["records"] = dataset.records;
        entry["shards"] = {dataset.shards.begin, dataset.shards.end};
        json["datasets"].push_back(std::move(entry));
    }
    json["texts"] = file.texts;
    return json;
}

FileFacts parse_file(const Json& json) {
    FileFacts file;
    file.path = json.at("path");
    file.bytes = json.at("bytes");
    file.hash = parse_hash(json.at("xxh3_128"));
    for (const auto& entry : json.at("datasets")) {
        file.datasets.push_back({entry.at("name"),
                                 entry.at("growth") == "appended",
                                 entry.at("record_bytes"),
                                 entry.at("records"),
                                 {entry.at("shards").at(0), entry.at("shards").at(1)}});
    }
    file.texts = json.at("texts").get<std::vector<std::string>>();
    return file;
}

Json to_json(const Manifest& manifest) {
    Json json;
    json["format"] = k_format;
    json["version"] = k_version;
    json["byte_order"] = k_byte_order;
    json["results_version"] = manifest.results_version;
    json["job"] = manifest.identity.job;
    json["job_format"] = manifest.identity.format;
    json["generation"] = manifest.number;
    json["step"] = manifest.step;
    json["ranks"] = manifest.ranks;
    json["epoch"] = manifest.epoch;
    json["incarnation"] = manifest.incarnation;
    json["written"] = manifest.when;
    json["chain"] = manifest.chain;
    json["options_hash"] = to_hex(hash_of(manifest.identity.options));
    json["inputs_hash"] = to_hex(hash_of(manifest.identity.inputs));
    json["options"] = to_json(manifest.identity.options);
    json["inputs"] = to_json(manifest.identity.inputs);
    json["files"] = Json::array();
    for (const auto& file : manifest.files) json["files"].push_back(to_json(file));
    return json;
}

/// Checks the hash, and takes it out.
Json parse_checked(const std::string& text) {
    Json json = Json::parse(text);
    const std::string stored = json.at(k_hash_key);
    if (dump(json, 2) + "\n" != text) throw FormatError("its bytes are not as they were written");
    json.erase(k_hash_key);
    if (stored != to_hex(hash_bytes(dump(json, 2)))) throw FormatError("its hash is wrong");
    return json;
}

Manifest parse_version_1(const Json& json) {
    if (json.at("byte_order") != k_byte_order)
        throw FormatError("it was written on a machine with the other order of bytes");
    Manifest manifest;
    manifest.identity = {json.at("job"), json.at("job_format"), parse_facts(json.at("options")),
                         parse_facts(json.at("inputs"))};
    manifest.results_version = json.at("results_version");
    manifest.number = json.at("generation");
    manifest.step = json.at("step");
    manifest.ranks = json.at("ranks");
    manifest.epoch = json.at("epoch");
    manifest.incarnation = json.at("incarnation");
    manifest.when = json.at("written");
    manifest.chain = json.at("chain");
    for (const auto& file : json.at("files")) manifest.files.push_back(parse_file(file));
    return manifest;
}

}  // namespace

std::string to_text(const Manifest& manifest) {
    Json json = to_json(manifest);
    json[k_hash_key] = to_hex(hash_bytes(dump(json, 2)));
    return dump(json, 2) + "\n";
}

Manifest parse_manifest(const std::string& text) {
    try {
        const Json json = parse_checked(text);
        if (json.at("format") != k_format) throw FormatError("it is no manifest of a checkpoint");
        if (json.at("version") != k_version) {
            throw FormatError("it has version " + dump(json.at("version"), -1) +
                              " of the format; this program reads " + std::to_string(k_version));
        }
        return parse_version_1(json);
    } catch (const Error&) {
        throw;
    } catch (const std::exception& error) {  // of the JSON library, or a number out of range
        throw FormatError(error.what());
    }
}

std::string to_line(const FileFacts& file) { return dump(to_json(file), -1); }

FileFacts parse_file_line(const std::string& line) { return parse_file(Json::parse(line)); }

CheckpointIdentity storable(const CheckpointIdentity& identity) {
    const auto facts = [](const CheckpointIdentity::Facts& from) {
        return parse_facts(Json::parse(dump(to_json(from), -1)));
    };
    return {identity.job, identity.format, facts(identity.options), facts(identity.inputs)};
}

}  // namespace regrove::store
