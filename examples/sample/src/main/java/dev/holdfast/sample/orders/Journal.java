package dev.holdfast.sample.orders;

import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The record of every deed, with its instance and its token: a line in the same transaction as the deed. It has no
 * unique key, on purpose: a deed done twice has two lines, and {@link #twice} finds them.
 */
@Repository
public class Journal {

    private static final int LATEST = 12;

    private final JdbcClient sql;
    private final String instance;
    private final int nightlySeconds;

    Journal(
            JdbcTemplate jdbc,
            @Value("${sample.instance}") String instance,
            @Value("${sample.nightly-seconds}") int nightlySeconds) {
        this.sql = JdbcClient.create(jdbc);
        this.instance = instance;
        this.nightlySeconds = nightlySeconds;
    }

    /** Returns the name of this instance. */
    public String instance() {
        return instance;
    }

    /** Writes one line; the token is 0 if the deed has none. */
    public void write(String deed, Object subject, long token) {
        sql.sql("INSERT INTO journal (instance, deed, subject, token) VALUES (?, ?, ?, ?)")
                .params(instance, deed, subject.toString(), token)
                .update();
    }

    /** Returns whether any instance has done this deed for this subject. */
    public boolean has(String deed, String subject) {
        return sql.sql("SELECT EXISTS (SELECT FROM journal WHERE deed = ? AND subject = ?)")
                .params(deed, subject)
                .query(Boolean.class)
                .single();
    }

    /** Returns the number of the night by the database's clock; a scheduler may be a little early. */
    public String night() {
        return sql.sql("SELECT floor((extract(epoch FROM clock_timestamp()) + 0.1) / ?)::text")
                .param(nightlySeconds)
                .query(String.class)
                .single();
    }

    /** Returns how many subjects had a deed more than once, by deed. Reports do not count, since they repeat. */
    public Map<String, ?> twice() {
        return sql.sql("""
                        SELECT count(*) FILTER (WHERE deed = 'shipped') AS shipped,
                               count(*) FILTER (WHERE deed = 'payment') AS payment,
                               count(*) FILTER (WHERE deed = 'nightly') AS nightly
                        FROM (SELECT deed FROM journal WHERE deed IN ('shipped', 'payment', 'nightly')
                              GROUP BY deed, subject HAVING count(*) > 1) AS twice""").query().singleRow();
    }

    /** Returns how often each instance did each deed. */
    public List<? extends Map<String, ?>> deeds() {
        return sql.sql("""
                        SELECT instance,
                               count(*) FILTER (WHERE deed = 'placed') AS placed,
                               count(*) FILTER (WHERE deed = 'payment') AS payment,
                               count(*) FILTER (WHERE deed = 'shipped') AS shipped,
                               count(*) FILTER (WHERE deed = 'nightly') AS nightly,
                               count(*) FILTER (WHERE deed = 'report') AS report
                        FROM journal GROUP BY instance ORDER BY instance""").query().listOfRows();
    }

    /** Returns the last lines, the newest first. */
    public List<? extends Map<String, ?>> latest() {
        return sql.sql("""
                        SELECT to_char(at, 'HH24:MI:SS.MS') AS at, instance, deed, subject, token
                        FROM journal ORDER BY id DESC LIMIT ?""").param(LATEST).query().listOfRows();
    }

    /** Returns how many orders there are in each state. */
    public Map<String, ?> orders() {
        return sql.sql("""
                        SELECT count(*) FILTER (WHERE state = 'NEW') AS new,
                               count(*) FILTER (WHERE state = 'PAID') AS paid,
                               count(*) FILTER (WHERE state = 'SHIPPED') AS shipped
                        FROM orders""").query().singleRow();
    }
}
