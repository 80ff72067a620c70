// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

import org.hcaactors.api.memory.PageLayout;

/** Where pages were taken from, and go back to. */
interface Origin {
    /** For what stands on no page of the host. */
    Origin NOWHERE = new Origin() {
        @Override
        public PageLayout layout(Pages pages) {
            return PageLayout.NONE;
        }

        @Override
        public void give(Pages pages) {}
    };

    PageLayout layout(Pages pages);

    /** Nobody has them any more. */
    void give(Pages pages);
}
