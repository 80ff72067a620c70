// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

import org.hcaactors.api.memory.PageLayout;

/** Where pages were taken from, and go back to. */
interface PageSource {
    /** For what stands on no page of the host. */
    PageSource NOWHERE = new PageSource() {
        @Override
        public PageLayout layout(AllocatedPages pages) {
            return PageLayout.NONE;
        }

        @Override
        public void give(AllocatedPages pages) {}
    };

    PageLayout layout(AllocatedPages pages);

    /** Nobody has them any more. */
    void give(AllocatedPages pages);
}
