// SPDX-License-Identifier: Apache-2.0
/** Tag matching: the list of a shared receive queue, the start of messages, and the requests to fetch their data. */
@NullMarked
package org.hcaactors.adapter.tag;

import org.jspecify.annotations.NullMarked;
