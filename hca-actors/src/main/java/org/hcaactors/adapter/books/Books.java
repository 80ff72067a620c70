// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.books;

import java.util.concurrent.Future;

/**
 * Who keeps account of what a network owes and holds: on the bench, the world. In production nobody does, and it costs next to
 * nothing: an account with each object, and no words. Called on the threads of actors and of callers; must not block, nor
 * throw.
 */
public interface Books {
    Books NONE = new Books() {
        @Override
        public void promised(Owner by, Object verb, Future<?> stage) {}

        @Override
        public void opened(Account account) {}

        @Override
        public void closed(Account account) {}
    };

    /**
     * A verb was given a stage.
     *
     * @param by whose verb it is
     * @param verb the command or the work behind it, or what names it when it is asked to
     * @param stage done when the verb has ended
     */
    void promised(Owner by, Object verb, Future<?> stage);

    /**
     * A subscriber, or the handler of a reader, threw, and what it was called for ended.
     *
     * @param by whose stream it was
     * @param subscriber the class of who threw
     */
    default void threw(Owner by, Class<?> subscriber, Throwable thrown) {}

    /** Something is there from now on. */
    void opened(Account account);

    /** It is gone. */
    void closed(Account account);
}
