package dev.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.redis.connection.RedisAddress.Host;
import dev.holdfast.redis.script.LockKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisAddressTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            redis://localhost                                   | redis://localhost:6379
            REDIS://localhost/                                  | redis://localhost:6379
            redis://localhost:7000/3                            | redis://localhost:7000/3
            redis://10.0.0.1:7000                               | redis://10.0.0.1:7000
            redis://[::1]                                       | redis://[::1]:6379
            redis://[fe80::1%eth0]:7000/1                       | redis://[fe80::1%eth0]:7000/1
            rediss://redis.example.com                          | rediss://redis.example.com:6379
            redis://:secret@localhost                           | redis://localhost:6379
            redis://user:secret@localhost/1                     | redis://localhost:6379/1
            redis-socket:///run/redis.sock                      | redis-socket:///run/redis.sock
            redis-socket:///run/redis.sock?database=2           | redis-socket:///run/redis.sock?database=2
            redis-sentinel://a,b:1,[::1]/2?master=main          | redis-sentinel://a:26379,b:1,[::1]:26379/2?master=main
            rediss-sentinel://a,b:1/2?master=main               | rediss-sentinel://a:26379,b:1/2?master=main
            rediss-cluster://u:p@a,b:1                          | rediss-cluster://a:6379,b:1
            redis-cluster://:secret@a,b:7000                    | redis-cluster://a:6379,b:7000
            """)
    void goodOnes(String uri, String name) {
        assertThat(RedisAddressParser.parse(uri).name()).isEqualTo(name);
    }

    @Test
    void credentialsAreDecodedAndNotShown() {
        RedisAddress address = RedisAddressParser.parse("redis://us%65r:p%40ss%2Fw%C3%B6rd:x@[::1]:1234/5");
        assertThat(address.credentials().username()).isEqualTo("user");
        assertThat(address.credentials().password()).isEqualTo("p@ss/wörd:x");
        assertThat(address.place().hosts()).containsExactly(new Host("::1", 1234));
        assertThat(address.database()).isEqualTo(5);
        assertThat(address.toString()).doesNotContain("rd:x").doesNotContain("user");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``                                       | begin with redis://
            localhost                                | begin with redis://
            http://localhost                         | begin with redis://
            redis:/localhost                         | begin with redis://
            redis://                                 | the host is missing
            redis://:6379                            | the host is missing
            redis://a,b                              | names 2 servers
            redis://a,                               | the host is missing
            redis://a:0                              | from 1 to 65535
            redis://a:65536                          | from 1 to 65535
            redis://a:-1                             | from 1 to 65535
            redis://a:                               | from 1 to 65535
            redis://a:99999999999                    | from 1 to 65535
            redis://a/x                              | from 0 to 65535
            redis://a/1/2                            | from 0 to 65535
            redis://a/-1                             | from 0 to 65535
            redis://::1                              | in brackets
            redis://[::1                             | in brackets
            redis://[::1]x                           | in brackets
            redis://a b                              | is not a host
            redis://a?timeout=5s                     | none is allowed
            redis://a#b                              | no meaning
            redis-socket://run/redis.sock            | absolute path
            redis-socket:///run/redis.sock?db=1      | allowed: database
            redis-sentinel://a,b                     | ?master=name
            rediss-socket:///run/redis.sock          | begin with redis://
            redisss://a                              | begin with redis://
            redis-sentinel://a?master=               | given once
            redis-sentinel://a?master=x&master=y     | given once
            redis-sentinel://a?name=x                | allowed: master
            redis-cluster://a/1                      | no database 1
            redis://user:p%4@a                       | two hex digits
            redis://user:p%ff@a                      | UTF-8
            """)
    void badOnes(String uri, String why) {
        assertThatThrownBy(() -> RedisAddressParser.parse(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://hunter2@localhost",
                "redis://user:@hunter2@localhost:x",
                "redis://user:hunter2#@localhost",
                "redis://user:hunter2@localhost:0",
                "redis://user:hunter2?x@localhost",
                "redis://user:hunter2/x@localhost",
                "redis://:hunter2@",
                "redis://hunter2:@localhost",
                "hunter2@localhost",
                "redis://user:hunter2%@localhost",
            })
    void noSecretIsShown(String uri) {
        assertThatThrownBy(() -> RedisAddressParser.parse(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void keysOfALockShareItsHashSlot() {
        assertThat(LockKeys.of("lock:a")).startsWith("lock:a", "{lock:a}:holdfast:fence", "{lock:a}:holdfast:queue");
        assertThat(LockKeys.of("lock:{a}b")).startsWith("lock:{a}b", "{a}:holdfast:fence:lock:{a}b");
        for (String lock : new String[] {"lock:a", "lock:{a}b", "x\ny", "lock:{a}:b"}) {
            String[] keys = LockKeys.of(lock);
            int slot = io.lettuce.core.cluster.SlotHash.getSlot(lock);
            assertThat(keys).hasSize(12).allMatch(key -> io.lettuce.core.cluster.SlotHash.getSlot(key) == slot);
            assertThat(LockKeys.lockInUse(keys[0])).contains(lock);
            assertThat(LockKeys.lockInUse(keys[2])).contains(lock);
            assertThat(LockKeys.lockInUse(keys[1])).isEmpty();
        }
    }
}
