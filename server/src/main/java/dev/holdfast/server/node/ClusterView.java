package dev.holdfast.server.node;

import java.util.Map;
import java.util.Optional;

/**
 * A cluster as one of its servers sees it.
 *
 * @param cluster the name of the cluster
 * @param server the name of the server
 * @param leader the name of the server that leads; empty if this server knows of none
 * @param uris the addresses of all servers for clients, by name
 */
public record ClusterView(String cluster, String server, Optional<String> leader, Map<String, String> uris) {}
