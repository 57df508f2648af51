// A plain binary layout between processes of one build; files have formats of their own.
#include "regrove/dist/tree_exchange.hpp"

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "regrove/core/error.hpp"

namespace regrove::dist {

namespace {

class Packer {
  public:
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void operator()(const T& value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
    template <class T>
    void operator()(const std::vector<T>& values) {
        (*this)(static_cast<std::uint64_t>(values.size()));
        for (const T& value : values) (*this)(value);
    }
    void operator()(const model::Surrogate& surrogate) { fields(*this, surrogate); }
    void operator()(const model::Question& question) { fields(*this, question); }
    void operator()(const model::Node& node) { fields(*this, node); }
    std::string bytes() && { return std::move(bytes_); }

    /// The members in one order for packing and unpacking.
    template <class Visit, class Surrogate>
    requires std::is_same_v<std::remove_const_t<Surrogate>, model::Surrogate>
    static void fields(Visit& visit, Surrogate& s) {
        visit(s.feature), visit(s.kind), visit(s.reversed), visit(s.threshold), visit(s.right_categories);
        visit(s.seen_categories), visit(s.agreement);
    }
    template <class Visit, class Question>
    requires std::is_same_v<std::remove_const_t<Question>, model::Question>
    static void fields(Visit& visit, Question& q) {
        visit(q.kind), visit(q.feature), visit(q.threshold), visit(q.right_categories), visit(q.seen_categories);
        visit(q.missing_seen), visit(q.missing_side), visit(q.heavier_side), visit(q.training_low);
        visit(q.training_high), visit(q.surrogates);
    }
    template <class Visit, class Node>
    requires std::is_same_v<std::remove_const_t<Node>, model::Node>
    static void fields(Visit& visit, Node& n) {
        visit(n.question), visit(n.left), visit(n.right), visit(n.rows), visit(n.weight), visit(n.impurity);
        visit(n.gain), visit(n.ties_cutting_differently), visit(n.ties_cutting_alike), visit(n.value);
    }

  private:
    std::string bytes_;
};

class Unpacker {
  public:
    explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void operator()(T& value) {
        if (bytes_.size() < sizeof value) throw InternalError("a tree arrived cut short");
        std::memcpy(&value, bytes_.data(), sizeof value);
        bytes_.remove_prefix(sizeof value);
    }
    template <class T>
    void operator()(std::vector<T>& values) {
        std::uint64_t size = 0;
        (*this)(size);
        if (size > bytes_.size()) throw InternalError("a tree arrived cut short");
        values.resize(size);
        for (T& value : values) (*this)(value);
    }
    void operator()(model::Surrogate& surrogate) { Packer::fields(*this, surrogate); }
    void operator()(model::Question& question) { Packer::fields(*this, question); }
    void operator()(model::Node& node) { Packer::fields(*this, node); }

  private:
    std::string_view bytes_;
};

}  // namespace

std::string pack(const model::Tree& tree) {
    Packer packer;
    packer(tree.nodes);
    return std::move(packer).bytes();
}

model::Tree unpack_tree(std::string_view bytes) {
    model::Tree tree;
    Unpacker unpack(bytes);
    unpack(tree.nodes);
    return tree;
}

std::vector<model::Tree> exchange_trees(comm::Communicator& comm, std::vector<model::Tree> own,
                                        std::span<const int> rank_of_tree) {
    if (comm.size() == 1) return own;
    std::vector<std::uint64_t> lengths;
    std::string bytes;
    for (const model::Tree& tree : own) {
        const std::string packed = pack(tree);
        lengths.push_back(packed.size());
        bytes += packed;
    }
    const auto all_lengths = comm.gather_all(std::span<const std::uint64_t>(lengths));
    const auto all_bytes = comm.gather_all(std::span<const char>(bytes.data(), bytes.size()));
    std::vector<model::Tree> result(rank_of_tree.size());
    std::size_t next = 0;
    std::size_t at = 0;
    std::size_t next_own = 0;
    for (int rank = 0; rank < comm.size(); ++rank) {
        for (std::size_t tree = 0; tree < rank_of_tree.size(); ++tree) {
            if (rank_of_tree[tree] != rank) continue;
            result[tree] = rank == comm.rank() ? std::move(own[next_own++])
                                               : unpack_tree({all_bytes.data() + at, all_lengths[next]});
            at += all_lengths[next++];
        }
    }
    return result;
}

}  // namespace regrove::dist
