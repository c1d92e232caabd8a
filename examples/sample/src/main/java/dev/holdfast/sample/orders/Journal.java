package dev.holdfast.sample.orders;

import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Who did what, under which token: a line in the same transaction as the deed. Without any unique key, on purpose: what is done twice stands here
 * twice, and {@link #twice} finds it.
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

    /** The name of this instance. */
    public String instance() {
        return instance;
    }

    /** One line; the token is 0 where there is none. */
    public void write(String deed, Object subject, long token) {
        sql.sql("INSERT INTO journal (instance, deed, subject, token) VALUES (?, ?, ?, ?)")
                .params(instance, deed, subject.toString(), token)
                .update();
    }

    /** Whether somebody did that. */
    public boolean has(String deed, String subject) {
        return sql.sql("SELECT EXISTS (SELECT FROM journal WHERE deed = ? AND subject = ?)")
                .params(deed, subject)
                .query(Boolean.class)
                .single();
    }

    /** Which night it is, by the database's clock; a scheduler may be a little early. */
    public String night() {
        return sql.sql("SELECT floor((extract(epoch FROM clock_timestamp()) + 0.1) / ?)::text")
                .param(nightlySeconds)
                .query(String.class)
                .single();
    }

    /** How many things were done more than once, by deed. Reports are, as they should. */
    public Map<String, Object> twice() {
        return sql.sql("""
                        SELECT count(*) FILTER (WHERE deed = 'shipped') AS shipped,
                               count(*) FILTER (WHERE deed = 'payment') AS payment,
                               count(*) FILTER (WHERE deed = 'nightly') AS nightly
                        FROM (SELECT deed FROM journal WHERE deed IN ('shipped', 'payment', 'nightly')
                              GROUP BY deed, subject HAVING count(*) > 1) AS twice""").query().singleRow();
    }

    /** How often each instance did what. */
    public List<Map<String, Object>> deeds() {
        return sql.sql("""
                        SELECT instance,
                               count(*) FILTER (WHERE deed = 'placed') AS placed,
                               count(*) FILTER (WHERE deed = 'payment') AS payment,
                               count(*) FILTER (WHERE deed = 'shipped') AS shipped,
                               count(*) FILTER (WHERE deed = 'nightly') AS nightly,
                               count(*) FILTER (WHERE deed = 'report') AS report
                        FROM journal GROUP BY instance ORDER BY instance""").query().listOfRows();
    }

    /** The last lines, the newest first. */
    public List<Map<String, Object>> latest() {
        return sql.sql("""
                        SELECT to_char(at, 'HH24:MI:SS.MS') AS at, instance, deed, subject, token
                        FROM journal ORDER BY id DESC LIMIT ?""").param(LATEST).query().listOfRows();
    }

    /** How many orders there are in each state. */
    public Map<String, Object> orders() {
        return sql.sql("""
                        SELECT count(*) FILTER (WHERE state = 'NEW') AS new,
                               count(*) FILTER (WHERE state = 'PAID') AS paid,
                               count(*) FILTER (WHERE state = 'SHIPPED') AS shipped
                        FROM orders""").query().singleRow();
    }
}
