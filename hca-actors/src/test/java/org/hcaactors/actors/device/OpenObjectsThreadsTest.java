// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.interleavings.Interleavings;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Creations beside the closing of their domain and of their context: what begins is waited for, and has its domain. */
@Tag("judge")
public class OpenObjectsThreadsTest {
    private static final int DOMAIN = 1;

    /** No two are equal. */
    private static final class Thing implements Handle {
        @Override
        public String describe() {
            return "one of several";
        }

        @Override
        public CompletionStage<Void> closeAsync() {
            return CompletableFuture.completedStage(null);
        }

        @Override
        public void close() {}
    }

    private final OpenObjects open = new OpenObjects("a context");
    private final Handle domain = new Thing();
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger seenAtTheEnd = new AtomicInteger();
    private final AtomicInteger ends = new AtomicInteger();
    private boolean domainClosed;

    public OpenObjectsThreadsTest() {
        open.addDomain(domain, DOMAIN);
    }

    /** Everything that begins is in the books before the context takes stock. */
    @Operation
    public boolean create() {
        try {
            open.begin(DOMAIN);
        } catch (VerbsException closed) {
            return false;
        }
        open.add(new Thing(), ObjectKind.REGION, DOMAIN);
        made.incrementAndGet();
        open.end(DOMAIN);
        return true;
    }

    @Operation(nonParallelGroup = "domain")
    public void closeDomain() {
        try {
            open.removeDomain(domain, DOMAIN);
            domainClosed = true;
        } catch (VerbsException busy) {
            // It stays.
        }
    }

    @Operation(runOnce = true)
    public void closeContext() {
        if (open.close()) {
            open.noneUnderWay().thenRun(() -> {
                ends.incrementAndGet();
                seenAtTheEnd.set(open.of(ObjectKind.REGION).size());
            });
        }
    }

    @Validate
    public void nothingOutlivesItsContextOrItsDomain() {
        closeContext();
        if (ends.get() != 1 || seenAtTheEnd.get() != made.get()) {
            throw new AssertionError(made + " were made, and its end, " + ends + " times, saw " + seenAtTheEnd);
        }
        if (domainClosed && made.get() > 0) {
            throw new AssertionError(made + " were made in a domain that was closed");
        }
    }

    @Test
    void aContextThatClosesWaitsForWhatBegan() {
        Interleavings.of(OpenObjectsThreadsTest.class)
                .thread("create", "create")
                .thread("closeContext")
                .inAnyOrder();
    }

    @Test
    void aDomainIsClosedOnlyWhileNothingIsInIt() {
        Interleavings.of(OpenObjectsThreadsTest.class)
                .thread("create")
                .thread("closeDomain")
                .inAnyOrder();
    }
}
