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

/**
 * Creations concurrent with closing their domain and their context: a creation that has begun is waited for, and its domain
 * stays open.
 */
@Tag("judge")
public class OpenObjectsThreadsTest {
    private static final int DOMAIN = 1;

    /** Handles are equal by identity. */
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

    /** Every creation is recorded before the context is checked. */
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
            // The object stays open.
        }
    }

    @Operation(runOnce = true)
    public void closeContext() {
        if (open.close()) {
            open.noneInProgress().thenRun(() -> {
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
    void aClosingContextWaitsForCreationsInProgress() {
        Interleavings.of(OpenObjectsThreadsTest.class)
                .thread("create", "create")
                .thread("closeContext")
                .inAnyOrder();
    }

    @Test
    void aDomainIsClosedOnlyWhileItHasNoObjects() {
        Interleavings.of(OpenObjectsThreadsTest.class)
                .thread("create")
                .thread("closeDomain")
                .inAnyOrder();
    }
}
