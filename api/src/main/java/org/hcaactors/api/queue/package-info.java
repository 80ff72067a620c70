// SPDX-License-Identifier: Apache-2.0
/** Queue pairs, shared receive queues and XRC domains: creating, connecting, modifying, posting. */
@NullMarked
package org.hcaactors.api.queue;

import org.jspecify.annotations.NullMarked;
