// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionException;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.junit.jupiter.api.Test;

class ErrnosTest {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(said, true, StandardCharsets.UTF_8);

    private String said() {
        return said.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aRefusalIsItsErrnoAndSaysNothing() {
        Errnos errnos = new Errnos(err, false);

        assertThat(errnos.of(new VerbsException(Errno.EBUSY, "in use"))).isEqualTo(16);
        assertThat(errnos.of(new CompletionException(new VerbsException(Errno.EIO, "crashed"))))
                .isEqualTo(5);
        assertThat(said()).isEmpty();
    }

    @Test
    void aNumberThatTheApiRefusesIsInvalid() {
        assertThat(new Errnos(err, false).of(new IllegalArgumentException("the length is -1")))
                .isEqualTo(22);
        assertThat(said()).isEmpty();
    }

    @Test
    void whatIsNoRefusalIsEioWithOneLine() {
        assertThat(new Errnos(err, false).of(new IllegalStateException("lost"))).isEqualTo(5);
        assertThat(said())
                .startsWith("hca-verbs: EIO: java.lang.IllegalStateException: lost at ")
                .hasLineCount(1);
    }

    @Test
    void refusalsAreExplainedOnRequest() {
        new Errnos(err, true).of(new VerbsException(Errno.EBUSY, "in use"));

        assertThat(said()).isEqualToIgnoringNewLines("hca-verbs: EBUSY: in use");
    }
}
