// SPDX-License-Identifier: Apache-2.0
/** Shards: each is a queue of tasks that one thread at a time runs, its own or one of the program. */
@NullMarked
package org.hcaactors.actors.shard;

import org.jspecify.annotations.NullMarked;
