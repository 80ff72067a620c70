// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.util.concurrent.CompletionStage;

/**
 * The objects that all calls of the program share. Any thread.
 *
 * @param handles objects by handle
 */
record Session(ServedAdapter served, Handles handles, ProgramEvents events) {
    /** Waits for a verb's stage, on the calling thread. */
    <T> T await(CompletionStage<T> verb) {
        return served.await(verb);
    }

    /** Returns the object whose handle is a word of a block; EINVAL if there is none of this kind. */
    <T> T get(Block words, int index, Class<T> kind) {
        return handles.get(words.word(index), kind);
    }

    /** Adds an object and writes its handle. */
    void add(Block words, int index, Object object) {
        words.put(index, handles.add(object));
    }

    /** Removes the object whose handle is a word of a block. */
    void remove(Block words, int index) {
        handles.remove(words.word(index));
    }
}
