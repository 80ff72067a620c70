// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.audit;

/** The kinds of objects that a program creates in a context, in the order in which a context closes what is open. */
public enum ObjectKind {
    QUEUE_PAIR("qp", "queue pairs", Numbers.FABRIC),
    ADDRESS_HANDLE("ah", "address handles", Numbers.NONE),
    SHARED_RECEIVE_QUEUE("srq", "shared receive queues", Numbers.OWN),
    WINDOW("mw", "windows", Numbers.KEYS),
    INDIRECT_KEY("mkey", "indirect keys", Numbers.KEYS),
    KEY_LIST("klm", "key lists", Numbers.NONE),
    REGION("mr", "regions", Numbers.KEYS),
    COMPLETION_QUEUE("cq", "completion queues", Numbers.OWN),
    CHANNEL("channel", "completion channels", Numbers.OWN),
    DOMAIN("pd", "protection domains", Numbers.NONE),
    XRC_DOMAIN("xrcd", "XRC domains", Numbers.NONE),
    /** Belongs to its process, and to no context. */
    WAITER("waiter", "waiters", Numbers.OWN);

    /** Where an object's number comes from. */
    public enum Numbers {
        /** It has no actor. */
        NONE,
        /** Its kind's, from 1. */
        OWN,
        /** Those that packets carry. */
        FABRIC,
        /** Memory keys. */
        KEYS
    }

    private final String prefix;
    private final String plural;
    private final Numbers numbers;

    ObjectKind(String prefix, String plural, Numbers numbers) {
        this.prefix = prefix;
        this.plural = plural;
        this.numbers = numbers;
    }

    /** What the names of its actors begin with. */
    public String prefix() {
        return prefix + "-";
    }

    public String plural() {
        return plural;
    }

    public Numbers numbers() {
        return numbers;
    }

    public boolean hasActor() {
        return numbers != Numbers.NONE;
    }

    /** The name of an object's actor. */
    public String actor(int number) {
        return prefix() + (numbers == Numbers.KEYS ? "%08x".formatted(number) : Integer.toString(number));
    }
}
