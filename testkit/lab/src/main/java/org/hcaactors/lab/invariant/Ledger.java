// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.hcaactors.adapter.books.Account;
import org.hcaactors.adapter.books.Books;
import org.hcaactors.adapter.books.Owner;
import org.hcaactors.adapter.books.Statement;

/** The books of one network: the stages that it gave out and that have not ended, and what is there and holds something. */
public final class Ledger implements Books {
    private static final int FIRST_LOOK = 1024;

    /** A stage that was given out. */
    record Promise(Owner by, Object verb, Future<?> stage) {}

    private final List<Promise> promises = new ArrayList<>();
    private final Set<Account> accounts = new LinkedHashSet<>();
    private int nextLook = FIRST_LOOK;

    @Override
    public synchronized void promised(Owner by, Object verb, Future<?> stage) {
        promises.add(new Promise(by, verb, stage));
        if (promises.size() >= nextLook) {
            forgetEnded();
            nextLook = Math.max(FIRST_LOOK, 2 * promises.size());
        }
    }

    private void forgetEnded() {
        promises.removeIf(promise -> promise.stage.isDone());
    }

    @Override
    public synchronized void opened(Account account) {
        accounts.add(account);
    }

    @Override
    public synchronized void closed(Account account) {
        accounts.remove(account);
    }

    /** What has not ended, in the order in which it was given out. */
    synchronized List<Promise> open() {
        forgetEnded();
        return List.copyOf(promises);
    }

    /** How everything of one kind stands, in the order in which it came. Only while no actor runs. */
    synchronized <S extends Statement> Stream<S> statements(Class<S> kind) {
        return accounts.stream().map(Account::statement).filter(kind::isInstance).map(kind::cast).toList().stream();
    }
}
