// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

import org.hcaactors.api.memory.Access;

/** Why a key does not serve a use (rules memory-domain, memory-right-of-verb, memory-each-packet). */
public sealed interface Denial {
    /** Nobody answers for the key. */
    record Unregistered() implements Denial {}

    /** @param needed number of the protection domain of who uses it */
    record ForeignDomain(int domain, int needed) implements Denial {}

    /**
     * @param address first address that the key covers
     * @param from first address that was wanted
     */
    record OutOfRange(long address, long lengthBytes, long from, long count) implements Denial {}

    record MissingRight(Access right) implements Denial {}

    /** It shows nothing now: a window that is not bound, an indirect key that was never filled, or what was invalidated. */
    record NotBound() implements Denial {}

    /** A re-registration failed, and left it undefined. */
    record Undefined() implements Denial {}

    /** A peer device's driver took the memory back. */
    record Revoked() implements Denial {}

    /** The region is only there to be shared with other processes. */
    record OnlyShared() implements Denial {}

    /** It is a key through which another one shows memory. */
    record OfPart(int key, Denial reason) implements Denial {}

    /** More keys stand behind each other than the adapter follows. */
    record TooDeep() implements Denial {}

    /** Nothing can hold on to memory of this kind to show a part of it. */
    record NotBindable() implements Denial {}

    /** No window can be bound to a region whose addresses are offsets. */
    record ZeroBased() implements Denial {}

    /** @param holders other keys that hold on to it */
    record InUse(int holders) implements Denial {}

    /** Keys of its kind don't change in that way. */
    record UnsupportedChange() implements Denial {}

    /** It is a window's, for a peer's use: work requests here don't name it. */
    record RemoteOnly() implements Denial {}

    /**
     * It is tied to a queue pair.
     *
     * @param queuePair number of the one it is tied to
     * @param needed number of the one that uses it
     */
    record OtherQueuePair(int queuePair, int needed) implements Denial {}

    /** It shows memory, and has to be invalidated before it shows other. */
    record StillBound() implements Denial {}

    /** It can't be bound to no bytes. */
    record EmptyWindow() implements Denial {}

    /** Its addresses are those of what it shows, and don't count from its first byte. */
    record NotZeroBased() implements Denial {}

    /** Another key can't show memory through one of its kind. */
    record NotAPart() implements Denial {}

    /** What it is to show has more entries than it has room for. */
    record TooManyEntries(int entries, int max) implements Denial {}

    /**
     * The bytes of an atomic are not one aligned word of one part.
     *
     * @param from address of the first
     * @param count as many as the atomic has
     */
    record NotOneWord(long from, long count) implements Denial {}

    /** Its process has no memory there, so that no page comes. */
    record NotMapped(long address) implements Denial {}

    /** Its pages are huge ones, and its process has none there, so that none comes. */
    record NotHuge(long address) implements Denial {}

    /** Its pages come when they are used, and one that is not there is not waited for in such a use. */
    record NoPagingForUse(long address) implements Denial {}

    /** Its owner did not allow peers to invalidate it. */
    record NotRemotelyInvalidatable() implements Denial {}
}
