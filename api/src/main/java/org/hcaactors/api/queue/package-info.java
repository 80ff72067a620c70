// SPDX-License-Identifier: Apache-2.0
/** Queue pairs: creating, connecting, modifying, posting. */
@NullMarked
package org.hcaactors.api.queue;

import org.jspecify.annotations.NullMarked;
