// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

/** Something whose buffer stands on pages. */
public interface PageHolder {
    AllocatedPages buffer();
}
