// SPDX-License-Identifier: Apache-2.0
/** Pages that come when they are used: which the adapter has, who waits for them, what the host does meanwhile. */
@NullMarked
package org.hcaactors.adapter.paging;

import org.jspecify.annotations.NullMarked;
