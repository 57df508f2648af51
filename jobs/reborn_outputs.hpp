// The files of a search for a born-again tree: opened before long work, each complete when it appears.
#pragma once

#include <memory>
#include <string>

#include "regrove/bornagain/reborn.hpp"
#include "regrove/core/option_table.hpp"
#include "regrove/pipeline/job.hpp"
#include "regrove/pipeline/output_file.hpp"

namespace regrove::jobs {

class RebornOutputs {
  public:
    void list_options(OptionTable& table);
    /// Fills in the names beside the output. Throws UsageError. `with_data`: rows are given to prune to.
    void check(bool with_data);
    bool any_given() const { return !output_.empty() || !certificate_.empty() || !pruned_.empty(); }

    /// Refuses existing files; a run that goes on from a checkpoint replaces its own. Collective; errors are agreed.
    void open(pipeline::JobContext& context, bool resumed, bornagain::Objective objective);

    // These are of the root; others' calls do nothing.
    /// The certificate of bounds without a tree. Where a tree of a former run stays, so does its certificate, and the
    /// answer is false; as it is when no certificate was asked for.
    bool write_bounds(const std::string& text);
    void write_tree(const std::string& text) { commit(tree_file_.get(), text); }
    void write_certificate(const std::string& text) { commit(certificate_file_.get(), text); }
    void write_pruned(const std::string& text) { commit(pruned_file_.get(), text); }
    /// Tells the summary of tree and certificate, or of the pruned tree.
    void note_tree(pipeline::Summary& summary) const;
    void note_certificate(pipeline::Summary& summary) const;
    void note_pruned(pipeline::Summary& summary) const;

  private:
    static void commit(pipeline::OutputFile* file, const std::string& text);

    std::string output_;
    std::string certificate_;
    std::string pruned_;
    std::unique_ptr<pipeline::OutputFile> tree_file_;
    std::unique_ptr<pipeline::OutputFile> certificate_file_;
    std::unique_ptr<pipeline::OutputFile> pruned_file_;
};

}  // namespace regrove::jobs
