// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.audit;

import java.util.concurrent.Future;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.WorkRequest;

/**
 * Audit of what a network owes and holds. The testkit's world implements it; in production it is a no-op, and costs one
 * reference in each object and no text. Called on the threads of actors and callers; must not block or throw.
 */
public interface ResourceAudit {
    ResourceAudit NONE = new ResourceAudit() {
        @Override
        public void pending(VerbOwner by, Object verb, Future<?> stage) {}

        @Override
        public void opened(Audited audited) {}

        @Override
        public void closed(Audited audited) {}
    };

    /**
     * A stage was returned for a verb.
     *
     * @param by owner of the verb
     * @param verb the command or request behind it, or an object whose string form names it
     * @param stage completes when the verb has ended
     */
    void pending(VerbOwner by, Object verb, Future<?> stage);

    /**
     * A subscriber, or the handler of a reader, threw, and its subscription or reader ended.
     *
     * @param by owner of the stream
     * @param subscriber class of the code that threw
     */
    default void threw(VerbOwner by, Class<?> subscriber, Throwable thrown) {}

    /** True if it wants the notifications about buffers; else they are not sent. */
    default boolean followsBuffers() {
        return false;
    }

    /**
     * A program posts a request; called on its thread, before any effect.
     *
     * @param kind kind of its completion
     * @param signaled it has a completion also if it succeeds
     */
    default void posted(WorkQueue queue, WorkRequest work, CompletionKind kind, boolean signaled) {}

    /** A program posts a receive; called on its thread, before a message can take it. */
    default void posted(WorkQueue queue, Receive receive) {}

    /** A program received a completion: the buffers of its request or receive belong to the program again. */
    default void completionReceived(String adapter, WorkCompletion completion) {}

    /** A program sets the limit of a shared receive queue; 0 for none. */
    default void limited(String adapter, int sharedReceives, int limit) {}

    /**
     * A queue pair was reset or destroyed: the buffers of everything posted to it, and of what it took from shared receive
     * queues, belong to the program again.
     */
    default void emptied(String adapter, int queuePair) {}

    /**
     * A process reads or writes its memory; called on its thread, beforehand.
     *
     * @param address address of the first byte, in the process
     */
    default void accessed(String adapter, String process, long address, long lengthBytes, boolean writes) {}

    /** An object was created. */
    void opened(Audited audited);

    /** An object was destroyed. */
    void closed(Audited audited);
}
