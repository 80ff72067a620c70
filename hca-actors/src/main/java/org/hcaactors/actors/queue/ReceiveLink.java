// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.actors.srq.SharedReceiveHandle;
import org.hcaactors.actors.srq.XrcSrqLookup;
import org.hcaactors.adapter.completion.SlotOwner;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.srq.SrqUser;
import org.hcaactors.adapter.work.ReceiveSource;

/** Link to the source of a queue pair's receives, as the program that creates the queue pair determines it. */
public sealed interface ReceiveLink {
    /** The queue pair's own receive queue. */
    ReceiveLink OWN = new Own();

    /** Returns the source for one queue pair. */
    ReceiveAttachment attachment(int queuePair, SrqUser self, AdapterTrace trace);

    /** Returns the shared receive queue that the program passed, if it did. */
    default Optional<SharedReceiveHandle> srq() {
        return Optional.empty();
    }

    /** Returns the number of the XRC domain whose queues requests name, if they do. */
    default OptionalInt xrcDomain() {
        return OptionalInt.empty();
    }

    /** Returns the shard of a queue pair that has no completion queue. */
    default int shard() {
        return 0;
    }

    /** Receives are posted to the queue pair. */
    record Own() implements ReceiveLink, ReceiveAttachment {
        @Override
        public ReceiveAttachment attachment(int queuePair, SrqUser self, AdapterTrace trace) {
            return this;
        }

        @Override
        public ReceiveSource source() {
            return ReceiveSource.OWN;
        }
    }

    /** A shared receive queue that matches no tags. */
    record Shared(SharedReceiveHandle queue) implements ReceiveLink, ReceiveAttachment {
        public Shared {
            if (queue.matchesTags()) {
                throw new IllegalArgumentException(queue.describe() + " matches tags");
            }
        }

        @Override
        public Optional<SharedReceiveHandle> srq() {
            return Optional.of(queue);
        }

        @Override
        public ReceiveAttachment attachment(int queuePair, SrqUser self, AdapterTrace trace) {
            return this;
        }

        @Override
        public ReceiveSource source() {
            return queue;
        }

        @Override
        public SlotOwner slots(WorkSlots own) {
            return queue.slots();
        }

        @Override
        public List<Integer> numbers() {
            return List.of(queue.number());
        }
    }

    /** A tag-matching queue. */
    record Tagged(SharedReceiveHandle queue) implements ReceiveLink {
        @Override
        public Optional<SharedReceiveHandle> srq() {
            return Optional.of(queue);
        }

        @Override
        public ReceiveAttachment attachment(int queuePair, SrqUser self, AdapterTrace trace) {
            return new TagAttachment(queue, queuePair, false);
        }
    }

    // rule rendezvous-dc
    /** None: the queue pair is the initiator of a tag-matching queue, and does not keep that queue open. */
    record Fetching(SharedReceiveHandle queue) implements ReceiveLink {
        @Override
        public ReceiveAttachment attachment(int queuePair, SrqUser self, AdapterTrace trace) {
            return new TagAttachment(queue, queuePair, true);
        }

        @Override
        public int shard() {
            return queue.shard();
        }
    }

    /** The queues of an XRC domain, which requests name. */
    record Named(XrcSrqLookup lookup) implements ReceiveLink {
        @Override
        public ReceiveAttachment attachment(int queuePair, SrqUser self, AdapterTrace trace) {
            return new XrcSrqAttachments(lookup, queuePair, self, trace);
        }

        @Override
        public OptionalInt xrcDomain() {
            return OptionalInt.of(lookup.number());
        }
    }

    /** Returns the link to a shared receive queue, whether it matches tags or not. */
    static ReceiveLink to(SharedReceiveHandle queue) {
        return queue.matchesTags() ? new Tagged(queue) : new Shared(queue);
    }
}
