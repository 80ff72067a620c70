// SPDX-License-Identifier: Apache-2.0
/** Messages to a queue pair of a tag-matching queue: where they go, and how the adapter fetches the data of those that bring none. */
@NullMarked
package org.hcaactors.adapter.rendezvous;

import org.jspecify.annotations.NullMarked;
