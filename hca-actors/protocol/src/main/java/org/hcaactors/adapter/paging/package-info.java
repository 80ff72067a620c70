// SPDX-License-Identifier: Apache-2.0
/** On-demand paging: the pages that the adapter has mapped, the faults and prefetches of them, and the host's invalidations. */
@NullMarked
package org.hcaactors.adapter.paging;

import org.jspecify.annotations.NullMarked;
