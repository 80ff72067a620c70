// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.window;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.hcaactors.actors.key.DomainKey;
import org.hcaactors.actors.key.KeyOwner;
import org.hcaactors.adapter.stage.CloseOnce;
import org.hcaactors.adapter.window.WindowAttributes;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.WindowType;

/** Handle of a memory window. Its R_Key may be newer than the adapter's: it changes when a bind is posted. */
public final class WindowHandle implements MemoryWindow, DomainKey {
    /** The text is built only for the resource audit. */
    private record Deallocation(WindowHandle window) {
        @Override
        public String toString() {
            return "deallocation of " + window;
        }
    }

    private final int first;
    private final WindowAttributes attributes;
    private final KeyOwner context;
    private volatile int rkey;
    private final CloseOnce closeOnce = new CloseOnce();

    WindowHandle(int first, WindowAttributes attributes, KeyOwner context) {
        this.first = first;
        this.attributes = attributes;
        this.context = context;
        rkey = first;
    }

    @Override
    public WindowType type() {
        return attributes.type();
    }

    @Override
    public int rkey() {
        return rkey;
    }

    @Override
    public int domain() {
        return attributes.domain();
    }

    @Override
    public KeyOwner owner() {
        return context;
    }

    // rule window-key
    /** Sets the key when a bind was posted. */
    public void posted(int newKey) {
        rkey = newKey;
    }

    @Override
    public void restore(int key) {
        if (key >>> Byte.SIZE != first >>> Byte.SIZE) {
            throw VerbsException.invalid("key 0x%08x can't be restored for %s; its upper 24 bits must not change"
                    .formatted(key, describe()));
        }
        rkey = key;
    }

    @Override
    public CompletionStage<Void> deallocate() {
        return verb(() ->
                closeOnce.startOrRefuse(this::deregister, () -> VerbsException.invalid(describe() + " is closed")));
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return verb(() -> closeOnce.close(this::deregister));
    }

    private CompletionStage<Void> verb(Supplier<CompletionStage<Void>> rest) {
        return context.verbs().begin(Verb.DEALLOC_MW, this, closeOnce.isClosing(), rest);
    }

    // rule window-deallocate
    private CompletionStage<Void> deregister(Future<?> end) {
        context.commandSender().pending(new Deallocation(this), end);
        return context.deregister(this, first);
    }

    @Override
    public void close() {
        context.commandSender().await(closeAsync());
    }

    @Override
    public String describe() {
        return "memory window 0x%08x".formatted(rkey);
    }

    @Override
    public String toString() {
        return describe();
    }
}
