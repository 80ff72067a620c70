// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

/** An object with a buffer on pages of the host. */
public interface PageHolder {
    AllocatedPages buffer();
}
