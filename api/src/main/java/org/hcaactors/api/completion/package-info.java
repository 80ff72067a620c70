// SPDX-License-Identifier: Apache-2.0
/** Completion queues: bounded rings that subscribers poll by demand. */
@NullMarked
package org.hcaactors.api.completion;

import org.jspecify.annotations.NullMarked;
