package dev.holdfast.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

class FailureTest {

    private static Failure of(IOException cause) {
        String words = "An I/O error occurred while sending to the backend.";
        return Failure.of(new PSQLException(words, PSQLState.CONNECTION_FAILURE, cause));
    }

    @Test
    void aServerThatDoesNotAnswerARequestIsReportedAsSuch() {
        assertThat(of(new SocketTimeoutException("Read timed out")).reason()).isEqualTo("no answer in time");
        assertThat(of(new EOFException()).reason()).isEqualTo("the connection was closed");
    }
}
