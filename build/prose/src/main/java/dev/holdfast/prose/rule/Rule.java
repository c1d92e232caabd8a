package dev.holdfast.prose.rule;

import java.util.List;

/** A rule of style or grammar. */
public interface Rule {

    /** Returns what is wrong with the sentence; empty if it follows the rule. */
    List<Finding> check(Sentence sentence);
}
