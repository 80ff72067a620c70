// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowType;

/** Calls for memory windows and indirect keys. Any thread; waits. */
final class KeyCalls {
    /** A window of the program ({@code ibv_mw}). */
    record Window(OpenedDevice device, MemoryWindow window) implements Opened {}

    /** An indirect key of the program ({@code mlx5dv_mkey}). */
    record Indirect(OpenedDevice device, IndirectKey key) implements Opened {}

    private final Session session;

    KeyCalls(Session session) {
        this.session = session;
    }

    void allocateWindow(Block words) {
        MemoryCalls.Domain domain = session.get(words, Calls.AllocWindow.PD, MemoryCalls.Domain.class);
        WindowType type = type(words.number(Calls.AllocWindow.TYPE));
        MemoryWindow window = session.await(domain.domain().allocateWindow(type));
        session.add(words, Calls.AllocWindow.WINDOW, new Window(domain.device(), window));
        words.putUnsigned(Calls.AllocWindow.RKEY, window.rkey());
    }

    private static WindowType type(int code) {
        return switch (code) {
            case Calls.WindowType.TYPE_1 -> WindowType.TYPE_1;
            case Calls.WindowType.TYPE_2 -> WindowType.TYPE_2;
            default -> throw VerbsException.invalid("the type of the window is " + code + "; 1 and 2 are allowed");
        };
    }

    void deallocateWindow(Block words) {
        session.await(session.get(words, Calls.DeallocWindow.WINDOW, Window.class)
                .window()
                .deallocate());
        session.remove(words, Calls.DeallocWindow.WINDOW);
    }

    void windowKey(Block words) {
        MemoryWindow window =
                session.get(words, Calls.WindowKey.WINDOW, Window.class).window();
        words.putUnsigned(Calls.WindowKey.RKEY, window.rkey());
    }

    void createIndirectKey(Block words) {
        MemoryCalls.Domain domain = session.get(words, Calls.CreateIndirectKey.PD, MemoryCalls.Domain.class);
        IndirectKeyDescription wanted = IndirectKeyDescription.of(words.number(Calls.CreateIndirectKey.MAX_ENTRIES));
        if (words.isSet(Calls.CreateIndirectKey.REMOTE_INVALIDATE)) {
            wanted = wanted.withRemoteInvalidation();
        }
        IndirectKey key = session.await(domain.domain().createIndirectKey(wanted));
        session.add(words, Calls.CreateIndirectKey.KEY, new Indirect(domain.device(), key));
        words.putUnsigned(Calls.CreateIndirectKey.LKEY, key.lkey());
        words.putUnsigned(Calls.CreateIndirectKey.RKEY, key.rkey());
    }

    void destroyIndirectKey(Block words) {
        session.await(session.get(words, Calls.DestroyIndirectKey.KEY, Indirect.class)
                .key()
                .closeAsync());
        session.remove(words, Calls.DestroyIndirectKey.KEY);
    }
}
