// SPDX-License-Identifier: Apache-2.0
/** Tag matching: the list of a shared receive queue, what a message begins with, and how the adapter fetches its data. */
@NullMarked
package org.hcaactors.adapter.tag;

import org.jspecify.annotations.NullMarked;
