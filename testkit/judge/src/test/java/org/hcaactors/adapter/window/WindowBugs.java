// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.window;

import net.bytebuddy.asm.Advice;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.key.TranslatedKey;

/** Advice for planted bugs of memory windows. */
public final class WindowBugs {
    private WindowBugs() {}

    public static final class InvalidatesNothing {
        @Advice.OnMethodExit
        static void exit(
                @Advice.This BoundWindow window, @Advice.Return(readOnly = false) TranslatedKey.ChangeResult result) {
            result = new TranslatedKey.ChangeResult.Becomes(window);
        }
    }

    public static final class BindsWhatIsBound {
        @Advice.OnMethodExit
        static void exit(
                @Advice.This BoundWindow window,
                @Advice.Argument(0) KeyChange.Bind again,
                @Advice.Return(readOnly = false) TranslatedKey.ChangeResult result) {
            result = new UnboundWindow(window.key(), window.attributes()).apply(again);
        }
    }

    public static final class IsOffByEight {
        @Advice.OnMethodExit
        static void exit(@Advice.This BoundWindow window, @Advice.Return(readOnly = false) long address) {
            address = window.bind().zeroBased() ? address + 8 : address;
        }
    }
}
