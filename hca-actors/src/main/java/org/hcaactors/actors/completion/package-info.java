// SPDX-License-Identifier: Apache-2.0
/** Completion queues as actors, their handles, and how they are made. */
@NullMarked
package org.hcaactors.actors.completion;

import org.jspecify.annotations.NullMarked;
