package dev.holdfast.redis.script;

import java.util.List;

/** All mutants of the scripts: what PROTOCOL §3 says, said otherwise. */
final class LuaMutants {

    private static final String ALONE = "acquire-alone.lua";
    private static final String BASICS = "basics.lua";
    private static final String CONTENDED = "acquire-contended.lua";
    private static final String EXTEND = "extend.lua";
    private static final String FREE = "acquire-free.lua";
    private static final String QUEUE = "acquire-queue.lua";
    private static final String RECORD = "record.lua";
    private static final String RELEASE = "release.lua";
    private static final String RELEASE_ALONE = "release-alone.lua";
    private static final String RELEASE_CONTENDED = "release-contended.lua";
    private static final String RELEASE_NEXT = "release-next.lua";

    private LuaMutants() {}

    static List<LuaMutant> all() {
        return List.of(
                LuaMutant.of(
                        "release does not compare the owner",
                        RELEASE,
                        "local had_vote = holder == ARGV[1]",
                        "local had_vote = type(holder) == 'string'"),
                LuaMutant.of(
                        "release of an uncontended lock does not compare the owner",
                        RELEASE_ALONE,
                        "redis.pcall('GET', KEYS[1]) == ARGV[1]",
                        "redis.call('EXISTS', KEYS[1]) == 1"),
                LuaMutant.of(
                        "release leaves the waiter in the queue",
                        RELEASE_CONTENDED,
                        "if redis.call('ZSCORE', QUEUE, owner) then",
                        "if false then"),
                LuaMutant.of("no bury", RELEASE_CONTENDED, "if bury > 0 and", "if bury > 9e15 and"),
                LuaMutant.of(
                        "a buried owner is granted a vote",
                        CONTENDED,
                        "if redis.call('ZSCORE', BURIED, owner) then",
                        "if false then"),
                LuaMutant.of(
                        "a buried owner is granted a free lock",
                        "acquire.lua",
                        "and not redis.call('ZSCORE', KEYS[5], ARGV[1]) then",
                        "then"),
                LuaMutant.of(
                        "an extension does not raise the fence",
                        CONTENDED,
                        "vote.fence = math.max(vote.fence, floor)",
                        "floor = 0"),
                LuaMutant.of(
                        "an extension shortens a vote",
                        CONTENDED,
                        "if vote.remaining >= 0 and vote.remaining < ttl then",
                        "if true then"),
                LuaMutant.of(
                        "an extension of many does not compare the owner",
                        EXTEND,
                        "redis.pcall('GET', lock) == owner then",
                        "redis.call('EXISTS', lock) == 1 then"),
                LuaMutant.of(
                        "an extension of many does not compare the fence",
                        EXTEND,
                        "if fence >= tonumber(floor) and",
                        "if fence >= 0 and"),
                LuaMutant.of(
                        "promotion begins with the latest waiter",
                        RECORD,
                        "local owner = redis.call('ZRANGE', QUEUE, 0, 0)[1]",
                        "local owner = redis.call('ZREVRANGE', QUEUE, 0, 0)[1]"),
                LuaMutant.of(
                        "release promotes the latest waiter",
                        RELEASE_NEXT,
                        "local line = redis.call('ZRANGE', KEYS[3], 0, 2)",
                        "local line = redis.call('ZREVRANGE', KEYS[3], 0, 2)"),
                LuaMutant.of(
                        "promotion grants the whole ttl at once",
                        RECORD,
                        "math.min(tonumber(ttl), tonumber(waiter_ttl))",
                        "tonumber(ttl)"),
                LuaMutant.of(
                        "release promotes a waiter for the whole ttl",
                        RELEASE_NEXT,
                        "text(math.min(tonumber(ttl), tonumber(waiter_ttl)))",
                        "ttl"),
                LuaMutant.of(
                        "promotion ignores conflicts", RECORD, "    elseif blocked(mode) then\n      return\n", ""),
                LuaMutant.of(
                        "a newcomer passes the queue", CONTENDED, "(mode == 'NL' or not has_waiter_before())", "true"),
                LuaMutant.of("expired shared votes stay", RECORD, "if mode and expiry > now and", "if mode and"),
                LuaMutant.of(
                        "expired waiters stay",
                        RECORD,
                        "in_chunks(redis.call('ZRANGEBYSCORE', EXPIRIES, '-inf', text(now)), drop_waiters)",
                        ""),
                LuaMutant.of(
                        "the marker ends before the shared votes",
                        CONTENDED,
                        "redis.call('PEXPIREAT', LOCK, text(vote.expiry))",
                        ""),
                LuaMutant.of(
                        "the marker is not written",
                        RECORD,
                        "redis.call('SET', LOCK, MARKER, 'PX',",
                        "redis.call('ECHO', MARKER) return --"),
                LuaMutant.of("two modes are taken for compatible", RECORD, "PR = 'CW PW EX'", "PR = 'PW EX'"),
                LuaMutant.of("a seal is not looked at", CONTENDED, "if seal then", "if false then"),
                LuaMutant.of(
                        "a sealed lock is granted to a waiter",
                        RECORD,
                        "while redis.call('EXISTS', SEAL) == 0 do",
                        "while true do"),
                LuaMutant.of(
                        "a later seal replaces the first",
                        RELEASE_CONTENDED,
                        "if remaining == -2 then",
                        "if true then"),
                LuaMutant.of(
                        "a later seal does not make it last longer",
                        RELEASE_CONTENDED,
                        "elseif seal > remaining and remaining ~= -1 then",
                        "elseif false then"),
                LuaMutant.of(
                        "an older value replaces a later one",
                        RECORD,
                        "return not old or token > old.token or (token == old.token and number > old.number)",
                        "return true"),
                LuaMutant.of(
                        "a push tells no value",
                        RECORD,
                        "  if value then\n    lines[1]",
                        "  if false then\n    lines[1]"),
                LuaMutant.of(
                        "heal despite a higher fence", CONTENDED, " and not (stored and tonumber(stored) > floor)", ""),
                LuaMutant.of("heal despite waiters", CONTENDED, " and not has_other_waiters()", ""),
                LuaMutant.of(
                        "a raise makes a vote anew",
                        CONTENDED,
                        "if heal and not blocked(mode)",
                        "if not blocked(mode)"),
                LuaMutant.of(
                        "the base of the run is ignored",
                        RECORD,
                        "return math.max(remembered_fence(), base)",
                        "return remembered_fence()"),
                LuaMutant.of(
                        "the base of the run is ignored where the lock is free",
                        FREE,
                        "if fence < base then",
                        "if fence == 0 then"),
                LuaMutant.of(
                        "the base of the run is ignored where a waiter is next",
                        RELEASE_NEXT,
                        "text(math.max(remembered, base_now(ARGV[3])) + tonumber(tokens))",
                        "text(remembered + tonumber(tokens))"),
                LuaMutant.of(
                        "a base in the future is believed",
                        BASICS,
                        "return math.min(tonumber(given), ",
                        "return math.min(tonumber(given), 2^60 + "),
                LuaMutant.of(
                        "a base in the future is believed where the lock is free",
                        FREE,
                        "base = math.min(base, ",
                        "base = math.min(base, 2^60 + "),
                LuaMutant.of("an absent fence starts from 0", FREE, "fence == 0 and seconds or 0)", "0)"),
                LuaMutant.of("each vote takes one token", RECORD, "fence_now() + tokens", "fence_now() + 1"),
                LuaMutant.of(
                        "a later holder is not notified",
                        CONTENDED,
                        "if is_before(attempt, client, vote.attempt, vote.client) or",
                        "if"),
                LuaMutant.of(
                        "a waiter does not notify a later holder",
                        QUEUE,
                        "if held_since and held_since < attempt",
                        "if held_since"),
                LuaMutant.of(
                        "the ttl of the first waiter is not remembered",
                        CONTENDED,
                        "  remember_ttl(queue_retention())\n",
                        ""),
                LuaMutant.of("the ttl of a later waiter is not remembered", QUEUE, "(longest > ttl or", "(true or"),
                LuaMutant.of(
                        "a waiter is queued for less than it asked",
                        QUEUE,
                        "now + tonumber(ARGV[5]), redis",
                        "now + tonumber(ARGV[5]) / 2, redis"),
                LuaMutant.of(
                        "an uncontended lock is granted despite its holder",
                        FREE,
                        "ARGV[1], 'NX', 'PX'",
                        "ARGV[1], 'PX'"),
                LuaMutant.of(
                        "an uncontended lock is granted despite waiters", ALONE, "if kept[3] then", "if false then"),
                LuaMutant.of(
                        "the key of the others ends before them",
                        "basics.lua",
                        "local needed, left = millis + 1000,",
                        "local needed, left = millis / 2,"));
    }

    /** The mutants that keep the right state, and cost more with more readers. */
    static List<LuaMutant> costly() {
        return List.of(
                LuaMutant.of(
                        "each reader is read",
                        RECORD,
                        "local fields, members = redis.call('HLEN', SHARED), redis.call('ZCARD', INDEX)",
                        "for member in pairs(redis.call('ZRANGE', INDEX, 0, -1)) do redis.call('HGET', SHARED, member) end\n"
                                + "local fields, members = redis.call('HLEN', SHARED), redis.call('ZCARD', INDEX)"),
                LuaMutant.of(
                        "the index of the readers is made again in each script",
                        RECORD,
                        "redis.call('HEXISTS', SHARED, INDEXED) == 0 then",
                        "true then"),
                LuaMutant.of(
                        "a waiter notifies every reader", RECORD, "local MOST_TOLD = 100", "local MOST_TOLD = 5000"));
    }
}
