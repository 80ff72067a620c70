// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

import org.hcaactors.api.memory.Access;

/** Reasons why a key does not permit an access or a change (rules memory-domain, memory-right-of-verb, memory-each-packet). */
public sealed interface Denial {
    /** No key with this number exists. */
    record Unregistered() implements Denial {}

    /**
     * The key belongs to another protection domain.
     *
     * @param domain the key's protection domain
     * @param needed protection domain of the queue pair or object that uses the key
     */
    record ForeignDomain(int domain, int needed) implements Denial {}

    /**
     * The access is outside of the key's addresses.
     *
     * @param address first address that the key covers
     * @param from first address of the access
     */
    record OutOfRange(long address, long lengthBytes, long from, long count) implements Denial {}

    record MissingRight(Access right) implements Denial {}

    /** The key maps no memory now: an unbound window, an indirect key that was never filled, or an invalidated key. */
    record NotBound() implements Denial {}

    /** A failed reregistration left the region undefined. */
    record Undefined() implements Denial {}

    /** The driver of a peer device revoked the memory. */
    record Revoked() implements Denial {}

    /** The region exists only to be shared with other processes and has no RDMA access. */
    record OnlyShared() implements Denial {}

    /** The key maps memory of another key, and that key denies the access. */
    record OfPart(int key, Denial reason) implements Denial {}

    /** More keys are nested in each other than the adapter follows. */
    record TooDeep() implements Denial {}

    /** The key's kind can't be the parent of a window or an indirect key. */
    record NotBindable() implements Denial {}

    /** The region is zero-based, so no window can be bound to it. */
    record ZeroBased() implements Denial {}

    /**
     * Windows or indirect keys are bound to the key.
     *
     * @param holders number of those keys
     */
    record InUse(int holders) implements Denial {}

    /** Keys of this kind don't support the requested change. */
    record UnsupportedChange() implements Denial {}

    /** The key is a memory window's: only peers may use it, local work requests may not. */
    record RemoteOnly() implements Denial {}

    /**
     * The key is tied to another queue pair.
     *
     * @param queuePair number of the queue pair that the key is tied to
     * @param needed number of the queue pair that uses the key
     */
    record OtherQueuePair(int queuePair, int needed) implements Denial {}

    /** The key maps memory and must be invalidated before it can map other memory. */
    record StillBound() implements Denial {}

    /** A window of this kind can't be bound to zero bytes. */
    record EmptyWindow() implements Denial {}

    /** The window can't be zero-based: its addresses are those of the memory behind it. */
    record NotZeroBased() implements Denial {}

    /** No indirect key can map memory of a key of this kind. */
    record NotAPart() implements Denial {}

    /** The layout has more entries than the indirect key has space for. */
    record TooManyEntries(int entries, int max) implements Denial {}

    /**
     * The operand of an atomic is not one aligned word in one part of the key.
     *
     * @param from first address of the operand
     * @param count length of the operand in bytes
     */
    record NotOneWord(long from, long count) implements Denial {}

    /** The process has no memory at this address, so no page can be fetched. */
    record NotMapped(long address) implements Denial {}

    /** The region is registered for huge pages, and the process has none at this address. */
    record NotHuge(long address) implements Denial {}

    /** A page of an on-demand region is absent, and this kind of access does not wait for pages. */
    record NoPagingForUse(long address) implements Denial {}

    /** The key's owner does not allow peers to invalidate it. */
    record NotRemotelyInvalidatable() implements Denial {}
}
