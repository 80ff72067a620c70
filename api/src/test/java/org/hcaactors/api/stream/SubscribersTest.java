// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.hcaactors.api.error.VerbsException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The error that ends a stream is never lost, unless the subscriber ignores it explicitly. */
class SubscribersTest {
    private static final VerbsException WHY = VerbsException.invalid("the queue overflowed");

    private final Logger logger = Logger.getLogger("org.hcaactors.api.stream");
    private final List<LogRecord> logged = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            logged.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void listenNoMore() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
    }

    @Test
    void anErrorWithoutAHandlerIsLogged() {
        Subscribers.forEach(element -> {}).onError(WHY);
        assertThat(logged).extracting(LogRecord::getLevel).containsExactly(Level.SEVERE);
        assertThat(logged).extracting(LogRecord::getThrown).containsExactly(WHY);
    }

    /** Counts the requested elements. */
    private static final class Source implements Flow.Subscription {
        long requested;
        boolean cancelled;

        @Override
        public void request(long count) {
            requested += count;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }

    private static final RuntimeException BUG = new IllegalStateException("a bug of the program");

    private static void throwBug(String element) {
        throw BUG;
    }

    @Test
    void anExceptionOfAnActionEndsTheStreamAndIsLogged() {
        Source source = new Source();
        Flow.Subscriber<String> subscriber = Subscribers.forEach(SubscribersTest::throwBug);
        subscriber.onSubscribe(source);
        assertThatThrownBy(() -> subscriber.onNext("one")).isSameAs(BUG);
        assertThat(source.cancelled).isTrue();
        assertThat(logged).extracting(LogRecord::getThrown).containsExactly(BUG);
    }

    @Test
    void anExceptionOfAnActionIsPassedToTheHandlerOnce() {
        List<Throwable> handled = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        Flow.Subscriber<String> subscriber = Subscribers.forEach(
                element -> {
                    seen.add(element);
                    throw BUG;
                },
                handled::add);
        subscriber.onSubscribe(new Source());
        assertThatThrownBy(() -> subscriber.onNext("one")).isSameAs(BUG);
        subscriber.onNext("two");
        subscriber.onError(WHY);
        assertThat(handled).containsExactly(BUG);
        assertThat(seen).containsExactly("one");
        assertThat(logged).isEmpty();
    }

    @Test
    void anErrorThatIsHandledIsNotLogged() {
        List<Throwable> handled = new ArrayList<>();
        Flow.Subscriber<String> subscriber = Subscribers.forEach(element -> {}, handled::add);
        subscriber.onError(WHY);
        assertThat(handled).containsExactly(WHY);
        assertThat(logged).isEmpty();
    }
}
