// SPDX-License-Identifier: Apache-2.0
/** Completion queues: actors, handles and blueprints. */
@NullMarked
package org.hcaactors.actors.completion;

import org.jspecify.annotations.NullMarked;
