// SPDX-License-Identifier: Apache-2.0
/** Inline data: data in a completion, copied to its buffers when the completion is polled. */
@NullMarked
package org.hcaactors.adapter.inline;

import org.jspecify.annotations.NullMarked;
