// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** Why a target over DC opens no session for who asks for one. */
public sealed interface NoSession extends Reason {
    /**
     * The target's access key is another one.
     *
     * @param accessKey that the initiator brought
     */
    record WrongKey(int initiator, long accessKey) implements NoSession {}

    /**
     * It is told to come again.
     *
     * @param left responders, this one included
     * @param spared that are to be left
     */
    record FewResponders(int left, int spared) implements NoSession {}

    /**
     * It is told nothing.
     *
     * @param max that the target may have
     */
    record NoResponder(int max) implements NoSession {}

    /** The target knows too many peers to know another one, and it is told to come again. */
    record TooManyPeers(int max) implements NoSession {}

    /** It asks for a session that nobody knows of any more: what of it was executed, nobody can say. */
    record Forgotten(int session) implements NoSession {}

    /** The target goes. */
    record Draining() implements NoSession {}

    /** The target is in error, or what it depends on is. */
    record Broken() implements NoSession {}
}
