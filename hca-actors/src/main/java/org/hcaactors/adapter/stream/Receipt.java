// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stream;

/** Goes with what is granted: asked before each element is handed out, on the subscriber's thread. */
@FunctionalInterface
public interface Receipt {
    Receipt NONE = index -> true;

    /** False if the element was withdrawn since it was granted: the subscriber never sees it. */
    boolean handOut(int index);
}
