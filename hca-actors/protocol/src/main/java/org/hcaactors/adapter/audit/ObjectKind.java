// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.audit;

/** Kinds of objects that a program creates in a context, in the order in which a context closes those that are open. */
public enum ObjectKind {
    LISTENER("listener", "listeners", Numbers.OWN),
    SERVED_PORT("served-port", "served ports", Numbers.NONE),
    CONNECTION("connection", "connections", Numbers.NONE),
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
    /** Belongs to its process, not to a context. */
    WAITER("waiter", "waiters", Numbers.OWN);

    /** Sources of an object's number. */
    public enum Numbers {
        /** No number: the object has no actor. */
        NONE,
        /** Numbers of the object's kind, from 1. */
        OWN,
        /** Numbers that packets carry. */
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

    /** Prefix of its actors' names. */
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

    /** Returns the name of an object's actor. */
    public String actor(int number) {
        return prefix() + (numbers == Numbers.KEYS ? "%08x".formatted(number) : Integer.toString(number));
    }
}
