// SPDX-License-Identifier: Apache-2.0
/** What travels in a completion instead of into its buffers, and is copied there when that is polled. */
@NullMarked
package org.hcaactors.adapter.inline;

import org.jspecify.annotations.NullMarked;
