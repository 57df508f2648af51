// Changes a text a little, as wear, editors and broken programs do.
#include "fuzz/mutation.hpp"

#include <algorithm>

#include "regrove/core/random.hpp"

namespace regrove::fuzz {
namespace {

class Dice {
  public:
    Dice(std::uint64_t seed, std::uint64_t stream) : random_(seed, stream) {}
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_.below(next_++, bound)); }

  private:
    CounterRandom random_;
    std::uint64_t next_ = 0;
};

void change_once(std::string& text, const std::vector<std::string>& words, Dice& dice) {
    const std::size_t at = dice.below(text.size() + 1);
    const std::size_t count = std::min(text.size() - at, 1 + dice.below(12));
    switch (dice.below(7)) {
        case 0:
            if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << dice.below(8)));
            return;
        case 1:
            if (at < text.size()) text[at] = static_cast<char>(dice.below(256));
            return;
        case 2:
            text.erase(at, count);
            return;
        case 3:
            text.insert(at, text.substr(at, count));
            return;
        case 4:
            text.insert(dice.below(text.size() + 1), text.substr(at, count));
            return;
        case 5:
            text.resize(std::max(at, text.size() / 2));
            return;
        default:
            if (!words.empty()) text.insert(at, words[dice.below(words.size())]);
    }
}

}  // namespace

std::string mutate(std::string_view original, const std::vector<std::string>& words, std::uint64_t seed,
                   std::uint64_t index) {
    Dice dice(seed, index);
    std::string text(original);
    for (std::size_t changes = 1 + dice.below(4); changes > 0; --changes) change_once(text, words, dice);
    return text;
}

}  // namespace regrove::fuzz
