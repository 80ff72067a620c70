// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.cover;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.KeyWork;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.MarkedBytes;
import org.hcaactors.lab.pair.Transport;

/** The change of a key by a request, and what a peer can do with the key afterwards. */
final class ChangedKey {
    private static final AccessFlags REMOTE = AccessFlags.LOCAL_AND_REMOTE;
    private static final int MARK = 3;

    private final CombinedRun run;
    private final Case facts;
    private Optional<MemoryWindow> window = Optional.empty();
    private Optional<IndirectKey> key = Optional.empty();

    ChangedKey(CombinedRun run) {
        this.run = run;
        facts = run.facts;
    }

    void prepare() {
        switch (facts.verb()) {
            case BIND_1 -> window = Optional.of(allocated(run.near, WindowType.TYPE_1));
            case BIND_2 -> window = Optional.of(allocated(run.near, WindowType.TYPE_2));
            case INVALIDATE_WINDOW -> {
                window = Optional.of(allocated(run.near, WindowType.TYPE_2));
                new BoundEnd(run.world, run.asks).carriesOut(bind(window.get(), run.from, facts.bytes()));
            }
            case INVALIDATE_KEY, FILL -> key = Optional.of(created(run.near, IndirectKeyDescription.of(1)));
            case SEND_INV -> prepareThere();
            default -> {}
        }
    }

    private void prepareThere() {
        if (facts.transport() == Transport.RC && facts.profile().windows().type2B()) {
            window = Optional.of(allocated(run.far, WindowType.TYPE_2));
            KeyedMemory behind = run.far.mapped(memory -> memory);
            new BoundEnd(run.world, run.asked).carriesOut(bind(window.get(), behind, KeyedMemory.BYTES));
        } else if (facts.profile().indirectKeys().isSupported()) {
            key = Optional.of(created(run.far, IndirectKeyDescription.of(1).withRemoteInvalidation()));
        }
    }

    private static MemoryWindow allocated(MemoryHost host, WindowType type) {
        return host.await(host.domain.allocateWindow(type));
    }

    private static IndirectKey created(MemoryHost host, IndirectKeyDescription requested) {
        return host.await(host.domain.createIndirectKey(requested));
    }

    private static BindWindow bind(MemoryWindow window, KeyedMemory behind, int bytes) {
        return BindWindow.of(
                1,
                window,
                WindowBinding.of(behind.region().orElseThrow(), behind.first(), bytes)
                        .withAccess(REMOTE));
    }

    /** Returns the peer's key that a SEND invalidates; 0 if it is refused before the key is used. */
    int invalidated() {
        return window.map(MemoryWindow::rkey)
                .or(() -> key.map(IndirectKey::rkey))
                .orElse(0);
    }

    KeyWork request() {
        return switch (facts.verb()) {
            case BIND_1, BIND_2 -> bind(window.orElseThrow(), run.from, facts.bytes());
            case INVALIDATE_WINDOW -> LocalInvalidate.of(1, window.orElseThrow().rkey());
            case INVALIDATE_KEY -> LocalInvalidate.of(1, key.orElseThrow().lkey());
            default ->
                FillKey.of(1, key.orElseThrow(), KeyLayout.list(run.from.slice(0, facts.bytes())))
                        .withAccess(REMOTE);
        };
    }

    /** Checks a WRITE of the peer through the key. */
    void check() {
        int bytes = (int) Math.min(facts.bytes(), facts.profile().port().maxMessageBytes());
        if (bytes == 0) {
            return;
        }
        KeyedMemory source = run.far.mapped(memory -> memory);
        byte[] data = MarkedBytes.of(MARK, bytes);
        source.write(0, data);
        RemoteAddress there = window.map(shown -> shown.remote(run.from.first()))
                .orElseGet(() -> key.orElseThrow().remote(0));
        WorkCompletion done = run.world.await(run.asked.submit(RdmaWrite.of(9, source.slice(0, bytes), there)));
        if (!facts.isCalm() && (done.status() == Status.RETRY_EXC_ERR || !facts.isReliable())) {
            return;
        }
        Status requested = OutcomeRules.ofUse(facts);
        assertThat(done.status())
                .as("a peer's WRITE under the key")
                .isEqualTo(facts.isReliable() ? requested : Status.SUCCESS);
        if (requested == Status.SUCCESS) {
            run.world.runFor(Duration.ofMillis(10));
            run.from.read(0, bytes).ifPresent(written -> assertThat(written).isEqualTo(data));
        }
    }
}
