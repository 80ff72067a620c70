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
/** Resource audit that records only the first exception thrown by one of the library's own subscribers. Any thread. */
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
