package dev.holdfast.torture;

import java.util.List;

/** Which faults a run does not have, and why. */
final class NotRun {

    private NotRun() {}

    static List<String> lines() {
        return List.of(
                "Steps of a server's clock.",
                "Loss of single packets (network namespaces with nftables): a stream that breaks after some bytes, or that is cut off one way, stands for it.",
                "Failover to a replica, and eviction: a quorum node has neither; Holdfast refuses the one and warns of the other.");
    }
}
