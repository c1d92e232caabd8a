package dev.holdfast.sample.orders;

import dev.holdfast.Holdfast;
import dev.holdfast.lock.HoldfastException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The summary for the page at {@code /}. */
@RestController
class SummaryController {

    private final Holdfast holdfast;
    private final Journal journal;

    SummaryController(Holdfast holdfast, Journal journal) {
        this.holdfast = holdfast;
        this.journal = journal;
    }

    @GetMapping("/summary")
    Map<String, Object> summary() throws InterruptedException {
        Map<String, Object> summary = new LinkedHashMap<>();
        summary.put("instance", journal.instance());
        summary.put("leader", leader());
        summary.put("orders", journal.orders());
        summary.put("twice", journal.twice());
        summary.put("instances", journal.deeds());
        summary.put("latest", journal.latest());
        return summary;
    }

    /** Returns the leader that the lock nodes report, not the one that this instance remembers. */
    private Map<String, Object> leader() throws InterruptedException {
        try {
            return holdfast.election("report")
                    .leader()
                    .map(leader -> Map.<String, Object>of(
                            "name", leader.candidateName(),
                            "term", leader.term(),
                            "since", leader.since()))
                    .orElse(Map.of());
        } catch (HoldfastException e) {
            return Map.of("unknown", String.valueOf(e.getMessage()));
        }
    }
}
