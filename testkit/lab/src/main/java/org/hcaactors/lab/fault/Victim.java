package org.hcaactors.lab.fault;

/** An actor of an adapter that may crash. */
public sealed interface Victim {
    String adapter();

    /** Its actor's name below the adapter's; empty for the adapter's own. */
    String actor();

    record QueuePairOf(String adapter, int number) implements Victim {
        @Override
        public String actor() {
            return "qp-" + number;
        }
    }

    record CompletionQueueOf(String adapter, int number) implements Victim {
        @Override
        public String actor() {
            return "cq-" + number;
        }
    }

    record SharedReceivesOf(String adapter, int number) implements Victim {
        @Override
        public String actor() {
            return "srq-" + number;
        }
    }

    /** The translator of a memory key. */
    record TranslatorOf(String adapter, int key) implements Victim {
        @Override
        public String actor() {
            return "mr-%08x".formatted(key);
        }
    }

    record AdapterItself(String adapter) implements Victim {
        @Override
        public String actor() {
            return "";
        }
    }

    /** {@code a/qp-17}. */
    default String words() {
        return adapter() + (actor().isEmpty() ? "" : "/" + actor());
    }
}
