// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

/** An object that the program created in an opened device, and that goes with it. */
interface Opened {
    OpenedDevice device();
}
