// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** Reasons why a DC target opens no session for an initiator. */
public sealed interface NoSession extends Reason {
    /**
     * The initiator's access key is not the target's.
     *
     * @param accessKey access key that the initiator sent
     */
    record WrongKey(int initiator, long accessKey) implements NoSession {}

    /**
     * Too few responders are free; the target answers with CNAK.
     *
     * @param left free responders, this one included
     * @param spared responders that must be left free
     */
    record FewResponders(int left, int spared) implements NoSession {}

    /**
     * No responder is free; the initiator receives no answer.
     *
     * @param max maximum number of responders of the target
     */
    record NoResponder(int max) implements NoSession {}

    /** The target already has an entry for the maximum number of peers; it answers with CNAK. */
    record TooManyPeers(int max) implements NoSession {}

    /** The initiator requests a session that the target has forgotten: which of its requests were executed is unknown. */
    record Forgotten(int session) implements NoSession {}

    /** The target is being drained before it is destroyed. */
    record Draining() implements NoSession {}

    /** The target, or an object that it depends on, is in error. */
    record Broken() implements NoSession {}
}
