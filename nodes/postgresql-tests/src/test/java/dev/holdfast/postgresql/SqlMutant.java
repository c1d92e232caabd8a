package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A mistake in the functions that the comparison with {@link dev.holdfast.node.LockTable} must notice.
 *
 * @param name what is wrong
 * @param from a text that the schema has exactly once, apart from functions that it replaces later
 * @param to the text in its place
 */
record SqlMutant(String name, String from, String to) {

    /** A definition of a function that a later step replaces. */
    private static final Pattern REPLACED = Pattern.compile(
            "(?s)\\nCREATE (?:OR REPLACE )?FUNCTION (holdfast\\.\\w+\\([^$]*?)\\$\\$.*?\\$\\$;(?=.*\\nCREATE OR REPLACE FUNCTION \\1\\$\\$)");

    /** Returns the schema with this mistake, also in functions that it replaces later. */
    String applied(String schema) {
        assertThat(REPLACED.matcher(schema).replaceAll("").split(Pattern.quote(from), -1))
                .as("mutant '%s' no longer fits the schema, which must have once: %s", name, from)
                .hasSize(2);
        return schema.replace(from, to);
    }

    @Override
    public String toString() {
        return name;
    }

    static List<SqlMutant> all() {
        return List.of(
                new SqlMutant("release keeps no tombstone", "  IF p_bury > 0 THEN", "  IF false THEN"),
                new SqlMutant(
                        "a tombstone does not deny",
                        "IF EXISTS (SELECT FROM holdfast.tombstone t WHERE t.resource = p_resource AND t.owner = p_owner) THEN",
                        "IF false THEN"),
                new SqlMutant(
                        "an extension shortens a vote",
                        "SET expiry = greatest(x.expiry, p_now + p_ttl)",
                        "SET expiry = p_now + p_ttl"),
                new SqlMutant("a raise leaves the vote", "      v.fence := p_floor;\n", ""),
                new SqlMutant(
                        "a raise leaves the node's fence",
                        "      r.fence := greatest(holdfast.remembered(r.fence, p_now), p_floor);\n    END IF;\n    UPDATE",
                        "    END IF;\n    UPDATE"),
                new SqlMutant("a raise creates a vote", "IF p_heal AND NOT blocked", "IF NOT blocked"),
                new SqlMutant(
                        "a vote heals below the fence", "AND NOT blocked AND r.fence <= p_floor", "AND NOT blocked"),
                new SqlMutant(
                        "a vote heals before waiters",
                        "x.resource = p_resource AND x.owner <> p_owner) THEN",
                        "false) THEN"),
                new SqlMutant("a vote heals beside a conflict", "IF p_heal AND NOT blocked", "IF p_heal"),
                new SqlMutant("a request overtakes the queue", ">= (ticket, client", ">= (0, client"),
                new SqlMutant("NL waits behind the queue", "(p_mode = 0 OR w.owner IS NULL", "(w.owner IS NULL"),
                new SqlMutant(
                        "a grant takes one token",
                        "holdfast.next_fence(r.fence, p_now, p_base) + p_tokens",
                        "holdfast.next_fence(r.fence, p_now, p_base) + 1"),
                new SqlMutant("an absent fence starts at 0", "ELSE p_now / 1000 << 20 END", "ELSE 0 END"),
                new SqlMutant(
                        "no base of the run",
                        "greatest(holdfast.remembered(p_fence, p_now), least(p_base, holdfast.fence_of_run(p_now)))",
                        "holdfast.remembered(p_fence, p_now)"),
                new SqlMutant("a base in the future counts", "least(p_base, holdfast.fence_of_run(p_now))", "p_base"),
                new SqlMutant(
                        "a fence lasts as long as its vote",
                        "    r.fence_expiry := p_now + p_retention;\n  END IF;\n  INSERT",
                        "    r.fence_expiry := p_now + p_ttl;\n  END IF;\n  INSERT"),
                new SqlMutant(
                        "an older value replaces a later one",
                        "p_token = r.value_token AND p_number > r.value_number",
                        "p_token = r.value_token"),
                new SqlMutant(
                        "a shared holder writes a value",
                        "AND v.mode IN (4, 5) THEN\n      r := holdfast.write_value",
                        "THEN\n      r := holdfast.write_value"),
                new SqlMutant(
                        "a value outlives the fence",
                        "    r.value_token := NULL;\n    r.value_number := NULL;\n    r.value_text := NULL;\n",
                        ""),
                new SqlMutant(
                        "a seal does not refuse",
                        "  IF r.seal_expiry > 0 THEN\n    answer",
                        "  IF false THEN\n    answer"),
                new SqlMutant(
                        "a seal does not stop promotion",
                        "  IF r.seal_expiry = 0 THEN\n    LOOP",
                        "  IF true THEN\n    LOOP"),
                new SqlMutant(
                        "a later seal replaces the first",
                        "    IF r.seal_expiry = 0 THEN\n      r.sealed_by",
                        "    IF true THEN\n      r.sealed_by"),
                new SqlMutant(
                        "a later seal shortens the first",
                        "greatest(r.seal_expiry, p_now + p_seal_remaining)",
                        "p_now + p_seal_remaining"),
                new SqlMutant("a grant from the queue lasts for the ttl", "least(w.ttl, w.waiter_ttl)", "w.ttl"),
                new SqlMutant(
                        "promotion passes a conflict",
                        "      EXIT WHEN holdfast.is_blocked(r.name, w.owner, w.mode);\n",
                        ""),
                new SqlMutant(
                        "promotion begins at the end",
                        "ORDER BY x.attempt, x.owner LIMIT 1;\n      EXIT WHEN NOT FOUND",
                        "ORDER BY x.attempt DESC, x.owner LIMIT 1;\n      EXIT WHEN NOT FOUND"),
                new SqlMutant("promotion reports no contention", "IF next.attempt IS NOT NULL THEN", "IF false THEN"),
                new SqlMutant(
                        "promotion notifies no owner",
                        "      p_pushes := p_pushes || holdfast.push('G', r, w.owner, given.granted_fence, NULL, NULL);\n",
                        ""),
                new SqlMutant(
                        "a waiter notifies every holder",
                        "OR (SELECT f.attempt FROM holdfast.first_waiter_behind(p_resource, told.mode) f) IS NULL)",
                        "OR true)"),
                new SqlMutant(
                        "a vote lasts through its last millisecond",
                        "x.expiry <= p_now FOR UPDATE",
                        "x.expiry < p_now FOR UPDATE"),
                new SqlMutant(
                        "a waiter lasts through its last millisecond",
                        "w.resource = r.name AND w.expiry <= p_now;",
                        "w.resource = r.name AND w.expiry < p_now;"),
                new SqlMutant(
                        "release leaves the waiter",
                        "x.attempt = split_part(p_owner, '/', 2)::bigint AND x.owner = p_owner;\n  IF p_bury",
                        "false;\n  IF p_bury"),
                new SqlMutant("readers exclude CR", "'{0,32,56,52,60,62}'", "'{0,32,56,54,60,62}'"),
                new SqlMutant("an exclusive vote admits readers", "'{0,32,56,52,60,62}'", "'{0,32,56,52,60,54}'"),
                new SqlMutant(
                        "the ttl of a waiter is not remembered",
                        "IF p_mode > 0 THEN -- its vote may come",
                        "IF false THEN -- its vote may come"),
                new SqlMutant("the longest ttl is the last", "IF r.longest_ttl < p_ttl OR", "IF true OR"),
                new SqlMutant(
                        "the longest ttl is not renewed", "r.longest_ttl_expiry - p_now < p_retention / 2", "false"),
                new SqlMutant(
                        "a position counts those behind",
                        "AND (x.attempt, x.owner) <= (ticket, p_owner COLLATE \"C\")",
                        ""),
                new SqlMutant(
                        "the blocker is the latest",
                        "ORDER BY v.attempt / 8, v.owner LIMIT 1",
                        "ORDER BY v.attempt DESC LIMIT 1"),
                new SqlMutant(
                        "a quiet grant passes a vote",
                        "AND NOT EXISTS (SELECT FROM holdfast.vote v WHERE v.resource = ANY (acquired))",
                        "AND NOT EXISTS (SELECT FROM holdfast.vote v WHERE v.resource = ANY (acquired) AND v.owner = ANY (p_owners))"),
                new SqlMutant(
                        "a quiet grant passes a waiter",
                        "              AND NOT EXISTS (SELECT FROM holdfast.waiter w WHERE w.resource = ANY (acquired))\n",
                        ""),
                new SqlMutant(
                        "a quiet grant passes a tombstone",
                        "              AND NOT EXISTS (SELECT FROM holdfast.tombstone t WHERE t.resource = ANY (acquired))\n",
                        ""),
                new SqlMutant(
                        "a quiet grant passes a seal",
                        "AND x.seal_expiry <= now AND (x.value_token",
                        "AND (x.value_token"),
                new SqlMutant(
                        "a quiet grant keeps an expired value",
                        "AND x.seal_expiry <= now AND (x.value_token IS NULL OR x.fence_expiry > now)\n",
                        "AND x.seal_expiry <= now\n"),
                new SqlMutant("a quiet grant takes one token", "+ p_c[array_position(p_resources, x.name)],", "+ 1,"),
                new SqlMutant(
                        "a quiet grant begins below an expired fence",
                        "CASE WHEN x.fence_expiry > now THEN x.fence ELSE 0 END, now, p_bases",
                        "x.fence, now, p_bases"),
                new SqlMutant(
                        "a quiet grant forgets the longest ttl",
                        "greatest(CASE WHEN x.longest_ttl_expiry > now THEN x.longest_ttl END, p_ttls[array_position(p_resources, x.name)])",
                        "p_ttls[array_position(p_resources, x.name)]"),
                new SqlMutant(
                        "a quiet grant does not renew the longest ttl",
                        "CASE WHEN x.longest_ttl_expiry < now + p_retention / 2 THEN 1 ELSE 0 END",
                        "0"),
                new SqlMutant(
                        "a quiet grant has no ticket",
                        "now + p_ttls[f.i],\n                split_part(p_owners[f.i], '/', 2)::bigint",
                        "now + p_ttls[f.i],\n                0"),
                new SqlMutant(
                        "a quiet release leaves waiters",
                        "                       AND NOT EXISTS (SELECT FROM holdfast.waiter w WHERE w.resource = p_resources[i] OFFSET 0)\n",
                        ""),
                new SqlMutant(
                        "a quiet release of an expired vote",
                        "AND NOT v.released AND v.expiry > now\n",
                        "AND NOT v.released\n"),
                new SqlMutant(
                        "a value comes late with GRANTED",
                        "answer := holdfast.granted(r, p_mode, given.granted_fence, true, p_ttl)",
                        "answer := holdfast.granted(r, p_mode, given.granted_fence, false, p_ttl)"));
    }
}
