// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

/** An actor of an adapter that can be made to crash. */
public sealed interface CrashTarget {
    /** The system actor whose children are the adapters of a network. */
    String NETWORK = "hca-network";

    String adapter();

    /** Returns the actor's name below the adapter's actor; empty for that actor itself. */
    String actor();

    record QueuePairOf(String adapter, int number) implements CrashTarget {
        @Override
        public String actor() {
            return "qp-" + number;
        }
    }

    record CompletionQueueOf(String adapter, int number) implements CrashTarget {
        @Override
        public String actor() {
            return "cq-" + number;
        }
    }

    record SharedReceivesOf(String adapter, int number) implements CrashTarget {
        @Override
        public String actor() {
            return "srq-" + number;
        }
    }

    /** The translator of a memory key: of a region, a window or an indirect key. */
    record TranslatorOf(String adapter, int key) implements CrashTarget {
        /** Found by the key's index, because the variant of a window's key changes with each bind. */
        @Override
        public String actor() {
            return "m*-%06x*".formatted(key >>> Byte.SIZE);
        }
    }

    record AdapterItself(String adapter) implements CrashTarget {
        @Override
        public String actor() {
            return "";
        }
    }

    /** Returns the element as in the trace: {@code qp17}, {@code cq3}, {@code srq2}, {@code key 0x00000100}, {@code device}. */
    default String element() {
        return switch (this) {
            case QueuePairOf qp -> "qp" + qp.number;
            case CompletionQueueOf cq -> "cq" + cq.number;
            case SharedReceivesOf srq -> "srq" + srq.number;
            case TranslatorOf key -> "key 0x%08x".formatted(key.key);
            case AdapterItself self -> "device";
        };
    }

    /** Returns a readable name: {@code a/qp-17}, {@code a/key 0x00000200}. */
    default String name() {
        return this instanceof TranslatorOf ? adapter() + "/" + element() : words();
    }

    /** Returns the path of its actor: {@code a/qp-17}. */
    default String words() {
        return adapter() + (actor().isEmpty() ? "" : "/" + actor());
    }
}
