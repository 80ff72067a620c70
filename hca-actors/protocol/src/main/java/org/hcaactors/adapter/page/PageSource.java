// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.page;

import org.hcaactors.api.memory.PageLayout;

/** Source of pages, which they return to when freed. */
interface PageSource {
    /** Source of buffers without pages of the host. */
    PageSource NONE = new PageSource() {
        @Override
        public PageLayout layout(AllocatedPages pages) {
            return PageLayout.NONE;
        }

        @Override
        public void free(AllocatedPages pages) {}
    };

    PageLayout layout(AllocatedPages pages);

    /** Frees the pages, which have no holder any more. */
    void free(AllocatedPages pages);
}
