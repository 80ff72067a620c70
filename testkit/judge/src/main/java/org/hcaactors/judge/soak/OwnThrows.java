// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.hcaactors.adapter.books.Account;
import org.hcaactors.adapter.books.Books;
import org.hcaactors.adapter.books.Owner;
import org.hcaactors.lab.invariant.Ledger;
import org.jspecify.annotations.Nullable;

// rule completion-subscriber-throws
/** Books that keep one thing: the first subscriber of the product's own that threw. Any thread. */
final class OwnThrows implements Books {
    private final AtomicReference<@Nullable String> first = new AtomicReference<>();

    Optional<String> first() {
        return Optional.ofNullable(first.get());
    }

    @Override
    public void threw(Owner by, Class<?> subscriber, Throwable thrown) {
        if (Ledger.isOwn(subscriber)) {
            String where = Whereabouts.of(thrown).map(place -> " at " + place).orElse("");
            first.compareAndSet(null, subscriber.getName() + " of " + by.path() + " threw " + thrown + where);
        }
    }

    @Override
    public void promised(Owner by, Object verb, Future<?> stage) {}

    @Override
    public void opened(Account account) {}

    @Override
    public void closed(Account account) {}
}
