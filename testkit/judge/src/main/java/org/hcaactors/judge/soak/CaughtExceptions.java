// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.hcaactors.adapter.audit.Audited;
import org.hcaactors.adapter.audit.ResourceAudit;
import org.hcaactors.adapter.audit.VerbOwner;
import org.hcaactors.lab.invariant.ResourceLedger;
import org.jspecify.annotations.Nullable;

// rule completion-subscriber-throws
/** Books that keep one thing: the first subscriber of the product's own that threw. Any thread. */
final class CaughtExceptions implements ResourceAudit {
    private final AtomicReference<@Nullable String> first = new AtomicReference<>();

    Optional<String> first() {
        return Optional.ofNullable(first.get());
    }

    @Override
    public void threw(VerbOwner by, Class<?> subscriber, Throwable thrown) {
        if (ResourceLedger.isOwn(subscriber)) {
            String where = StackLocation.of(thrown).map(place -> " at " + place).orElse("");
            first.compareAndSet(null, subscriber.getName() + " of " + by.path() + " threw " + thrown + where);
        }
    }

    @Override
    public void pending(VerbOwner by, Object verb, Future<?> stage) {}

    @Override
    public void opened(Audited account) {}

    @Override
    public void closed(Audited account) {}
}
