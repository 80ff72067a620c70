// SPDX-License-Identifier: Apache-2.0
/** Receives of a tag-matching queue's queue pair, and the fetching of rendezvous data by the adapter. */
@NullMarked
package org.hcaactors.adapter.rendezvous;

import org.jspecify.annotations.NullMarked;
