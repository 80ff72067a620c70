// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.audit;

import java.util.concurrent.Future;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.WorkRequest;

/**
 * Who keeps account of what a network owes and holds: on the bench, the world. In production nobody does, and it costs next to
 * nothing: an account with each object, and no words. Called on the threads of actors and of callers; must not block, nor
 * throw.
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
     * A verb was given a stage.
     *
     * @param by whose verb it is
     * @param verb the command or the work behind it, or what names it when it is asked to
     * @param stage done when the verb has ended
     */
    void pending(VerbOwner by, Object verb, Future<?> stage);

    /**
     * A subscriber, or the handler of a reader, threw, and what it was called for ended.
     *
     * @param by whose stream it was
     * @param subscriber the class of who threw
     */
    default void threw(VerbOwner by, Class<?> subscriber, Throwable thrown) {}

    /** Whether it wants to hear of buffers: nobody is told otherwise. */
    default boolean followsBuffers() {
        return false;
    }

    /**
     * A program posts a request; on its thread, before anything comes of it.
     *
     * @param kind with which it completes
     * @param signaled it ends with a completion, also if it succeeds
     */
    default void posted(WorkQueue queue, WorkRequest work, CompletionKind kind, boolean signaled) {}

    /** A program posts a receive; on its thread, before a message can take it. */
    default void posted(WorkQueue queue, Receive receive) {}

    /** A completion goes to the program from its queue: what the request, or the receive, showed the adapter is the program's again. */
    default void took(String adapter, WorkCompletion completion) {}

    /** A program asks to be told when fewer receives than that stand in a shared queue; 0 for not. */
    default void limited(String adapter, int sharedReceives, int limit) {}

    /** A queue pair was reset, or is gone: the same for all that was posted to it, and for what it took of shared queues. */
    default void emptied(String adapter, int queuePair) {}

    /**
     * A process reads or writes its memory; on its thread, before it does.
     *
     * @param address of the first byte, as the process has it
     */
    default void accessed(String adapter, String process, long address, long lengthBytes, boolean writes) {}

    /** Something is there from now on. */
    void opened(Audited audited);

    /** It is gone. */
    void closed(Audited audited);
}
